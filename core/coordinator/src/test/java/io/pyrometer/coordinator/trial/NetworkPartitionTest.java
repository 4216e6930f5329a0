package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkPartitionTest {
  private static final Settings FROM_2_TO_5 = Settings.NONE.with("cut-after", 2).with("cut-for", 3);

  @TempDir Path folder;

  private static Host host(String name, String cut, String heal) {
    return FakeRun.severable(name, List.of("sh", "-c", cut), List.of("sh", "-c", heal));
  }

  private Host logged(String name) {
    return host(name, log("cut " + name), log("heal " + name));
  }

  private String log(String what) {
    return "echo %s >> %s".formatted(what, folder.resolve("log"));
  }

  private List<String> done() throws IOException {
    Path log = folder.resolve("log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  @Test
  void hostsAreCutAndHealedOnceWhenTheTimeHasCome() throws IOException {
    List<Host> hosts = List.of(logged("east"), Host.LOCAL, logged("west"));
    try (NetworkPartition partition = NetworkPartition.of(FROM_2_TO_5, hosts)) {
      assertThat(partition.names()).containsExactly("east", "west");
      partition.at(0);
      partition.at(1.9);
      assertThat(done()).isEmpty();
      partition.at(2);
      partition.at(3);
      partition.at(4.9);
      assertThat(done()).containsExactly("cut east", "cut west");
      partition.at(5);
      partition.at(6);
    }
    assertThat(done()).containsExactly("cut east", "cut west", "heal east", "heal west");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sh", "/no/such/sh"})
  void aHostThatCannotBeCutIsNamedAndAllAreHealed(String shell) throws IOException {
    Host broken =
        FakeRun.severable(
            "broken", List.of(shell, "-c", "exit 1"), List.of("sh", "-c", log("heal broken")));
    List<Host> hosts = List.of(logged("east"), broken);
    assertThatThrownBy(
            () -> {
              try (NetworkPartition partition = NetworkPartition.of(FROM_2_TO_5, hosts)) {
                partition.at(2);
              }
            })
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("'broken'");
    assertThat(done()).containsExactly("cut east", "heal east", "heal broken");
  }

  @Test
  void aHostThatCannotBeHealedDoesNotKeepTheOthersCutOff() throws IOException {
    Host stuck = host("stuck", log("cut stuck"), "exit 1");
    NetworkPartition partition = NetworkPartition.of(FROM_2_TO_5, List.of(stuck, logged("east")));
    partition.at(2);
    assertThatThrownBy(partition::close).hasMessageContaining("'stuck'");
    assertThat(done()).containsExactly("cut stuck", "cut east", "heal east");
    partition.close();
    assertThat(done()).as("once").hasSize(3);
  }

  @Test
  void onlyATrialThatAsksForItCutsAndThenSomeHostMustBeCuttable() throws IOException {
    for (Settings none : List.of(Settings.NONE, FROM_2_TO_5.with("cut-for", 0))) {
      try (NetworkPartition partition = NetworkPartition.of(none, List.of(logged("east")))) {
        partition.at(100);
        assertThat(partition.names()).isEmpty();
      }
    }
    assertThat(done()).isEmpty();
    assertThatThrownBy(() -> NetworkPartition.of(FROM_2_TO_5, List.of(Host.LOCAL)))
        .isInstanceOf(WorkerException.class);
  }
}
