package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HeatMapChart.HeatMap;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TrialEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyOverTimeTest {
  private static final Instant BEGUN = Instant.parse("2026-11-22T22:43:20Z");

  @TempDir Path runs;

  private final Random random = new Random(5);

  private Path log(Path file, int intervals, int calls) throws IOException {
    List<Histogram> histograms = new ArrayList<>();
    for (int second = 0; second < intervals; second++) {
      for (String operation : List.of("get", "put")) {
        Histogram histogram = MadeUpRun.second(operation, BEGUN.toEpochMilli(), second);
        for (int i = 0; i < calls; i++) {
          histogram.recordValue((long) (2e5 * Math.exp(2 * random.nextGaussian())));
        }
        histograms.add(histogram);
      }
    }
    MadeUpRun.log(file, BEGUN.toEpochMilli(), histograms);
    return file;
  }

  /** One block, so that every treatment's trial is its median; the log of each is written. */
  private RunFolder run(int intervals) throws Exception {
    RunFolder folder = MadeUpExperiment.runOf(1).write(runs, trial -> 1_000);
    for (TrialRecord trial : folder.trials()) {
      log(folder.histogram(trial.id(), 1), intervals, 500);
    }
    return folder;
  }

  private static Section section(RunFolder folder) {
    return RunPage.of(RunReport.of(RunRecord.load(folder))).sections().stream()
        .filter(section -> section.id().equals("latency-over-time"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theCellsHoldEveryCallOnceWhateverTheNumberOfIntervals() throws Exception {
    for (int intervals : List.of(3, 60, 61, 250)) {
      Latencies latencies = Latencies.read(log(runs.resolve("x.hlog"), intervals, 300));
      List<HeatMap.Cell> cells = LatencyOverTime.cells(latencies.intervals(), "put");
      assertThat(cells.stream().mapToLong(HeatMap.Cell::calls).sum()).isEqualTo(300L * intervals);
      Map<Double, Double> shares =
          cells.stream()
              .collect(
                  Collectors.groupingBy(
                      HeatMap.Cell::fromSeconds, Collectors.summingDouble(HeatMap.Cell::share)));
      assertThat(shares.values()).allSatisfy(sum -> assertThat(sum).isCloseTo(1, within(1e-9)));
      assertThat(shares.size()).isLessThanOrEqualTo(LatencyOverTime.MOST_COLUMNS);
    }
  }

  @Test
  void aCallIsInTheCellOfItsLatency() throws Exception {
    Latencies latencies = Latencies.read(log(runs.resolve("x.hlog"), 3, 1));
    for (HeatMap.Cell cell : LatencyOverTime.cells(latencies.intervals(), "get")) {
      double micros =
          latencies.intervals().stream()
                  .filter(interval -> interval.fromSeconds() == cell.fromSeconds())
                  .findFirst()
                  .orElseThrow()
                  .byOperation()
                  .get("get")
                  .percentile(100)
              / 1e3;
      assertThat(micros).isBetween(cell.fromMicros() * 0.998, cell.toMicros() * 1.002);
      assertThat(cell.calls()).isOne();
    }
  }

  @Test
  void aTrialWithTooFewIntervalsIsNotDrawnAndWhatWasNotRecordedHasNoLane() throws Exception {
    assertThat(section(run(2)).figures()).isEmpty();
    Section section = section(run(4));
    assertThat(section.figures()).hasSizeGreaterThan(1);
    assertThat(section.figures().get(0).chart().orElseThrow().series()).hasSize(1);
  }

  private HeatMap marks(String gcLog) throws Exception {
    return marks("gc-log", "trials/gc.log", gcLog, Map.of());
  }

  /** A run of one trial with an artefact. */
  private HeatMap marks(String kind, String name, String text, Map<String, Metric> metrics)
      throws Exception {
    RunFolder folder = run(4);
    TrialRecord trial =
        MadeUpRun.with(
            MadeUpRun.withMetrics(folder.trials().get(0), metrics),
            List.of(new Artefact(kind, "node-0", name)));
    if (!text.isEmpty()) {
      Files.writeString(folder.file(name), text);
    }
    return LatencyOverTime.marks(TrialEvents.of(RunRecord.load(folder), trial));
  }

  @Test
  void aPauseIsMarkedAtItsTime() throws Exception {
    long ended = BEGUN.toEpochMilli() + 1_250;
    HeatMap marks =
        marks("[9.5s][%dms][info][gc] GC(3) Pause Full (x) 9M->4M(9M) 50.0ms\n".formatted(ended));
    assertThat(marks.lanes()).containsExactly("GC node-0");
    assertThat(marks.marks()).hasSize(1);
    HeatMap.Mark mark = marks.marks().get(0);
    assertThat(mark.fromSeconds()).isCloseTo(1.2, within(1e-9));
    assertThat(mark.toSeconds()).isCloseTo(1.25, within(1e-9));
    assertThat(mark.what()).isEqualTo("Pause Full (x), 50 ms");
  }

  /** The clock of the server's host is two seconds ahead of the coordinator's. */
  @Test
  void aPauseOnAnotherHostIsMarkedByTheCoordinatorsClock() throws Exception {
    String log =
        "[9.5s][%dms][info][gc] GC(3) Pause Full (x) 9M->4M(9M) 50.0ms\n"
            .formatted(BEGUN.toEpochMilli() + 3_250);
    Map<String, Metric> clock =
        new HashMap<>(Map.of(Metric.CLOCK_AHEAD + "node-0", Metric.neutral(2_000, "ms")));
    HeatMap marks = marks("gc-log", "trials/gc.log", log, clock);
    assertThat(marks.marks().get(0).toSeconds()).isCloseTo(1.25, within(1e-9));
    clock.put(Metric.CLOCK_ERROR + "node-0", Metric.neutral(6, "ms"));
    assertThat(marks("gc-log", "trials/gc.log", log, clock).lanes())
        .as("an error of 6 ms is larger than many pauses")
        .isEmpty();
  }

  private static String interval(int from, String process, String what, double cpus) {
    return "{\"from\":%d,\"to\":%d,\"process\":\"%s\",\"what\":\"%s\",\"cpus\":%s}\n"
        .formatted(from, from + 1, process, what, cpus);
  }

  /** A run's machine has so many CPUs that a thousandth of one is no interference. */
  @Test
  void secondsThatWereWithheldAreMarkedAndOthersAreNot() throws Exception {
    HeatMap marks =
        marks(
            "cpu-log",
            "trials/x.cpu.jsonl",
            interval(0, "node-0", "used", 0.9)
                + interval(0, "node-0", "throttled", 0)
                + interval(1, "node-0", "throttled", 0.4)
                + interval(0, "node-0", "compiled", 0.09)
                + interval(1, "node-0", "compiled", 0.12)
                + interval(0, "machine", "others", 100)
                + interval(1, "machine", "others", 0)
                + interval(0, "machine", "stolen", 0),
            Map.of());
    assertThat(marks.lanes())
        .containsExactly("throttled node-0", "JIT node-0", "other processes", "CPU steal");
    assertThat(marks.marks())
        .extracting(HeatMap.Mark::lane, HeatMap.Mark::fromSeconds)
        .containsExactly(
            tuple("throttled node-0", 1.0),
            tuple("JIT node-0", 1.0),
            tuple("other processes", 0.0));
  }

  @Test
  void backgroundWorkIsMarkedAndAProcessThatDidNoneHasAnEmptyLane() throws Exception {
    long start = BEGUN.toEpochMilli() + 500;
    HeatMap marks =
        marks(
            "grid",
            "trials/node-0-activities.json",
            "{\"checkpoint\":[{\"startMillis\":%d,\"millis\":250}],\"merge\":[]}".formatted(start),
            Map.of());
    assertThat(marks.lanes()).containsExactly("checkpoint node-0", "merge node-0");
    assertThat(marks.marks())
        .containsExactly(
            new HeatMap.Mark("checkpoint node-0", 0.5, 0.75, "checkpoint node-0, 250 ms"));
    assertThat(marks("grid", "trials/node-0-other.json", "{}", Map.of()).lanes()).isEmpty();
  }

  /** An empty lane would say that nothing paused. */
  @Test
  void aLogWithoutTimesOrThatCannotBeReadHasNoLaneAndOneWithoutPausesAnEmptyOne() throws Exception {
    assertThat(marks("[9.5s][info][gc] GC(3) Pause Full (x) 9M->4M(9M) 50.0ms\n").lanes())
        .isEmpty();
    assertThat(marks("").lanes()).isEmpty();
    assertThat(marks("cpu-log", "trials/x.cpu.jsonl", "{", Map.of()).lanes()).isEmpty();
    HeatMap none = marks("[1.0s][1795387406865ms][info][gc] Using G1\n");
    assertThat(none.lanes()).containsExactly("GC node-0");
    assertThat(none.marks()).isEmpty();
  }
}
