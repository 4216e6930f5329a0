package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.CoreSettings;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverridesTest {

  private static final Experiment EXPERIMENT =
      Fixture.withTail(
          """
          factors:
            path: [put, put-all, {label: put-all 100, set: {path: put-all, batch: 100}}]
            threads: [1, 4]
          """);

  @Test
  void aFactorKeepsTheLevelsNamedAndTakesFreshValuesOfItsSetting() {
    assertThat(labels(set("path=put,put-all 100"), 0)).containsExactly("put", "put-all 100");
    Experiment changed = set("threads=1..3,8");
    assertThat(labels(changed, 1)).containsExactly("1", "2", "3", "8");
    Level last = changed.treatments().factors().get(1).levels().get(3);
    assertThat(last.settings().get(CoreSettings.THREADS)).isEqualTo(8);
    assertThat(problem("threads=0..2")).contains("'threads'", "'0'");
  }

  @Test
  void aValueThatSetsAnotherSettingIsRefused() {
    assertThat(problem("agent-jvm-args=-Xint,node-jvm-args=-Xint"))
        .contains("'node-jvm-args'", "'agent-jvm-args'");
    assertThat(problem("agent-jvm-args=-Xint, threads=4")).contains("'threads'");
    Experiment changed = set("agent-jvm-args=-Dcolours=red,green=1");
    assertThat(changed.treatments().base().text("agent-jvm-args"))
        .isEqualTo("-Dcolours=red,green=1");
  }

  @Test
  void theFullLengthIsWhatTheFileSaysItIs() {
    Experiment shorter =
        Fixture.withTail(
            """
            factors: {path: [put], threads: [1, 4]}
            full: {set: {threads: 1..6, measure: 10m}, only: [how it ends.]}
            """);
    Experiment full = Overrides.atFullLength(shorter, Fixture.CATALOGUE);
    assertThat(labels(full, 1)).hasSize(6);
    assertThat(full.treatments().base().get(CoreSettings.MEASURE)).isEqualTo(600);
    assertThat(shorter.variants().onlyFull()).containsExactly("how it ends.");
    assertThat(full.variants()).isEqualTo(Variants.NONE);
    assertThatThrownBy(() -> Overrides.atFullLength(EXPERIMENT, Fixture.CATALOGUE))
        .isInstanceOf(ExperimentException.class);
  }

  @Test
  void aSettingThatEveryLevelOfAFactorSetsIsRefused() {
    String load =
        "factors: {path: [put], load: [{label: a, set: {threads: 1}}, {label: b, set: {%s}}]}";
    Experiment everyLevel = Fixture.withTail(load.formatted("threads: 4"));
    Experiment oneLevel = Fixture.withTail(load.formatted("records: 2000"));
    assertThat(problem(everyLevel, "threads=2")).contains("--set threads=2: ", "'load'");
    assertThat(Fixture.set(oneLevel, "threads=2").treatments().base().get(CoreSettings.THREADS))
        .isEqualTo(2);
  }

  @Test
  void quickMeansOneBlockAndShorterPhases() {
    Experiment quick =
        new Overrides(true, Optional.empty(), Optional.of(9L), List.of())
            .applyTo(EXPERIMENT, Fixture.CATALOGUE);
    assertThat(quick.options().blocks()).isEqualTo(1);
    assertThat(quick.options().seed()).isEqualTo(9);
    Plan plan = Fixture.plan(quick);
    assertThat(plan.estimatedSeconds()).isLessThan(Fixture.plan(EXPERIMENT).estimatedSeconds() / 3);
  }

  @Test
  void theTimeOfAPlanCountsEachProbeOnceForEveryTreatmentThatWrites() {
    Plan without = probing("[]", "[put, put-all, get]");
    Plan with = probing("[order, kill]", "[put, put-all, get]");
    Plan readingAlone = probing("[order, kill]", "[get, get-all]");
    assertThat(without.probeSeconds()).isZero();
    assertThat(readingAlone.probeSeconds()).isZero();
    assertThat(with.probeSeconds())
        .isEqualTo(2 * probing("[order, kill]", "[put, get]").probeSeconds())
        .isPositive();
    assertThat(with.estimatedSeconds() - without.estimatedSeconds())
        .isCloseTo(with.probeSeconds(), Offset.offset(1e-6));
  }

  private static Plan probing(String probes, String paths) {
    Experiment experiment =
        Fixture.withTail("factors: {path: %s}\nblocks: 3\nprobes: %s".formatted(paths, probes));
    return Fixture.plan(experiment);
  }

  @Test
  void quickKeepsWhatTheFileSaysAndTheCommandLineGoesBeforeIt() {
    Experiment experiment =
        Fixture.withTail(
            """
            factors:
              path: [put, put-all]
              threads: [1, 4, 8]
            quick: {threads: [1, 8], records: 500}
            """);
    Experiment quick =
        new Overrides(true, Optional.empty(), Optional.empty(), List.of("records=700"))
            .applyTo(experiment, Fixture.CATALOGUE);
    assertThat(labels(quick, 0)).containsExactly("put", "put-all");
    assertThat(labels(quick, 1)).containsExactly("1", "8");
    assertThat(quick.treatments().base().get(CoreSettings.RECORDS)).isEqualTo(700);
    assertThat(labels(Fixture.set(experiment), 1)).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"'', measure=8s", "quick: {measure: 8s},"})
  void timesThatAQuickRunIsGivenAreNotShortened(String inTheFile, String onTheCommandLine) {
    Experiment quick =
        new Overrides(
                true,
                Optional.empty(),
                Optional.empty(),
                Stream.ofNullable(onTheCommandLine).toList())
            .applyTo(Fixture.withTail("factors: {path: [put]}\n" + inTheFile), Fixture.CATALOGUE);
    assertThat(quick.treatments().base().get(CoreSettings.MEASURE)).isEqualTo(8);
    assertThat(quick.treatments().base().get(CoreSettings.WARM_UP)).isLessThan(2);
  }

  @Test
  void whatDoesNotExistIsNamedWithTheNearestThatDoes() {
    assertThat(problem("path=put-al")).contains("--set path=put-al: ", "'put-all'");
    assertThat(problem("recrods=5")).contains("--set recrods=5: ", "'records'");
    assertThat(problem("threads")).contains("--set threads: ");
    assertThat(problem("threads=many")).contains("--set threads=many: ", " 1 to 1024");
  }

  @Test
  void whatAChangeLeavesIsCheckedAsAWhole() {
    Experiment attached =
        Fixture.of(
            "driver: rich, attach: '127.0.0.1:47500'",
            "path: put-all",
            "factors: {batch: [100, 1000]}");
    assertThat(problem(attached, "nodes=2")).contains("--set nodes=2: ");
    assertThat(problem(attached, "path=put")).contains("--set path=put: ", "'batch'");
  }

  @Test
  void ofSeveralMistakesTheFirstIsNamed() {
    Experiment attached =
        Fixture.of("driver: rich, attach: '127.0.0.1:47500'", "path: put-all", "");
    String[] ofServers = {"persistence=on", "region=64m", "nodes=2", "node-heap=1g"};
    for (int first = 0; first < ofServers.length; first++) {
      Collections.rotate(Arrays.asList(ofServers), 1);
      assertThatThrownBy(() -> Fixture.set(attached, ofServers))
          .hasMessageContaining(": '" + ofServers[0].split("=", 2)[0] + "' belongs");
    }
  }

  @Test
  void aSettingOfAnAttachedGridIsRefusedWithoutOne() {
    assertThat(problem(EXPERIMENT, "jmx=127.0.0.1:9010")).contains("--set jmx=");
    String jmx = "driver: rich, jmx: '127.0.0.1:9010'";
    assertThatThrownBy(() -> Fixture.of(jmx, "path: put", "")).hasMessageContaining("'attach'");
    assertThat(Fixture.of(jmx + ", attach: '127.0.0.1:47500'", "path: put", "").testbed().attach())
        .isPresent();
  }

  private static Experiment set(String option) {
    return Fixture.set(EXPERIMENT, option);
  }

  private static String problem(String option) {
    return problem(EXPERIMENT, option);
  }

  private static String problem(Experiment experiment, String option) {
    return catchThrowableOfType(ExperimentException.class, () -> Fixture.set(experiment, option))
        .getMessage();
  }

  private static List<String> labels(Experiment experiment, int factor) {
    return List.copyOf(experiment.levels().values()).get(factor);
  }
}
