package io.pyrometer.experiment.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesignTest {

  /** The published 2^(6−2) design: E=AB, F=CD (published-factorial.csv). */
  @Test
  void aFractionKeepsTheRowsWhoseGeneratedFactorsFollow() {
    Plan plan =
        plan(
            """
            factors:
              nodes: [2, 4]
              backups: [0, 1]
              cache-mode: [REPLICATED, PARTITIONED]
              persistence: [true, false]
              region: [512m, 2048m]
              threads: [1, 2]
            design: {fraction: [E=AB, F=CD]}
            blocks: 1
            """);
    assertThat(plan.trials()).hasSize(16);
    for (TrialSpec trial : plan.trials()) {
      int a = sign(trial, "nodes", "4");
      int b = sign(trial, "backups", "1");
      int c = sign(trial, "cache-mode", "PARTITIONED");
      int d = sign(trial, "persistence", "false");
      assertThat(sign(trial, "region", "2048m")).isEqualTo(a * b);
      assertThat(sign(trial, "threads", "2")).isEqualTo(c * d);
    }
  }

  @Test
  void aFoldoverJoinsEveryTreatmentAndItsMirror() {
    Plan plan =
        plan(
            """
            factors: {nodes: [1, 2], backups: [0, 1], threads: [1, 2]}
            design: {fraction: [C=AB], foldover: true}
            blocks: 1
            """);
    assertThat(plan.trials()).extracting(TrialSpec::levels).doesNotHaveDuplicates().hasSize(8);
  }

  @Test
  void aDesignAskedForByWhatMustStayClearHasItsRunsAndKeepsThatClear() {
    Plan plan =
        plan(
            """
            factors:
              nodes: [2, 4]
              backups: [0, 1]
              cache-mode: [REPLICATED, PARTITIONED]
              persistence: [true, false]
              region: [512m, 2048m]
              threads: [1, 2]
            design: {clear: [BC], runs: 16}
            blocks: 1
            """);
    assertThat(plan.trials()).hasSize(16);
    List<String> others = List.of("nodes", "persistence", "region", "threads");
    List<String> high = List.of("4", "false", "2048m", "2");
    for (int i = 0; i < others.size(); i++) {
      int at = i;
      int together =
          plan.trials().stream()
              .mapToInt(
                  trial ->
                      sign(trial, "backups", "1")
                          * sign(trial, "cache-mode", "PARTITIONED")
                          * sign(trial, others.get(at), high.get(at)))
              .sum();
      assertThat(together).as("BC against %s", others.get(i)).isZero();
    }
  }

  @Test
  void aNumberOfRunsAloneGivesTheFractionOfTheCatalogue() {
    Plan plan =
        plan(
            """
            factors: {nodes: [2, 4], backups: [0, 1], persistence: [true, false], threads: [1, 2]}
            design: {runs: 8}
            blocks: 1
            """);
    assertThat(plan.trials()).hasSize(8);
    assertThat(plan.trials())
        .as("D=ABC")
        .allSatisfy(
            trial ->
                assertThat(
                        sign(trial, "nodes", "4")
                            * sign(trial, "backups", "1")
                            * sign(trial, "persistence", "false"))
                    .isEqualTo(sign(trial, "threads", "2")));
  }

  @Test
  void threadsCanGrowWithTheNodes() {
    Plan plan = plan("factors: {nodes: [1, 3]}\nblocks: 1\n", "path: put, threads-per-node: 2");
    assertThat(plan.trials())
        .allSatisfy(
            trial ->
                assertThat(trial.settings().number("threads"))
                    .isEqualTo(2 * trial.settings().number("nodes")));
  }

  @Test
  void oneAtATimeVariesEachFactorFromTheFirstLevels() {
    Plan plan =
        plan(
            """
            factors: {path: [put, put-all], threads: [1, 2, 3], nodes: [1, 2]}
            design: one-at-a-time
            blocks: 1
            """,
            "");
    assertThat(plan.trials())
        .extracting(TrialSpec::levels)
        .containsExactlyInAnyOrder(
            Map.of("path", "put", "threads", "1", "nodes", "1"),
            Map.of("path", "put-all", "threads", "1", "nodes", "1"),
            Map.of("path", "put", "threads", "2", "nodes", "1"),
            Map.of("path", "put", "threads", "3", "nodes", "1"),
            Map.of("path", "put", "threads", "1", "nodes", "2"));
    assertThat(plan.groups()).hasSize(2);
  }

  @Test
  void sweepsStartFromEachCaseAndPassOverWhatTheCaseAlreadyIs() {
    Plan plan =
        plan(
            """
            cases:
              slow: {path: put-all, batch: 100, backups: 2}
              fast: {path: put-all, batch: 1000, backups: 0}
            factors: {backups: [0, 1], batch: [100, 5000]}
            design: one-at-a-time
            blocks: 1
            """,
            "");
    List<Map<String, String>> levels = plan.trials().stream().map(TrialSpec::levels).toList();
    assertThat(levels)
        .containsExactlyInAnyOrder(
            Map.of("case", "slow", "backups", "(as the case)", "batch", "100"),
            Map.of("case", "slow", "backups", "0", "batch", "100"),
            Map.of("case", "slow", "backups", "1", "batch", "100"),
            Map.of("case", "slow", "backups", "(as the case)", "batch", "5000"),
            Map.of("case", "fast", "backups", "0", "batch", "(as the case)"),
            Map.of("case", "fast", "backups", "1", "batch", "(as the case)"),
            Map.of("case", "fast", "backups", "0", "batch", "100"),
            Map.of("case", "fast", "backups", "0", "batch", "5000"));
    assertThat(plan.trials().stream().map(Labels::of))
        .as("a treatment is called by its case and what differs from it")
        .containsExactlyInAnyOrder(
            "slow",
            "slow · backups 0",
            "slow · backups 1",
            "slow · batch 5000",
            "fast",
            "fast · backups 1",
            "fast · batch 100",
            "fast · batch 5000");
  }

  @Test
  void anAttachedGridHasNoNodesOfOurs() {
    Plan plan =
        Fixture.plan(
            Fixture.of(
                "driver: rich, attach: '127.0.0.1:47500, 127.0.0.1:47501'", "path: put", ""));
    assertThat(plan.experiment().testbed().attach()).contains("127.0.0.1:47500,127.0.0.1:47501");
    assertThat(plan.groups().get(0).process().integer("nodes")).isZero();
  }

  private static int sign(TrialSpec trial, String factor, String plus) {
    return plus.equals(trial.levels().get(factor)) ? 1 : -1;
  }

  private static Plan plan(String tail) {
    return plan(tail, "path: put");
  }

  private static Plan plan(String tail, String workload) {
    return Fixture.plan(Fixture.of("driver: rich", workload, tail));
  }
}
