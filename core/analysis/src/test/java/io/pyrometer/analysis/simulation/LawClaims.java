package io.pyrometer.analysis.simulation;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.pyrometer.analysis.scalability.LawSimulation;
import io.pyrometer.analysis.scalability.LawSimulation.Cell;
import io.pyrometer.analysis.scalability.LawSimulation.Said;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Claims on the scalability law, over the whole grid and by its margins. */
final class LawClaims {
  private final double size;
  private final List<Simulated> rows = new ArrayList<>();

  LawClaims(double size) {
    this.size = size;
  }

  /** Ladders of a cell of the grid; the whole has 1,800 cells. */
  private static final int LADDERS = 5;

  /** Everything said of laws with known truth, over the whole grid and by its margins. */
  List<Simulated> simulated() {
    int ladders = Math.max(1, (int) Math.round(LADDERS * size));
    List<Said> all =
        LawSimulation.grid().parallelStream()
            .flatMap(cell -> LawSimulation.said(cell, ladders))
            .toList();
    byMargins("the interval at twice the measured range covers the truth", all, Said::ahead, 0.92);
    byMargins("the interval of λ covers it", all, Said::lambda, 0.92);
    byMargins("the interval of a published peak covers it", all, Said::peak, 0.9);
    byMargins("the largest N lies in its prediction interval", all, Said::heldOut, 0.92);
    law(
        "a number below which a peak is called impossible is below the peak",
        "all",
        all,
        Said::excluded,
        0.95,
        1);
    law(
        "a published peak lies beyond four times the range",
        "all",
        all,
        s -> Optional.of(s.farPeak()),
        0,
        0);
    String peak = "a peak is published of a curve that never declines";
    law(peak, "all", all, Said::falsePeak, 0, 0.02);
    margins(peak, all, cell -> cell.law().name(), Said::falsePeak, 0, 0.03);
    margins(peak, all, cell -> counted(cell.replicates()), Said::falsePeak, 0, 0.03);
    String best = "the model that made the points is the best or within 6 of it";
    law(best, "all", all, Said::best, 0.9, 1);
    margins(best, all, cell -> cell.law().name(), Said::best, 0.8, 1);
    margins(best, all, cell -> counted(cell.replicates()), Said::best, 0.8, 1);
    return List.copyOf(rows);
  }

  private void byMargins(
      String claim, List<Said> all, Function<Said, Optional<Boolean>> what, double least) {
    double most = 0.985;
    law(claim, "all", all, what, least, most);
    margins(claim, all, cell -> cell.law().name(), what, least, most);
    margins(claim, all, cell -> cell.points() + " N", what, least, most);
    margins(claim, all, cell -> counted(cell.replicates()), what, least, most);
    margins(claim, all, cell -> "noise %.0f %%".formatted(100 * cell.noise()), what, least, most);
    margins(
        claim, all, cell -> "block sd %.0f %%".formatted(100 * cell.blockSd()), what, least, most);
  }

  private static String counted(int replicates) {
    return replicates + (replicates == 1 ? " replicate" : " replicates");
  }

  private void margins(
      String claim,
      List<Said> all,
      Function<Cell, String> by,
      Function<Said, Optional<Boolean>> what,
      double least,
      double most) {
    Map<String, List<Said>> groups =
        all.stream().collect(groupingBy(s -> by.apply(s.cell()), LinkedHashMap::new, toList()));
    groups.forEach((name, group) -> law(claim, name, group, what, least, most));
  }

  private void law(
      String claim,
      String how,
      List<Said> group,
      Function<Said, Optional<Boolean>> what,
      double least,
      double most) {
    List<Boolean> said = group.stream().flatMap(s -> what.apply(s).stream()).toList();
    if (!said.isEmpty()) {
      rows.add(new Simulated(claim, how, share(said), said.size(), least, most));
    }
  }

  private static double share(List<Boolean> said) {
    return said.stream().filter(each -> each).count() / (double) said.size();
  }
}
