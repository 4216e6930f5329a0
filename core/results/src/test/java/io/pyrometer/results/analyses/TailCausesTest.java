package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Trials of 2.5 s with 10,000 calls, of which 100 are slow, and five pauses of a server in each, or
 * five bursts of compilation.
 */
class TailCausesTest {
  private static final String FILE =
      MadeUpRun.file(
          "tail",
          "driver: rich, nodes: 2",
          "record: stock-order, records: 1000",
          "factors: {path: [put, put-all]}\nblocks: 3\nanalyses: [tail-causes, ranking]\n");

  private static final Instant BEGUN = PlantedEvents.BEGUN;
  private static final int SLOW = 100;
  private static final double PAUSE_SECONDS = PlantedEvents.SECONDS;

  @TempDir Path runs;

  private final Random random = new Random(1);
  private String file = FILE;

  /** What happens at the times at which slow calls end, or at those times alone. */
  private PlantedEvents plant = PlantedEvents.PAUSES;

  /** From when on and for how long something happens; seconds. */
  private double[] within = {0, 2.4};

  /** Of the latency of every slow call. */
  private double lateShare;

  /** Of put the share of slow calls that wait for a pause; none of put-all do. */
  private StudyResult of(double caused, double clockErrorMillis) {
    MadeUpRun made =
        MadeUpRun.read(file)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        Metric.CLOCK_ERROR + "agent-0", Metric.neutral(clockErrorMillis, "ms")));
    RunFolder folder = made.write(runs, trial -> 1_000);
    RunRecord run =
        MadeUpRun.changed(
            folder,
            trial -> recorded(folder, trial, trial.levels().containsValue("put") ? caused : 0));
    return MadeUpRun.analysis("tail-causes").of(run).get(0).result();
  }

  private TrialRecord recorded(RunFolder folder, TrialRecord trial, double caused) {
    try {
      double[] pauses =
          IntStream.range(0, 5)
              .mapToDouble(i -> within[0] + within[1] * random.nextDouble())
              .sorted()
              .toArray();
      List<SlowCall> slow = new ArrayList<>();
      Histogram histogram = MadeUpRun.second("call", BEGUN.toEpochMilli(), 0);
      histogram.setEndTimeStamp(BEGUN.toEpochMilli() + 2_500);
      while (slow.size() < SLOW) {
        // Eight threads wait for the same thing.
        boolean waits = random.nextDouble() < caused;
        double end =
            waits ? pauses[random.nextInt(5)] + PAUSE_SECONDS : 0.05 + 2.4 * random.nextDouble();
        for (int thread = 0; thread < 8 && slow.size() < SLOW; thread++) {
          long nanos = (long) (1e6 * ((waits ? 10 : 2) + 15 * random.nextDouble()));
          long late = (long) (lateShare * nanos / 1e3);
          slow.add(new SlowCall((long) (1e6 * end) - nanos / 1_000, nanos, late));
          histogram.recordValue(nanos);
        }
      }
      for (int call = SLOW; call < 100 * SLOW; call++) {
        histogram.recordValue((long) (1e6 * random.nextDouble()));
      }
      String name = trial.id();
      JsonLines.write(
          folder.file("trials/" + name + ".slow.jsonl"),
          List.of(new SlowCallLog.OfOperation("call", 100L * SLOW, SLOW, slow)));
      MadeUpRun.log(folder.histogram(name, 1), BEGUN.toEpochMilli(), List.of(histogram));
      return plant.into(
          folder,
          MadeUpRun.with(
              trial, List.of(new Artefact(SlowCallLog.KIND, "", "trials/" + name + ".slow.jsonl"))),
          pauses);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static List<String> ids(StudyResult result) {
    return FoundBy.ids(result.findings());
  }

  private static String cell(StudyResult result, String cause, int column) {
    return result.sections().get(0).figures().get(0).table().rows().stream()
        .filter(row -> row.get(0).equals("put") && row.get(1).equals(cause))
        .findFirst()
        .orElseThrow()
        .get(column);
  }

  /** That the cause explains about 70 % of the slow calls of put, and nothing those of put-all. */
  private static void assertCause(StudyResult result, String cause) {
    assertThat(ids(result)).containsExactly("tail.cause", "tail.unexplained");
    Finding finding = result.findings().get(0);
    assertThat(FoundBy.value(finding, "treatments")).isEqualTo("put");
    assertThat(FoundBy.value(finding, "cause")).isEqualTo(cause);
    assertThat(FoundBy.value(finding, "share")).matches("[67]\\d(\\.\\d)? %");
    assertThat(FoundBy.value(result.findings().get(1), "treatments")).isEqualTo("put-all");
  }

  @Test
  void oneSentenceNamesACauseOfManyTails() {
    file = FILE.replace("{path: [put, put-all]}", "{path: [put], threads: [1, 2, 3, 4]}");
    StudyResult result = of(0.7, 0);
    assertThat(ids(result)).containsExactly("tail.cause");
    assertThat(FoundBy.value(result.findings().get(0), "treatments")).endsWith("and 2 others");
  }

  @Test
  void compilationThatFillsTheTrialIsNoCauseAndIsMentioned() {
    plant = PlantedEvents.compilation(2);
    assertThat(ids(of(0.7, 0))).containsExactly("tail.unexplained", "tail.compiling");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pyrometer.results.analyses.PlantedEvents#kinds")
  void everyKindOfEventThatSlowCallsWaitForIsNamed(String cause, PlantedEvents event) {
    plant = event;
    assertCause(of(0.7, 0), cause);
  }

  /** For a second clients may not have noticed yet that a server is gone. */
  @ParameterizedTest
  @CsvSource({"server events, 6", "network cut, 3"})
  void aKilledServerAndACutNetworkAreNamed(String cause, int blocks) {
    within = new double[] {1.2, 0.4};
    boolean killed = cause.equals("server events");
    String cut =
        FILE.replace("records: 1000", "records: 1000, cut-after: 1.2s, cut-for: 500ms")
            + """
            hosts:
              - {command: ssh far, address: 10.0.0.2, runs: nodes, folder: /tmp/pyrometer, cut: cut, heal: heal}
              - {name: here, address: 10.0.0.1, runs: agents}
            """;
    file = (killed ? FILE : cut).replace("blocks: 3", "blocks: " + blocks);
    plant =
        (folder, trial, begins) ->
            killed
                ? MadeUpRun.plus(trial, Metric.SERVER_EVENT + "kill", Metric.neutral(1, "s"))
                : trial;
    assertThat(cell(of(1, 0), cause, 2)).isEqualTo("100");
  }

  @Test
  void callsThatTheGeneratorStartedLateAreNamed() {
    lateShare = 0.8;
    plant = (folder, trial, begins) -> trial;
    StudyResult result = of(1, 0);
    assertThat(ids(result)).containsExactly("tail.late-starts");
    assertThat(FoundBy.value(result.findings().get(0), "share")).isEqualTo("100 %");
  }

  /**
   * Pauses, bursts of compilation, or events of seven kinds, some of them short and frequent and
   * others long and rare, none of which causes anything.
   *
   * @param atMost the 99.9 % quantile of the binomial distribution at 5 %
   */
  @ParameterizedTest
  @CsvSource({"pauses, 60, 9", "compilation, 60, 9", "many kinds, 100, 13"})
  void whatCausesNothingIsClaimedInNoMoreThanOneOfTwentyRuns(String kind, int runs, int atMost) {
    plant =
        switch (kind) {
          case "pauses" -> PlantedEvents.PAUSES;
          case "compilation" -> PlantedEvents.compilation(0.1);
          default -> PlantedEvents.causeless(random);
        };
    long claimed =
        IntStream.range(0, runs).filter(i -> ids(of(0, 0)).contains("tail.cause")).count();
    assertThat(claimed).isLessThanOrEqualTo(atMost);
  }

  @Test
  void callsOfAClientWhoseClockIsNotKnownAreRefused() {
    assertThat(ids(of(0.7, 5.5))).containsExactly("tail.clocks-unknown");
  }

  @Test
  void aRunWithoutSlowCallsSaysSo() {
    RunFolder folder = MadeUpRun.read(FILE).write(runs, trial -> 1_000);
    RunRecord run = RunRecord.load(folder);
    assertThat(MadeUpRun.analysis("tail-causes").always(run)).isFalse();
    assertThat(ids(MadeUpRun.analysis("tail-causes").of(run).get(0).result()))
        .containsExactly("tail.no-trial");
  }
}
