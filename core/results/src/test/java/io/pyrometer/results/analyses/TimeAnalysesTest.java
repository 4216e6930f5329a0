package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each analysis of trials over time, on planted curves. */
class TimeAnalysesTest {
  @TempDir Path runs;

  @Nested
  class CompilationTests {
    private static final String FILE =
        MadeUpRun.file(
            "cold",
            "driver: rich",
            "record: stock-order, records: 1000, path: put",
            "blocks: 1\nanalyses: [compilation]\n");

    private static final int SECONDS = 100;

    /**
     * @param rate records in a tenth of each second
     * @param share of the CPU time of two processes that compilers use in each second
     */
    private RunAnalysis analysed(IntToDoubleFunction rate, IntToDoubleFunction share, int position)
        throws IOException {
      List<Long> samples = new ArrayList<>(List.of(0L));
      for (int tenth = 0; tenth < 10 * SECONDS; tenth++) {
        samples.add(Math.round(rate.applyAsDouble(tenth / 10)));
      }
      RunFolder folder = MadeUpRun.read(FILE).timeline(samples).write(runs, trial -> 1000);
      List<Interval> cpu = new ArrayList<>();
      for (String process : List.of("agent-0", "node-0")) {
        for (int second = 0; second < SECONDS; second++) {
          double used = process.startsWith("node") ? 0.9 : 0.3;
          cpu.add(new Interval(second, second + 1, process, What.USED, used, Optional.empty()));
          double compiled = used * share.applyAsDouble(second);
          cpu.add(
              new Interval(second, second + 1, process, What.COMPILED, compiled, Optional.empty()));
        }
      }
      JsonLines.write(folder.file("cpu.jsonl"), cpu);
      RunRecord run =
          MadeUpRun.changed(
              folder,
              trial ->
                  MadeUpRun.with(
                      trial.madeOn(new TrialRecord.ProcessStart(1, position)),
                      List.of(new Artefact(CpuLog.KIND, "", "cpu.jsonl"))));
      return MadeUpRun.analysis("compilation").of(run).get(0);
    }

    @Test
    void theRiseAndTheSharesAreThoseOfTheTrial() throws IOException {
      RunAnalysis analysis = analysed(s -> s < 40 ? 50 : 100, s -> s < 40 ? 0.6 : 0.02, 1);
      Finding level = analysis.findings().get(0);
      assertThat(level.id()).isEqualTo("compilation.level");
      assertThat(FoundBy.value(level, "seconds")).isEqualTo("40 s");
      assertThat(FoundBy.value(level, "jit")).isEqualTo("60 %");
    }

    @Test
    void throughputThatRisesUntilTheEndHasNoLevel() throws IOException {
      Finding rising = analysed(s -> 1 + s * s, s -> 0.5, 1).findings().get(0);
      assertThat(rising.id()).isEqualTo("compilation.rising");
      assertThat(FoundBy.value(rising, "jit")).isEqualTo("50 %");
    }

    @Test
    void aRepeatOnTheSameProcessesIsNoColdStart() throws IOException {
      assertThat(FoundBy.ids(analysed(s -> 100, s -> 0.02, 2)))
          .containsExactly("compilation.no-trial");
    }
  }

  @Nested
  class StagesTests {
    private static final String FILE =
        """
        pyrometer: 1
        name: stages
        question: What is the latency at each rate?
        grid: {driver: rich}
        workload:
          record: stock-order
          records: 1000
          path: put
          stages: [{rate: 1000, for: 3s}, {ramp-to: 3000, for: 2s}, {rate: 500, for: 2s}]
        factors: {backups: [0]}
        blocks: 2
        """;

    private static final long BEGUN = 1_700_000_000_000L;
    private static final int[] CALLS = {1_000, 1_000, 1_000, 1_000, 2_000, 500, 500};
    private static final int[] MILLIS = {1, 1, 1, 20, 20, 30, 30};

    private RunAnalysis analysed() throws Exception {
      RunFolder folder = MadeUpRun.read(FILE).write(runs, trial -> 1000);
      List<Histogram> seconds = new ArrayList<>();
      for (int second = 0; second < CALLS.length; second++) {
        seconds.add(MadeUpRun.second("put", BEGUN, second));
        seconds.get(second).recordValueWithCount(1_000_000L * MILLIS[second], CALLS[second]);
      }
      for (TrialRecord trial : folder.trials()) {
        MadeUpRun.log(folder.histogram(trial.id(), 1), BEGUN, seconds);
      }
      RunRecord run = RunRecord.load(folder);
      assertThat(OfferedRate.of(run.counting().get(0))).as("mean rate").isEqualTo(8_000.0 / 7);
      assertThat(MadeUpRun.analysis("stages").always(run)).isTrue();
      return MadeUpRun.analysis("stages").of(run).get(0);
    }

    @Test
    void eachStageHasTheCallsThatEndedInItAndItsPercentiles() throws Exception {
      List<List<String>> rows =
          analysed().result().sections().get(0).figures().get(0).table().rows();
      assertThat(rows).hasSize(3);
      assertThat(rows.get(0)).contains("1,000/s", "0–3", "put", "6000", "100");
      assertThat(rows.get(1)).contains("1,000 → 3,000/s", "3–5", "6000", "75");
      assertThat(rows.get(1).toString()).contains("20");
      assertThat(rows.get(2)).contains("500/s", "5–7", "2000", "100");
    }

    @Test
    void anOverloadedStageIsNamedBeforeALaterOneOfAHigherLatency() throws Exception {
      Finding finding = analysed().findings().get(0);
      assertThat(finding.id()).isEqualTo("stages.overloaded");
      assertThat(FoundBy.value(finding, "rate")).isEqualTo("1,000 → 3,000/s");
      assertThat(FoundBy.value(finding, "completed")).isEqualTo("75 %");
    }
  }

  @Nested
  class TrendTests {
    private static final String FILE =
        MadeUpRun.file(
            "trend",
            "driver: rich",
            "record: stock-order, records: 1000, path: put",
            "blocks: 1\nanalyses: [trend, ranking]\n");

    private static final long BEGUN = 1_700_000_000_000L;

    private final Random random = new Random(3);

    private RunAnalysis analysed(
        int blocks, int seconds, IntUnaryOperator calls, IntToDoubleFunction micros)
        throws Exception {
      RunFolder folder =
          MadeUpRun.read(FILE.replace("blocks: 1", "blocks: " + blocks)).write(runs, trial -> 1000);
      for (TrialRecord trial : folder.trials()) {
        log(folder.histogram(trial.id(), 1), seconds, calls, micros);
      }
      return MadeUpRun.analysis("trend").of(RunRecord.load(folder)).get(0);
    }

    /** As a trial writes it: a second in which no call ended has no line. */
    private void log(Path log, int seconds, IntUnaryOperator calls, IntToDoubleFunction micros)
        throws IOException {
      List<Histogram> histograms = new ArrayList<>();
      for (int second = 0; second < seconds; second++) {
        Histogram histogram = MadeUpRun.second("call", BEGUN, second);
        for (int call = 0; call < calls.applyAsInt(second); call++) {
          double noise = Math.exp(0.3 * random.nextGaussian());
          histogram.recordValue((long) (1e3 * micros.applyAsDouble(second) * noise));
        }
        if (histogram.getTotalCount() > 0) {
          histograms.add(histogram);
        }
      }
      MadeUpRun.log(log, BEGUN, histograms);
    }

    private static List<List<String>> rows(RunAnalysis analysis) {
      return FoundBy.table(analysis).rows();
    }

    @Test
    void aSlowLossOfThroughputAndARiseOfP99AreFoundWithTheirSize() throws Exception {
      RunAnalysis analysis =
          analysed(
              1,
              120,
              second -> (int) (1_000 * (1 - 0.2 * second / 119)) + random.nextInt(40),
              second -> 100 * (1 + 0.5 * second / 119));
      assertThat(rows(analysis)).hasSize(2).allMatch(row -> row.get(2).equals("60"));
      assertThat(rows(analysis).get(0).get(4)).matches("0\\.(79|80?|81).*");
      assertThat(FoundBy.ids(analysis)).containsExactly("trend.worse", "trend.worse");
      assertThat(FoundBy.value(analysis.findings().get(1), "series")).endsWith("p99 call [ms]");
    }

    @Test
    void aStandstillIsSaid() throws Exception {
      RunAnalysis analysis =
          analysed(
              1, 120, second -> second / 10 == 4 ? 0 : 1_000 + random.nextInt(60), second -> 100);
      assertThat(analysis.findings().get(0).id()).isEqualTo("trend.standstill");
      assertThat(FoundBy.value(analysis.findings().get(0), "empty")).isEqualTo("5");
    }

    @Test
    void aPauseInEveryTenthSecondIsNoChange() throws Exception {
      RunAnalysis analysis =
          analysed(
              1,
              120,
              second -> (second % 10 == 0 ? 500 : 1_000) + random.nextInt(60),
              second -> second % 10 == 0 ? 400 : 100);
      assertThat(FoundBy.ids(analysis)).containsExactly("trend.steady");
    }

    @Test
    void tooFewCallsASliceLeaveNoP99() throws Exception {
      RunAnalysis few = analysed(1, 60, second -> 200 + random.nextInt(20), second -> 100);
      assertThat(rows(few).get(1).get(4)).isEqualTo(Table.ABSENT);
      assertThat(few.findings()).hasSize(1);
    }

    @Test
    void manyTrialsThatDoNotChangeRaiseNoAlarm() throws Exception {
      List<Finding> findings =
          analysed(40, 40, second -> 300 + random.nextInt(60), second -> 100).findings();
      assertThat(FoundBy.ids(findings)).containsExactly("trend.steady");
      assertThat(FoundBy.value(findings.get(0), "series")).isEqualTo("40");
    }

    @Test
    void aShortTrialHasNoTrend() throws Exception {
      assertThat(FoundBy.ids(analysed(1, 29, second -> 1_000, second -> 100)))
          .containsExactly("trend.no-trial");
    }
  }

  @Nested
  class ElasticityTests {
    private static final String FILE =
        """
        pyrometer: 1
        name: elasticity
        question: How deep is the dip?
        grid: {driver: rich, nodes: 3}
        workload:
          record: stock-order
          records: 1000
          path: put
          server-event: kill
          return-after: 12s
          measure: 20s
        blocks: 3
        analyses: [elasticity]
        """;

    /**
     * Twenty samples of warm-up; the server is killed after 6 s and starts to return after 12 s.
     */
    private static final int MEASURED_FROM = 20;

    private RunAnalysis of(int stallTenths, Outcome outcome, double wrongKeys) {
      RunFolder folder = MadeUpRun.read(FILE).write(runs, t -> 1_000);
      return MadeUpRun.analysis("elasticity")
          .of(MadeUpRun.changed(folder, trial -> with(trial, stallTenths, outcome, wrongKeys)))
          .get(0);
    }

    private static TrialRecord with(
        TrialRecord trial, int stallTenths, Outcome outcome, double wrongKeys) {
      List<Long> samples = new ArrayList<>(Collections.nCopies(MEASURED_FROM + 200, 100L));
      for (int i = 0; i < stallTenths + trial.block(); i++) {
        samples.set(MEASURED_FROM + 60 + i, 0L);
      }
      TrialRecord made =
          MadeUpRun.withMetrics(
              MadeUpRun.with(trial, samples, MEASURED_FROM),
              Map.of(
                  "server-event.kill",
                  Metric.neutral(6.0, "s"),
                  "server-event.return",
                  Metric.neutral(12.0, "s"),
                  "server-event.joined",
                  Metric.neutral(15.0, "s"),
                  Metric.WRONG_KEYS,
                  Metric.lowerIsBetter(wrongKeys, "keys")));
      return MadeUpRun.with(made, new Result(outcome, Optional.of("why"), Optional.empty()));
    }

    private static List<List<String>> rows(RunAnalysis analysis) {
      return FoundBy.table(analysis).rows();
    }

    @Test
    void theDipOfAKillIsToldWithItsIntervalAndTheReturnHasNone() {
      RunAnalysis analysis = of(20, Outcome.OK, 0);
      assertThat(FoundBy.ids(analysis))
          .containsExactly("elasticity.no-loss", "elasticity.dip", "elasticity.no-dip");
      Finding dip = analysis.findings().get(1);
      assertThat(FoundBy.value(dip, "event")).isEqualTo("kill");
      assertThat(FoundBy.value(dip, "depth")).startsWith("100");
      assertThat(rows(analysis)).hasSize(2);
      assertThat(rows(analysis).get(0).get(4))
          .as("2 to 2.6 s, with interval")
          .matches("2\\..*\\[.*");
      assertThat(rows(analysis).get(1)).as("joined after").contains("3");
    }

    @Test
    void aServerThatIsNotReplacedInTimeLeavesTheDipOpen() {
      Finding open = FoundBy.only(of(60, Outcome.OK, 0).findings(), "elasticity.not-recovered");
      assertThat(FoundBy.value(open, "open")).isEqualTo("3");
    }

    @Test
    void lostKeysAreNamedBeforeTheDips() {
      assertThat(FoundBy.ids(of(0, Outcome.WRONG, 17)))
          .startsWith("elasticity.loss")
          .doesNotContain("elasticity.no-loss");
    }
  }
}
