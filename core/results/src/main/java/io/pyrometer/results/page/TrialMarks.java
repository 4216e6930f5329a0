package io.pyrometer.results.page;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.GcLog;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Check;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.chart.HeatMap;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened at which time of a trial's measured part: GC pauses, server events, throttling,
 * interference and background work of the product. What was recorded has a lane, even if nothing of
 * it happened; what was not recorded, or cannot be read, has none.
 */
final class TrialMarks {
  private static final String GC_LOG = "gc-log";

  private final RunRecord run;
  private final TrialRecord trial;
  private final List<String> lanes = new ArrayList<>();
  private final List<HeatMap.Mark> marks = new ArrayList<>();

  private TrialMarks(RunRecord run, TrialRecord trial) {
    this.run = run;
    this.trial = trial;
  }

  /** The lanes and marks of a trial; a map without cells. */
  static HeatMap of(RunRecord run, TrialRecord trial) {
    TrialMarks of = new TrialMarks(run, trial);
    Optional<Instant> begun = Latencies.begun(run.folder().histogram(trial.id(), trial.attempt()));
    begun.ifPresent(of::pauses);
    of.serverEvents();
    of.withheld();
    begun.ifPresent(of::activities);
    return new HeatMap(List.of(), of.lanes, of.marks);
  }

  private List<Artefact> artefacts(String kind) {
    return trial.artefacts().stream().filter(each -> each.kind().equals(kind)).toList();
  }

  private void pauses(Instant begun) {
    for (Artefact log : artefacts(GC_LOG)) {
      String lane = "GC " + log.process();
      try {
        List<GcLog.Pause> pauses = GcLog.read(run.folder().file(log.file())).pauses();
        if (pauses.stream().allMatch(pause -> pause.ended().isPresent())) {
          lanes.add(lane);
          pauses.forEach(pause -> marks.add(mark(lane, pause, begun, pause.ended().orElseThrow())));
        }
      } catch (IOException | UncheckedIOException unreadable) {
        // Without a lane: an empty one would say that nothing paused.
      }
    }
  }

  private static HeatMap.Mark mark(String lane, GcLog.Pause pause, Instant begun, Instant ended) {
    double end = Duration.between(begun, ended).toNanos() / 1e9;
    String what = "%s, %s ms".formatted(pause.what(), Numbers.shorten(pause.millis()));
    return new HeatMap.Mark(lane, end - pause.millis() / 1e3, end, what);
  }

  private void serverEvents() {
    List<ServerEvents.Event> events = ServerEvents.of(trial);
    if (!events.isEmpty()) {
      lanes.add("server events");
    }
    for (ServerEvents.Event event : events) {
      marks.add(new HeatMap.Mark("server events", event.begin(), event.end(), event.words()));
    }
  }

  /** The seconds in which something kept the trial from CPU time. */
  private void withheld() {
    double cpus = Math.max(1, run.environment().cores());
    try {
      for (Interval each : CpuLog.of(run.folder(), trial).orElse(List.of())) {
        double percent = 100 * each.cpus() / cpus;
        String ofMachine = Numbers.shorten(percent) + " % of the machine";
        switch (each.what()) {
          case USED, COMPILED -> {}
          case THROTTLED ->
              withheld(
                  each,
                  "throttled " + each.process(),
                  each.cpus() > 0,
                  "threads stopped by the quota for %s s a second"
                      .formatted(Numbers.shorten(each.cpus())));
          case OTHERS ->
              withheld(each, "other processes", percent > limit(Check.OTHER_PROCESSES), ofMachine);
          case STOLEN ->
              withheld(
                  each, "stolen", percent > limit(Check.STEAL), ofMachine + ", by the hypervisor");
        }
      }
    } catch (IOException unreadable) {
      // Without its lanes, as if it had not been recorded.
    }
  }

  private void withheld(Interval interval, String lane, boolean marked, String words) {
    if (!lanes.contains(lane)) {
      lanes.add(lane);
    }
    if (marked) {
      marks.add(new HeatMap.Mark(lane, interval.from(), interval.to(), words));
    }
  }

  /** At which a whole trial counts as disturbed. */
  private double limit(String check) {
    return trial.validity().stream()
        .filter(each -> each.name().equals(check))
        .mapToDouble(Check::limit)
        .findFirst()
        .orElse(0);
  }

  private void activities(Instant begun) {
    for (Artefact file : artefacts(TelemetryKind.GRID.id())) {
      if (file.file().endsWith(GridActivity.FILE)) {
        try {
          Map<String, List<GridActivity>> byKind =
              Json.LINES.readValue(
                  run.folder().file(file.file()).toFile(), new TypeReference<>() {});
          byKind.forEach((kind, all) -> activities(kind + " " + file.process(), all, begun));
        } catch (IOException unreadable) {
          // Without a lane.
        }
      }
    }
  }

  /** Work that began before the measured part is marked from its begin. */
  private void activities(String lane, List<GridActivity> activities, Instant begun) {
    lanes.add(lane);
    for (GridActivity each : activities) {
      double start = (each.startMillis() - begun.toEpochMilli()) / 1e3;
      marks.add(
          new HeatMap.Mark(
              lane,
              Math.max(0, start),
              Math.max(0, start + each.millis() / 1e3),
              "%s, %s ms".formatted(lane, each.millis())));
    }
  }
}
