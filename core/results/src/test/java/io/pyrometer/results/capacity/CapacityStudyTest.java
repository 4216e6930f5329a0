package io.pyrometer.results.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans from made-up demands whose truth is known: 100 µs on the servers, 50 µs on the client. */
class CapacityStudyTest {
  private static final String NODES =
      """
      pyrometer: 1
      name: nodes
      question: How does it depend on the nodes?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      factors:
        nodes: [1, 2, 4]
      blocks: 3
      analyses: [scalability, demands]
      """;

  private static final double SERVER_MICROS = 100;

  @TempDir Path runs;

  private static void demands(TrialSpec trial, Map<String, Metric> metrics) {
    metrics.put(Metric.DEMAND_OF_CLIENTS + "cpu", Metric.lowerIsBetter(50, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "cpu", Metric.lowerIsBetter(SERVER_MICROS + 40, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "jit", Metric.neutral(40, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "bytes-out", Metric.neutral(1_000, "bytes"));
    metrics.put(Metric.MEMORY, Metric.lowerIsBetter(400, "bytes"));
  }

  private RunRecord run(boolean recorded) {
    MadeUpRun made = MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE);
    return RunRecord.load(
        (recorded ? made.metrics(CapacityStudyTest::demands) : made).write(runs, trial -> 1_000));
  }

  private static CapacityQuestion ask(double rate, boolean beyond) {
    return new CapacityQuestion(
        Optional.empty(),
        rate,
        Optional.empty(),
        2,
        10e9,
        100e-6,
        Optional.of(0),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        2,
        0,
        beyond);
  }

  private static String sentences(Page page) {
    return page.answer().stream().map(Finding::sentence).collect(Collectors.joining("\n"));
  }

  @Test
  void theNumberOfServersIsTheRateTimesTheDemandAtEightyPercent() {
    // 100,000/s × 100 µs = 10 CPUs, at 80 % of two CPUs each: 6.25.
    Page page = CapacityStudy.of(run(true), ask(100_000, false), "./pyrometer capacity");
    assertThat(sentences(page))
        .containsPattern("^7\\b.*CPU time of the servers decides")
        .containsPattern("the clients need (5|6\\.25)[^0-9.].* CPUs\\.")
        .contains("Ten times the rate takes more than 16 servers")
        .contains("If a server dies");
  }

  /** A server's demand grows by 30 % with each factor of e in the number of servers. */
  @Test
  void aDemandThatGoesOnGrowingBeyondTheMeasuredServersIsWithinTheInterval() {
    Random random = new Random(1);
    MadeUpRun made =
        MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE)
            .metrics(
                (trial, metrics) -> {
                  demands(trial, metrics);
                  double micros = demand(trial.settings().integer("nodes"));
                  metrics.put(
                      Metric.DEMAND_OF_SERVERS + "cpu",
                      Metric.lowerIsBetter(
                          40 + micros * Math.exp(0.01 * random.nextGaussian()), "µs"));
                });
    RunRecord run = RunRecord.load(made.write(runs, trial -> 1_000));
    double rate = 120_000;
    int truth = 1;
    while (rate * demand(truth) / 1e6 > 0.8 * 2 * truth) {
      truth++;
    }
    assertThat(truth).isGreaterThan(4);
    Matcher found =
        Pattern.compile("^(\\d+) \\[(\\d+), (\\d+)] servers")
            .matcher(sentences(CapacityStudy.of(run, ask(rate, false), "")));
    assertThat(found.find()).isTrue();
    assertThat(Integer.parseInt(found.group(3))).isBetween(truth, truth + 3);
    assertThat(Integer.parseInt(found.group(2))).isLessThanOrEqualTo(truth);
    assertThat(Integer.parseInt(found.group(1))).isLessThan(truth);
  }

  private static double demand(int servers) {
    return SERVER_MICROS * (1 + 0.3 * Math.log(servers));
  }

  @Test
  void thePageSaysThatLocksAndQueuesAreNotModelled() {
    assertThat(sentences(CapacityStudy.of(run(true), ask(10_000, false), "")))
        .contains("Locks and queues inside the product are not modelled.");
  }

  @Test
  void theIntervalOfTheBlocksIsWidenedToHoldTheValueOfAllBlocksTogether() {
    double[] blocks = {9.9, 10, 10.1};
    assertThat(PlanEstimates.around(10, blocks, "").low()).isBetween(9.7, 9.9);
    assertThat(PlanEstimates.around(10, blocks, "").high()).isBetween(10.1, 10.3);
    assertThat(PlanEstimates.around(12, blocks, "").high()).isEqualTo(12);
    assertThat(PlanEstimates.around(8, blocks, "").low()).isEqualTo(8);
  }

  @Test
  void anOpenLoopHasNoThroughputToCheck() {
    String open = NODES.replace("path: put", "path: put, rate: 500").replace("scalability, ", "");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(open), Fixture.CATALOGUE)
                .metrics(CapacityStudyTest::demands)
                .write(runs, trial -> 500));
    assertThat(sentences(CapacityStudy.of(run, ask(10_000, false), "")))
        .contains("leaving out each of 3 cells: no throughput of a closed loop could be checked");
  }

  /** 1,000 calls a second of 5 ms need 5 CPUs, and the machine has 2. */
  @Test
  void aRateBeyondTheMachineIsPredictedToUseAllItsCpuTimeAndNoMore() {
    String open = NODES.replace("path: put", "path: put, rate: 1000").replace("scalability, ", "");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(open), Fixture.CATALOGUE)
                .metrics(
                    (trial, metrics) -> {
                      demands(trial, metrics);
                      metrics.put(
                          Metric.DEMAND_OF_SERVERS + "cpu", Metric.lowerIsBetter(5_000, "µs"));
                    })
                .write(runs, trial -> 1_000));
    Table left = CrossValidation.of(MeasuredPath.of(run)).table().table();
    int cpu = left.header().indexOf("CPU predicted");
    assertThat(left.rows())
        .hasSize(3)
        .allSatisfy(row -> assertThat(row.get(cpu)).isEqualTo("100.0 %"));
  }

  @Test
  void disturbedTrialsAreCounted() {
    assertThat(sentences(CapacityStudy.of(run(true), ask(10_000, false), "")))
        .doesNotContain("disturbed");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE)
                .metrics(CapacityStudyTest::demands)
                .validity(
                    trial ->
                        trial.block() == 0
                            ? List.of(new Check(Check.OTHER_PROCESSES, 50, 10, "%", true))
                            : List.of())
                .write(runs, trial -> 1_000));
    assertThat(sentences(CapacityStudy.of(run, ask(10_000, false), "")))
        .contains("3 of the 9 trials behind these demands were disturbed by the machine");
  }

  @Test
  void aRunThatDidNotVaryTheServersIsRefused() {
    String one = NODES.replace("nodes: [1, 2, 4]", "threads: [1, 2]").replace("scalability, ", "");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(one), Fixture.CATALOGUE)
                .metrics(CapacityStudyTest::demands)
                .write(runs, trial -> 1_000));
    assertThatThrownBy(() -> CapacityStudy.of(run, ask(10_000, false), ""))
        .isInstanceOf(BadDataException.class)
        .hasMessage(
            "Every valid trial of put ran on 3 servers, so the run does not tell what more of them"
                + " change; run it again with --nodes 1..3.");
  }

  @Test
  void moreThanFourTimesTheMeasuredServersAreRefusedUnlessAskedForOnPaper() {
    RunRecord run = run(true);
    assertThatThrownBy(() -> CapacityStudy.of(run, ask(1_000_000, false), ""))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("the run measured up to 4: beyond 16 it is not predicted");
    assertThat(sentences(CapacityStudy.of(run, ask(1_000_000, true), "")))
        .contains("63")
        .contains("extrapolated from 4");
  }

  @Test
  void clientsThatDoNotSufficeAreTheLimit() {
    CapacityQuestion few = ask(100_000, false);
    CapacityQuestion withClients =
        new CapacityQuestion(
            few.path(),
            few.recordsPerSecond(),
            few.p99Seconds(),
            few.cpus(),
            few.linkBitsPerSecond(),
            few.roundTripSeconds(),
            few.backups(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(1),
            1,
            0,
            false);
    assertThatThrownBy(() -> CapacityStudy.of(run(true), withClients, ""))
        .hasMessageContaining("the clients are the limit");
  }

  @Test
  void aHotKeyIsTheLimit() {
    CapacityQuestion usual = ask(100_000, false);
    CapacityQuestion hot =
        new CapacityQuestion(
            usual.path(),
            usual.recordsPerSecond(),
            usual.p99Seconds(),
            usual.cpus(),
            usual.linkBitsPerSecond(),
            usual.roundTripSeconds(),
            usual.backups(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            2,
            0.1,
            false);
    assertThatThrownBy(() -> CapacityStudy.of(run(true), hot, ""))
        .hasMessageContaining("the hottest key is the limit");
  }

  @Test
  void aRunWithoutDemandsIsRefusedInOneSentence() {
    assertThatThrownBy(() -> CapacityStudy.of(run(false), ask(1_000, false), ""))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("no valid trial with service demands");
  }

  private Page clusterPage(String backups, String path) {
    String file = NODES.replace("driver: rich", "driver: rich, backups: " + backups);
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(
                    Fixture.read(file.replace("path: put", "path: " + path)), Fixture.CATALOGUE)
                .metrics(CapacityStudyTest::demands)
                .write(runs, trial -> 1_000));
    return RunReport.of(run).page();
  }

  private List<String> clusterCurve(String backups, String path) {
    return clusterPage(backups, path).answer().stream().map(Finding::sentence).toList();
  }

  private String clusterLead(String backups, String path) {
    return clusterPage(backups, path).sections().stream()
        .filter(section -> section.title().contains("Cluster curve: nodes with"))
        .map(Section::lead)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theClusterCurveGrowsWithTheNodesWhereTheDemandDoesNot() {
    assertThat(clusterCurve("0", "put"))
        .anyMatch(
            s ->
                s.contains("(cluster curve), 1 node could carry 20,000")
                    && s.contains("4 times as much with 4 times the nodes"))
        .anyMatch(s -> s.contains("a record costs the servers together 100"));
  }

  @Test
  void aNodeThatHasNoPlaceForABackupIsNoPointOfTheClusterCurveOfWrites() {
    assertThat(clusterCurve("1", "put"))
        .anyMatch(s -> s.contains("2 nodes could carry 40,000") && s.contains("2 times as much"));
    assertThat(clusterLead("1", "put")).contains("Fewer than 2 nodes cannot keep every copy");
  }

  @Test
  void readsNeedNoBackupSoThatOneNodeIsAPoint() {
    assertThat(clusterCurve("1", "get")).anyMatch(s -> s.contains("1 node could carry 20,000"));
    assertThat(clusterLead("1", "get")).doesNotContain("cannot keep every copy");
  }

  /** The page of a run whose servers of 4 nodes compile and idle for so many µs a record. */
  private List<String> clusterCurveAtFour(double compiling, double idle) {
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(NODES), Fixture.CATALOGUE)
                .metrics(
                    (trial, metrics) -> {
                      demands(trial, metrics);
                      double jit = trial.settings().integer("nodes") == 4 ? compiling : 0;
                      metrics.put(
                          Metric.DEMAND_OF_SERVERS + "cpu",
                          Metric.lowerIsBetter(SERVER_MICROS + jit, "µs"));
                      metrics.put(Metric.DEMAND_OF_SERVERS + "jit", Metric.neutral(jit, "µs"));
                      // ms/s of one of four servers at 1,000 records/s.
                      metrics.put(Metric.IDLE_SERVER, Metric.neutral(idle / 4, "ms/s"));
                    })
                .write(runs, trial -> 1_000));
    return RunReport.of(run).page().answer().stream().map(Finding::sentence).toList();
  }

  @Test
  void aPointOfTheClusterCurveMadeOfCompilersIsRefused() {
    assertThat(clusterCurveAtFour(101, 0))
        .anyMatch(s -> s.contains("no point at 4 nodes (50.2 %): JIT compilers and idle work"))
        .anyMatch(s -> s.contains("and 2 could carry 40,000"))
        .noneMatch(s -> s.contains("and 4 could carry 80,000"));
    assertThat(clusterCurveAtFour(99, 0))
        .noneMatch(s -> s.contains("has no point"))
        .anyMatch(s -> s.contains("and 4 could carry 80,000"));
  }

  @Test
  void idleWorkCountsWithTheCompilers() {
    assertThat(clusterCurveAtFour(0, 49)).noneMatch(s -> s.contains("has no point"));
    assertThat(clusterCurveAtFour(20, 0)).noneMatch(s -> s.contains("has no point"));
    assertThat(clusterCurveAtFour(20, 49)).anyMatch(s -> s.contains("no point at 4 nodes (57"));
  }

  private static CrossValidation predicted(double... ratios) {
    return new CrossValidation(
        Arrays.stream(ratios)
            .mapToObj(
                ratio ->
                    new CrossValidation.Check(
                        "put", "cell", 1_000, Optional.of(ratio), Optional.empty(), 0.5))
            .toList());
  }

  @Test
  void aModelThatMostOfItsCellsContradictIsRefuted() {
    assertThat(predicted(1, 1.1, 0.4).refuted()).isFalse();
    assertThat(predicted(1, 1.1, 0.4).holds()).isFalse();
    assertThat(predicted(1, 2.9, 0.4).refuted()).isTrue();
    assertThat(predicted().refuted()).isFalse();
  }
}
