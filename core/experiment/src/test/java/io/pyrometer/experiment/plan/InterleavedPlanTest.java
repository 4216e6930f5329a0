package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class InterleavedPlanTest {
  private static final String TEXT =
      """
      pyrometer: 1
      name: made-up
      question: Which?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all], backups: [0, 1]}
      blocks: 6
      """;

  private static Experiment experiment(String... set) {
    return Fixture.set(Fixture.read(TEXT), set);
  }

  @Test
  void everyBlockHasEachTreatmentOfBothVersionsOnProcessesOfTheirOwn() {
    Plan plan = InterleavedPlan.of(experiment(), experiment("records=2000"), Fixture.CATALOGUE);
    assertThat(plan.experiment().name()).isEqualTo("compare-made-up");
    assertThat(plan.trials()).hasSize(6 * 2 * 4);
    assertThat(plan.trials()).extracting(TrialSpec::id).doesNotHaveDuplicates();
    assertThat(plan.trials().stream().map(TrialSpec::ordinal).toList()).isSorted();
    for (Group group : plan.groups()) {
      assertThat(group.trials().stream().map(t -> t.levels().get("version")).distinct()).hasSize(1);
    }
    Map<String, List<TrialSpec>> versions =
        plan.trials().stream().collect(Collectors.groupingBy(t -> t.levels().get("version")));
    assertThat(versions.get("A")).hasSize(24).allMatch(t -> t.settings().number("records") == 1000);
    assertThat(versions.get("B")).hasSize(24).allMatch(t -> t.settings().number("records") == 2000);
  }

  @Test
  void theVersionsAlternateAndWhichComesFirstVaries() {
    Plan plan = InterleavedPlan.of(experiment(), experiment(), Fixture.CATALOGUE);
    List<String> order =
        plan.groups().stream().map(g -> g.trials().get(0).levels().get("version")).toList();
    Set<List<String>> turns = new HashSet<>();
    for (int i = 0; i < order.size(); i += 2) {
      assertThat(order.subList(i, i + 2)).containsExactlyInAnyOrder("A", "B");
      turns.add(order.subList(i, i + 2));
    }
    assertThat(turns).hasSize(2);
    assertThat(InterleavedPlan.of(experiment(), experiment(), Fixture.CATALOGUE).trials())
        .isEqualTo(plan.trials());
  }

  @Test
  void whatCannotBeComparedIsRefusedInASentence() {
    assertThatThrownBy(
            () -> InterleavedPlan.of(experiment(), experiment("backups=1"), Fixture.CATALOGUE))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("'put");
    Experiment other =
        Fixture.read(
            TEXT.replace(
                "backups: [0, 1]",
                "version: [{label: x, set: {backups: 0}}, {label: y, set: {backups: 1}}]"));
    assertThatThrownBy(() -> InterleavedPlan.of(other, other, Fixture.CATALOGUE))
        .hasMessageContaining("'version'");
  }
}
