package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Stages;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExperimentReaderTest {

  @Test
  void valuesComeInCanonicalUnits() {
    Settings settings =
        Fixture.of(
                "driver: rich, region: 64m, node-heap: 1g, backups: 2, cache-mode: replicated",
                "path: put, repeats: 30%, measure: 1500ms, warm-up: 1m, bytes: 2_000",
                "")
            .treatments()
            .base();
    assertThat(settings.values())
        .containsEntry("region", 64L << 20)
        .containsEntry("node-heap", 1L << 30)
        .containsEntry("backups", 2L)
        .containsEntry("cache-mode", "REPLICATED")
        .containsEntry("repeats", 0.3)
        .containsEntry("measure", 1.5)
        .containsEntry("warm-up", 60.0)
        .containsEntry("bytes", 2000L);
  }

  @Test
  void aMixIsAMapOrATextAndSizesMayDiffer() {
    Experiment experiment =
        Fixture.read(
            """
            pyrometer: 1
            name: mixes
            question: Which?
            grid: {driver: rich}
            workload:
              record:
                name: blob
                fields:
                  - {name: a, type: string, size: 100..1k}
                  - {name: b, type: bytes, size: {10: 90%, 1k..2k: 0.1}}
                  - {name: c, type: bytes, size: 20}
              path: mix
              mix: {get: 70%, put: 0.2, get-all: 10%}
            factors:
              batch: [10, 20]
            """);
    assertThat(experiment.treatments().base().get(PathSettings.MIX).byName())
        .containsExactly(entry("get", 0.7), entry("put", 0.2), entry("get-all", 0.1));
    assertThat(experiment.treatments().base().values())
        .containsEntry("mix", "get 70%, put 20%, get-all 10%");
    assertThat(experiment.record().fields())
        .extracting(FieldShape::size)
        .as("mean sizes")
        .containsExactly(562, 163, 20);
  }

  @Test
  void stagesSayTheRateAndTheMeasuredPart() {
    Experiment experiment =
        Fixture.withTail(
            """
            factors:
              path: [put, put-all]
              load:
                - label: steps
                  set: {stages: [{rate: 500, for: 30s}, {ramp-to: 2000, for: 1m}, {rate: 0.5, for: 500ms}]}
                - {label: constant, set: {rate: 100, measure: 5s}}
            """);
    Settings steps = experiment.treatments().factors().get(1).levels().get(0).settings();
    assertThat(steps.values())
        .containsEntry("stages", "500 for 30s, to 2000 for 60s, 0.5 for 0.5s")
        .containsEntry("rate", 500.0)
        .containsEntry("measure", 90.5);
    assertThat(steps.get(CoreSettings.STAGES).stages())
        .containsExactly(
            new Stages.Stage(500, 500, 30),
            new Stages.Stage(500, 2000, 60),
            new Stages.Stage(0.5, 0.5, 0.5));
  }

  @Test
  void whatAFileLeavesOutHasItsInitialValue() {
    Experiment experiment = Fixture.withTail("factors: {path: [put]}");
    assertThat(experiment.options().blocks()).isEqualTo(3);
    assertThat(experiment.options().seed()).isEqualTo(1);
    assertThat(experiment.options().analyses()).containsExactly("ranking");
    assertThat(experiment.treatments().design()).isEqualTo(new Design.Full());
  }

  @Test
  void aLevelIsAValueOrALabelledSetOfSettings() {
    Experiment experiment =
        Fixture.withTail("factors: {path: [put, {label: b, set: {path: put-all, batch: 100}}]}");
    Level put = new Level("put", new Settings(Map.of("path", "put")));
    Level batches = new Level("b", new Settings(Map.of("path", "put-all", "batch", 100L)));
    assertThat(experiment.treatments().factors())
        .containsExactly(new Factor("path", List.of(put, batches), Optional.empty()));
  }

  @Test
  void aFactorMayHaveARole() {
    Factor factor =
        Fixture.withTail("factors: {path: {role: condition, levels: [put, put-all]}}")
            .treatments()
            .factors()
            .get(0);
    assertThat(factor.role()).contains(Factor.Role.CONDITION);
    assertThat(factor.levels()).extracting(Level::label).containsExactly("put", "put-all");
  }

  @Test
  void whatIsRequiredIsProbedUnlessTheFileNamesItsProbes() {
    String require =
        "factors: {path: [put], backups: [0, 1]}\n"
            + "require: {stale-reads: none, survives: one-server}\n";
    Options options = Fixture.withTail(require).options();
    assertThat(options.require())
        .containsExactly(Requirement.NO_STALE_READS, Requirement.SURVIVES_ONE_SERVER);
    assertThat(options.probes()).containsExactly(ProbeKind.values());
    assertThat(Fixture.withTail(require + "probes: []").options().probes()).isEmpty();
  }

  @Test
  void requirementsThatDependOnAGridThatRunsAlreadyAreNotRefused() {
    String survives = "require: {survives: one-server}";
    String attached = "driver: rich, attach: 'h:1'";
    assertThatThrownBy(() -> Fixture.of("driver: rich, nodes: 1", "path: put", survives))
        .hasMessageContaining("'survives'");
    assertThat(Fixture.of(attached, "path: put", survives).require()).hasSize(1);
    String all =
        "require: {overwrites: true, ordered: true, durable: true, atomic: true,"
            + " stale-reads: none, survives: one-server}";
    assertThat(Fixture.of(attached, "path: existing-get, existing-cache: x", all).require())
        .containsExactly(Requirement.values());
  }

  @Test
  void recordsAreDeclaredInTheFile() {
    Experiment experiment =
        Fixture.read(
            """
            pyrometer: 1
            name: inline
            question: Which?
            grid: {driver: rich}
            workload:
              path: put
              record:
                name: Quote
                fields:
                  - {name: symbol, type: string, size: 6, cardinality: 50}
                  - {name: day, type: timestamp, min: 2020-01-01, max: 2020-01-02}
                  - {name: rest, type: bytes, filler: true}
            """);
    assertThat(experiment.record().name()).isEqualTo("Quote");
    assertThat(experiment.record().fields())
        .extracting(FieldShape::name)
        .containsExactly("symbol", "day", "rest");
    FieldShape day = experiment.record().fields().get(1);
    assertThat(day.most() - day.least()).isEqualTo(86_400_000.0);
  }

  @Test
  void pathsSettingsHoldOnlyForThePathsThatHeedThem() {
    Experiment experiment =
        Fixture.of("driver: rich", "batch: 77", "factors: {path: [put, put-all, put-all-async]}");
    List<TrialSpec> trials = Fixture.plan(experiment).groups().get(0).trials();
    for (TrialSpec trial : trials) {
      assertThat(trial.settings().has("batch")).isEqualTo(!trial.path().equals("put"));
    }
  }
}
