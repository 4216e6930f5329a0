package io.pyrometer.coordinator.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CpusTest {

  @Test
  void aListIsReadAsTheKernelWritesIt() {
    assertThat(Cpus.parse("\t0-2,5,7-8")).containsExactly(0, 1, 2, 5, 7, 8);
    assertThat(Cpus.parse("")).isEmpty();
  }

  @Test
  void sharesGoRoundSoThatAllAreUsedAlike() {
    List<Integer> all = List.of(0, 1, 4);
    assertThat(Cpus.share(all, 0, 1)).containsExactly(0);
    assertThat(Cpus.share(all, 2, 1)).containsExactly(4);
    assertThat(Cpus.share(all, 3, 1)).containsExactly(0);
    assertThat(Cpus.share(all, 1, 2)).containsExactly(0, 4);
  }
}
