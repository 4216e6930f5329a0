package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.scalability.LawSimulation.Said;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often a peak is published of curves that have none, and a wrong law is called best. */
class LawErrorRatesTest {
  private static final int EVERY = 5;

  @Tag("simulation")
  @Test
  void falsePeaksAndWrongLawsAreRare() {
    List<LawSimulation.Cell> grid = LawSimulation.grid();
    List<Said> said =
        IntStream.range(0, grid.size() / EVERY)
            .parallel()
            .mapToObj(i -> grid.get(EVERY * i + i % EVERY))
            .flatMap(cell -> LawSimulation.said(cell, 1))
            .toList();
    assertThat(share(said, Said::falsePeak)).isLessThan(0.02);
    assertThat(share(said, Said::best)).isGreaterThan(0.85);
    assertThat(share(said, Said::ahead)).as("at twice the range").isGreaterThan(0.85);
    assertThat(share(said, Said::peak)).isGreaterThan(0.85);
    assertThat(share(said, Said::lambda)).isGreaterThan(0.88);
  }

  private static double share(List<Said> said, Function<Said, Optional<Boolean>> what) {
    List<Boolean> all = said.stream().flatMap(each -> what.apply(each).stream()).toList();
    assertThat(all).hasSizeGreaterThan(10);
    return all.stream().filter(each -> each).count() / (double) all.size();
  }
}
