package io.pyrometer.experiment.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DesignTest {

  private static final Map<String, String> HIGH =
      Map.of(
          "nodes", "4",
          "backups", "1",
          "cache-mode", "PARTITIONED",
          "persistence", "false",
          "region", "2048m",
          "threads", "2");

  /**
   * The published 2^(6−2) design, E=AB, F=CD; one by what must stay clear; that of the catalogue,
   * E=ABC, F=ABD. The products of the words' columns add up to the sum.
   */
  @ParameterizedTest
  @CsvSource({
    "'fraction: [E=AB, F=CD]', ABE CDF, 16",
    "'clear: [BC], runs: 16', BCA BCD BCE BCF, 0",
    "runs: 16, ABCE ABDF, 16"
  })
  void aFractionOfSixFactorsHasTheRunsThatItsWordsAskFor(String design, String words, int sum) {
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
            design: {%s}
            blocks: 1
            """
                .formatted(design));
    assertThat(plan.trials()).hasSize(16);
    List<String> factors = List.copyOf(plan.experiment().levels().keySet());
    for (String word : words.split(" ")) {
      int products =
          plan.trials().stream()
              .mapToInt(
                  trial ->
                      word.chars()
                          .map(letter -> sign(trial, factors.get(letter - 'A')))
                          .reduce(1, (a, b) -> a * b))
              .sum();
      assertThat(products).as(word).isEqualTo(sum);
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

  private static int sign(TrialSpec trial, String factor) {
    return HIGH.get(factor).equals(trial.levels().get(factor)) ? 1 : -1;
  }

  private static Plan plan(String tail) {
    return plan(tail, "path: put");
  }

  private static Plan plan(String tail, String workload) {
    return Fixture.plan(Fixture.of("driver: rich", workload, tail));
  }
}
