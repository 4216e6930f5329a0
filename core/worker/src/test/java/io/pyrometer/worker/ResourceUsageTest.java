package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ResourceUsageTest {

  @Test
  @Timeout(60)
  @EnabledOnOs(OS.LINUX)
  void theWorkOfANativeServerIsChargedToItAndTheSupervisorsIsNot() throws Exception {
    Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      Answer.Used before = ResourceUsage.of(List.of(busy.pid()));
      Answer.Used used = before;
      while (used.cpuSeconds() < 0.05) {
        Thread.sleep(20);
        used = ResourceUsage.of(List.of(busy.pid()));
      }
      Answer.Used own = ResourceUsage.of(List.of());
      assertThat(used.supervisorSeconds()).isPositive().isNotEqualTo(used.cpuSeconds());
      assertThat(own.supervisorSeconds()).isZero();
      assertThat(ResourceUsage.cpuSeconds(List.of(busy.pid())))
          .isGreaterThanOrEqualTo(used.cpuSeconds());
      assertThat(ResourceUsage.cpuSeconds(List.of()))
          .isGreaterThanOrEqualTo(own.cpuSeconds() - 0.02);
      assertThat(own.cpuSeconds()).isGreaterThanOrEqualTo(used.supervisorSeconds());
      assertThat(used.residentBytes()).isPositive().isLessThan(own.residentBytes());
      assertThat(used.gcSeconds()).isZero();
      assertThat(used.threadAllocatedBytes()).isZero();
      assertThat(used.cpusAllowed()).isEqualTo(own.cpusAllowed());
      assertThat(used.since(before).cpuSeconds())
          .isEqualTo(
              used.userSeconds()
                  - before.userSeconds()
                  + (used.systemSeconds() - before.systemSeconds()));
    } finally {
      busy.destroyForcibly();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void severalProcessesAreAddedUpAndOneThatIsGoneIsNothing() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    long own = ProcessHandle.current().pid();
    Answer.Used once = ResourceUsage.of(List.of(own, gone.pid()));
    Answer.Used twice = ResourceUsage.of(List.of(own, own));
    assertThat(once.residentBytes()).isPositive();
    assertThat(twice.residentBytes()).isGreaterThan(once.residentBytes());
    assertThat(ResourceUsage.of(List.of(gone.pid())).cpuSeconds()).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aWatchedServerIsChargedWithItsOwnWorkAloneAndOneThatEndedIsASentence() throws Exception {
    Answer.Used used = ResourceUsage.ofServer(ProcessHandle.current().pid());
    assertThat(used.cpuSeconds()).isPositive();
    assertThat(used.upSeconds()).isPositive();
    assertThat(used.supervisorSeconds()).as("this worker is no part of it").isZero();
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    assertThatThrownBy(() -> ResourceUsage.ofServer(gone.pid()))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("" + gone.pid());
  }
}
