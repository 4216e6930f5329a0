package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HeatMapChart.Cell;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.TrialEvents.Event;
import io.pyrometer.results.TrialEvents.Lane;
import io.pyrometer.results.ranking.Rankings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      List<Cell> cells = LatencyOverTime.cells(latencies.intervals(), "put");
      assertThat(cells.stream().mapToLong(Cell::calls).sum()).isEqualTo(300L * intervals);
      Map<Double, Double> shares =
          cells.stream()
              .collect(
                  Collectors.groupingBy(Cell::fromSeconds, Collectors.summingDouble(Cell::share)));
      assertThat(shares.values()).allSatisfy(sum -> assertThat(sum).isCloseTo(1, within(1e-9)));
      assertThat(shares.size()).isLessThanOrEqualTo(LatencyOverTime.MOST_COLUMNS);
    }
  }

  @Test
  void aCallIsInTheCellOfItsLatency() throws Exception {
    Latencies latencies = Latencies.read(log(runs.resolve("x.hlog"), 3, 1));
    for (Cell cell : LatencyOverTime.cells(latencies.intervals(), "get")) {
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

  private List<Lane> lanes(String gcLog) throws Exception {
    return lanes("gc-log", "trials/gc.log", gcLog, Map.of());
  }

  /** A run of one trial with an artefact. */
  private List<Lane> lanes(String kind, String name, String text, Map<String, Metric> metrics)
      throws Exception {
    RunFolder folder = run(4);
    TrialRecord trial =
        MadeUpRun.with(
            MadeUpRun.withMetrics(folder.trials().get(0), metrics),
            List.of(new Artefact(kind, "node-0", name)));
    if (!text.isEmpty()) {
      Files.writeString(folder.file(name), text);
    }
    return TrialEvents.of(RunRecord.load(folder), trial);
  }

  private static String pause(long millis) {
    return "[9.5s][%dms][info][gc] GC(3) Pause Full (x) 9M->4M(9M) 50.0ms\n"
        .formatted(BEGUN.toEpochMilli() + millis);
  }

  /** The clock of the server's host is two seconds ahead of the coordinator's. */
  @ParameterizedTest
  @CsvSource({"1250, 0, 0, true", "3250, 2000, 0, true", "3250, 2000, 6, false"})
  void aPauseIsMarkedByTheCoordinatorsClockWhereThatOfItsHostIsKnown(
      long ended, double ahead, double error, boolean known) throws Exception {
    List<Lane> lanes =
        lanes(
            "gc-log",
            "trials/gc.log",
            pause(ended),
            Map.of(
                Metric.CLOCK_AHEAD + "node-0", Metric.neutral(ahead, "ms"),
                Metric.CLOCK_ERROR + "node-0", Metric.neutral(error, "ms")));
    assertThat(lanes).hasSize(known ? 1 : 0);
    for (Lane lane : lanes) {
      assertThat(lane.name()).isEqualTo("GC node-0");
      Event event = lane.events().get(0);
      assertThat(event.begin()).isCloseTo(1.2, within(1e-9));
      assertThat(event.end()).isCloseTo(1.25, within(1e-9));
      assertThat(event.what()).isEqualTo("Pause Full (x), 50 ms");
    }
  }

  private static String interval(int from, String process, String what, double cpus) {
    return "{\"from\":%d,\"to\":%d,\"process\":\"%s\",\"what\":\"%s\",\"cpus\":%s}\n"
        .formatted(from, from + 1, process, what, cpus);
  }

  /** A run's machine has so many CPUs that a thousandth of one is no interference. */
  @Test
  void secondsThatWereWithheldAreMarkedAndOthersAreNot() throws Exception {
    List<Lane> lanes =
        lanes(
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
    assertThat(lanes)
        .extracting(Lane::name, lane -> lane.events().stream().map(Event::begin).toList())
        .containsExactly(
            tuple("throttled node-0", List.of(1.0)),
            tuple("JIT node-0", List.of(1.0)),
            tuple("other processes", List.of(0.0)),
            tuple("CPU steal", List.of()));
  }

  @Test
  void backgroundWorkIsMarkedAndAProcessThatDidNoneHasAnEmptyLane() throws Exception {
    long start = BEGUN.toEpochMilli() + 500;
    List<Lane> lanes =
        lanes(
            "grid",
            "trials/node-0-activities.json",
            "{\"checkpoint\":[{\"startMillis\":%d,\"millis\":250}],\"merge\":[]}".formatted(start),
            Map.of());
    assertThat(lanes)
        .extracting(Lane::name, Lane::events)
        .containsExactly(
            tuple("checkpoint node-0", List.of(new Event(0.5, 0.75, "checkpoint node-0, 250 ms"))),
            tuple("merge node-0", List.of()));
    assertThat(lanes("grid", "trials/node-0-other.json", "{}", Map.of())).isEmpty();
  }

  /** An empty lane would say that nothing paused. */
  @Test
  void aLogWithoutTimesOrThatCannotBeReadHasNoLaneAndOneWithoutPausesAnEmptyOne() throws Exception {
    assertThat(lanes(pause(0).replaceFirst("\\[\\d+ms]", ""))).isEmpty();
    assertThat(lanes("")).isEmpty();
    assertThat(lanes("cpu-log", "trials/x.cpu.jsonl", "{", Map.of())).isEmpty();
    assertThat(lanes("[1.0s][1795387406865ms][info][gc] Using G1\n"))
        .singleElement()
        .matches(lane -> lane.name().equals("GC node-0") && lane.events().isEmpty());
  }

  @Test
  void everyEventIsAMarkInItsLaneOfTheChart() throws Exception {
    RunFolder folder = run(30);
    Path log = folder.file("trials/gc.log");
    Files.writeString(log, pause(1_250));
    RunRecord run = RunRecord.load(folder);
    RunRecord logged =
        MadeUpRun.of(
            run,
            run.finished().stream()
                .map(
                    trial ->
                        MadeUpRun.with(
                            trial, List.of(new Artefact("gc-log", "node-0", "trials/gc.log"))))
                .toList());
    Chart chart =
        LatencyOverTime.of(logged, Rankings.of(logged))
            .orElseThrow()
            .figures()
            .get(0)
            .chart()
            .get();
    assertThat(chart.series()).extracting(Chart.Series::name).contains("GC node-0");
    assertThat(chart.marks())
        .singleElement()
        .matches(mark -> mark.panel().equals("GC node-0") && mark.text().contains("Pause Full"))
        .matches(mark -> Math.abs(mark.from() - 1.2) < 1e-9 && Math.abs(mark.to() - 1.25) < 1e-9);
  }
}
