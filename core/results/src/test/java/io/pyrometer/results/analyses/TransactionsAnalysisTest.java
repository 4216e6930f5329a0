package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionsAnalysisTest {
  private static final SettingDescription ISOLATION =
      MadeUpExperiment.choice("isolation", "Isolation.", "strict", "loose");

  private static final Catalogue BANK =
      Catalogue.of(
          List.of(
              MadeUpExperiment.grid(
                  "bank", List.of(path("transfer", true, ISOLATION), path("separate", false)))));

  private static final String FILE =
      MadeUpRun.file(
          "bank",
          "driver: bank",
          "record: stock-order",
          """
          factors:
            transaction:
              - {label: strict, set: {path: transfer, isolation: strict}}
              - {label: loose, set: {path: transfer, isolation: loose}}
              - {label: none, set: {path: separate}}
            accounts:
              - {label: few, set: {records: 10}}
              - {label: many, set: {records: 1000}}
          blocks: 3
          analyses: [transactions, ranking]
          """);

  @TempDir Path runs;

  private static PathDescription path(String name, boolean atomic, SettingDescription... settings) {
    return new PathDescription(
        name,
        Job.TRANSFER,
        atomic,
        "Transfers.",
        Optional.of(new Guarantee(true, true, true, atomic)),
        List.of(settings));
  }

  private List<RunAnalysis> of(BiConsumer<TrialSpec, Map<String, Metric>> metrics) {
    return MadeUpRun.analysis("transactions")
        .of(
            MadeUpRun.of(ExperimentReader.read(FILE, "bank.yaml", Path.of(""), BANK), BANK)
                .noise(0.001)
                .metrics(metrics)
                .load(runs, TransactionsAnalysisTest::speed));
  }

  /** Two records a transfer: without a transaction it is fastest, the loose one comes next. */
  private static double speed(TrialSpec trial) {
    return switch (String.valueOf(trial.levels().get("transaction"))) {
      case "strict" -> 2_000;
      case "loose" -> 4_000;
      default -> 6_000;
    };
  }

  private static boolean is(TrialSpec trial, String transaction, String accounts) {
    return transaction.equals(trial.levels().get("transaction"))
        && accounts.equals(trial.levels().get("accounts"));
  }

  private static void wrong(Map<String, Metric> metrics, int accounts) {
    metrics.put(Metric.WRONG_ACCOUNTS, Metric.lowerIsBetter(accounts, "accounts"));
    metrics.put(Metric.CREATED_MONEY, Metric.neutral(0, "units"));
    if (accounts > 0) {
      metrics.remove(Metric.THROUGHPUT);
    }
  }

  private static RunAnalysis part(List<RunAnalysis> parts, String of) {
    return parts.stream().filter(part -> part.of().equals(of)).findFirst().orElseThrow();
  }

  @Test
  void aKindThatLostAnUpdateOnceIsNamedAndNeverTheFastest() {
    List<RunAnalysis> parts =
        of(
            (trial, metrics) ->
                wrong(metrics, is(trial, "loose", "few") && trial.block() == 1 ? 3 : 0));
    assertThat(parts).extracting(RunAnalysis::of).containsExactlyInAnyOrder("few", "many");
    RunAnalysis few = part(parts, "few");
    assertThat(FoundBy.ids(few))
        .containsExactly("transactions.lost-updates", "transactions.only-one");
    assertThat(FoundBy.value(few.findings().get(0), "treatments")).isEqualTo("loose · few");
    assertThat(FoundBy.table(few).rows())
        .extracting(row -> row.get(0), row -> row.get(1))
        .contains(tuple("strict · few", "yes"), tuple("none · few", "no"));
    assertThat(FoundBy.table(few).rows())
        .filteredOn(row -> row.get(0).equals("loose · few"))
        .singleElement()
        .satisfies(row -> assertThat(row).contains("3", "1"));
  }

  @Test
  void theFastestIsNamedWhereNoBalanceIsWrong() {
    for (RunAnalysis part : of((trial, metrics) -> wrong(metrics, 0))) {
      assertThat(FoundBy.ids(part)).containsExactly("metric.best");
      assertThat(FoundBy.value(part.findings().get(0), "best")).startsWith("loose");
      assertThat(FoundBy.value(part.findings().get(0), "worse")).isEqualTo("1");
    }
  }

  @Test
  void whatLosesUpdatesOfFewAccountsIsNotRecommendedForMany() {
    RunAnalysis many =
        part(of((trial, metrics) -> wrong(metrics, is(trial, "loose", "few") ? 3 : 0)), "many");
    assertThat(FoundBy.ids(many)).containsExactly("transactions.only-one");
    assertThat(FoundBy.value(many.findings().get(0), "treatment")).isEqualTo("strict · many");
  }

  @Test
  void rollbacksAreToldByCause() {
    RunAnalysis few =
        part(
            of(
                (trial, metrics) -> {
                  wrong(metrics, 0);
                  double conflicts = is(trial, "strict", "few") ? 400 : 0;
                  metrics.put("events.rollbacks-conflict", Metric.lowerIsBetter(conflicts, ""));
                }),
            "few");
    assertThat(FoundBy.table(few).header()).contains("rollbacks: conflict");
    assertThat(FoundBy.table(few).rows())
        .filteredOn(row -> row.contains("400"))
        .extracting(row -> row.get(0))
        .containsExactly("strict · few");
  }

  @Test
  void whereEveryKindLosesUpdatesNoneIsRecommended() {
    assertThat(of((trial, metrics) -> wrong(metrics, 1)))
        .allSatisfy(
            part ->
                assertThat(FoundBy.ids(part))
                    .containsExactly("transactions.lost-updates", "transactions.none-right"));
  }
}
