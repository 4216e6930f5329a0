package io.pyrometer.coordinator.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.MachineReading;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpusTest {

  @Test
  void aListIsReadAsTheKernelWritesIt() {
    assertThat(MachineReading.processors("\t0-2,5,7-8")).containsExactly(0, 1, 2, 5, 7, 8);
    assertThat(MachineReading.processors("")).isEmpty();
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
