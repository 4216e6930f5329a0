package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFactRules.Rule;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requirements that no treatment has by declaration are refused before a run. */
class RequireTest {
  private static final Vocabulary VOCABULARY =
      Catalogue.of(
              List.of(
                  new DriverDescription(
                      "two",
                      "Two",
                      "1",
                      "A driver of two kinds of paths.",
                      List.of("nodes", "attach"),
                      ServerDescription.NO_PORTS,
                      List.of(),
                      List.of(),
                      List.of(
                          PathDescription.write("many", Guarantee.OF_MANY, "Not atomic."),
                          PathDescription.write(
                              "mixed-up", new Guarantee(true, false, true, true), "Not ordered."),
                          new PathDescription(
                              "existing", Job.READ, false, "Reads.", Optional.empty(), List.of())),
                      List.of(),
                      new DataFactRules(
                          List.of(new Rule("Placement", "REPLICATED", List.of(), Map.of()))),
                      List.of(),
                      List.of())))
          .vocabulary(Set.of("two"));

  private static Optional<String> unmet(
      boolean attached, List<Requirement> required, String... paths) {
    List<Treatment> treatments =
        Stream.of(paths)
            .map(
                path ->
                    Settings.NONE
                        .with(CoreSettings.DRIVER.name(), "two")
                        .with(CoreSettings.PATH.name(), path)
                        .with(CoreSettings.NODES.name(), 1))
            .map(settings -> new Treatment(Map.of(), settings, Set.of(), ""))
            .toList();
    Optional<String> attach = attached ? Optional.of("h:1") : Optional.empty();
    Position nowhere = Position.of("");
    return new TreatmentRules(
            VOCABULARY,
            new Testbed(Optional.empty(), attach, List.of()),
            RecordShape.OF_EXISTING,
            (levels, setting) -> nowhere,
            nowhere)
        .unmet(required, treatments);
  }

  @Test
  void whatDependsOnAGridThatRunsAlreadyIsNotRefused() {
    List<Requirement> survives = List.of(Requirement.SURVIVES_ONE_SERVER);
    assertThat(unmet(false, survives, "many")).isNotEmpty();
    assertThat(unmet(true, survives, "many")).isEmpty();
    assertThat(unmet(true, List.of(Requirement.values()), "existing")).isEmpty();
  }
}
