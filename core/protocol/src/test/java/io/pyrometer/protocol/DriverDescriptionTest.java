package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.DataFactRules.Rule;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.DriverDescription.JvmFlags;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverDescriptionTest {
  private static final DriverDescription DRIVER = declaring(List.of());

  @Test
  void aJdkGetsTheFlagsOfItsVersionAndOfThoseBefore() {
    assertThat(DRIVER.jvmFlags(16)).isEmpty();
    assertThat(DRIVER.jvmFlags(17)).containsExactly("-a", "-b");
    assertThat(DRIVER.jvmFlags(23)).containsExactly("-a", "-b");
    assertThat(DRIVER.jvmFlags(25)).containsExactly("-a", "-b", "-c");
  }

  @Test
  void copiesFollowTheSettingThatTheProductHasForThem() {
    DriverDescription driver =
        declaring(
            List.of(
                setting("replicas", Type.INTEGER, 3),
                setting("mode", Type.CHOICE, "part", "part", "full")),
            new Rule("copies", "0", List.of(CoreSettings.NODES.name()), Map.of("mode", "full")),
            new Rule("copies", "0", List.of("replicas"), Map.of()),
            new Rule("Placement", "REPLICATED", List.of(), Map.of("mode", "full")),
            new Rule("Acknowledgement", "MAJORITY", List.of(), Map.of()));

    DataFacts usual = driver.data(Settings.NONE.with(CoreSettings.NODES, 5));
    assertThat(usual)
        .isEqualTo(
            new DataFacts(
                3,
                Placement.PARTITIONED,
                Acknowledgement.MAJORITY,
                Durability.MEMORY,
                Reads.PRIMARY));
    assertThat(usual.copies()).isEqualTo(3);
    DataFacts full = driver.data(Settings.NONE.with(CoreSettings.NODES, 5).with("mode", "full"));
    assertThat(full.copies()).isEqualTo(5);
    assertThat(full.placement()).isEqualTo(Placement.REPLICATED);
  }

  private static SettingDescription setting(
      String name, Type type, Object initial, String... choices) {
    return new SettingDescription(
        name,
        type,
        Scope.CACHE,
        Optional.of(initial),
        List.of(choices),
        Optional.empty(),
        Optional.empty(),
        "",
        SettingDescription.Traits.NONE);
  }

  @Test
  void factsAreTheSameAfterTheWayThroughADriversFile() throws Exception {
    DriverDescription driver =
        declaring(List.of(), new Rule("Durability", "DISK", List.of(), Map.of()));
    String json = Json.LINES.writeValueAsString(driver);
    assertThat(Json.LINES.readValue(json, DriverDescription.class)).isEqualTo(driver);
  }

  private static DriverDescription declaring(List<SettingDescription> settings, Rule... rules) {
    return new DriverDescription(
        "some",
        "Some product",
        "1",
        "A product.",
        List.of(),
        ServerDescription.NO_PORTS,
        List.of(new JvmFlags(17, List.of("-a", "-b")), new JvmFlags(24, List.of("-c"))),
        settings,
        List.of(),
        List.of(),
        new DataFactRules(List.of(rules)),
        List.of(),
        List.of());
  }
}
