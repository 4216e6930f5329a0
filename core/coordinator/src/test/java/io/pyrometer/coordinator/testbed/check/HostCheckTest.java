package io.pyrometer.coordinator.testbed.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.testbed.host.HostState;
import io.pyrometer.experiment.model.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCheckTest {
  @TempDir Path folder;

  private Host host(String name, String command, String address) {
    return new Host(
        name,
        List.of("sh", "-c", command, "reach"),
        address,
        folder.toString(),
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        Optional.empty(),
        Optional.empty());
  }

  private Host near(String name) {
    return host(name, "exec \"$@\"", Host.LOOPBACK);
  }

  @Test
  void allHostsAreCheckedAndEachThatRefusesSaysWhy() {
    List<HostCheck> checks =
        HostCheck.of(
            List.of(
                near("a"),
                near("b"),
                host("far", "echo 'Permission denied (publickey).' >&2; exit 255", Host.LOOPBACK)));
    for (HostCheck check : checks.subList(0, 2)) {
      assertThat(check.errors()).isEmpty();
      HostState state = check.state().orElseThrow();
      assertThat(state.java().orElseThrow()).contains("version");
      assertThat(state.freeBytes().orElseThrow()).isPositive();
      HostState.Clock clock = state.clock().orElseThrow();
      assertThat(clock.ahead())
          .as("one machine has one clock")
          .isCloseTo(0, within(clock.error() + 0.01));
    }
    assertThat(checks.get(2).errors())
        .singleElement()
        .asString()
        .contains("'far'", "Permission denied (publickey).");
    assertThat(folder).as("nothing is left behind").isEmptyDirectory();
  }

  /** Sent to the host with another address than the others are told, nothing is reached. */
  @Test
  void aHostThatOthersDoNotReachIsAnError() {
    String elsewhere = "set -- $(printf '%s ' \"$@\" | sed 's/127.0.0.3/127.0.0.4/'); exec \"$@\"";
    List<HostCheck> checks =
        HostCheck.of(List.of(near("near"), host("cut", elsewhere, "127.0.0.3")));
    assertThat(checks.get(0).errors()).isEmpty();
    assertThat(checks.get(1).errors())
        .singleElement()
        .asString()
        .contains("near", "'cut'", "127.0.0.3");
  }
}
