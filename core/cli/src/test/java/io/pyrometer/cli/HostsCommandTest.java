package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.testbed.host.HostCheck;
import io.pyrometer.experiment.model.Host;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostsCommandTest {
  private static HostCheck check(String name, String... warnings) {
    Host host =
        new Host(
            name,
            List.of("ssh", name),
            Host.LOOPBACK,
            "/tmp",
            "java",
            Optional.empty(),
            Optional.empty());
    return new HostCheck(host, Map.of(), Optional.empty(), Map.of(), List.of(), List.of(warnings));
  }

  @Test
  void whatSeveralHostsHaveInCommonIsSaidOnce() {
    assertThat(
            HostsCommand.Check.warnings(
                List.of(
                    check("w1", "Host w1 may swap.", "The host 'w1' has a clock that is ahead."),
                    check("w2", "Host w2 may swap.", "Host w2 lets a process open 9 files."),
                    check("w3"))))
        .containsExactly(
            "The host 'w1' has a clock that is ahead.",
            "Each of w1 and w2 may swap.",
            "Host w2 lets a process open 9 files.");
  }
}
