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
 * What a trial's record says that happened at which time of its measured part.
 *
 * @param lanes what was recorded with times, even if nothing of it happened
 * @param marks what happened
 * @param absent what the record has no times of, each in a few words
 */
record TrialMarks(List<String> lanes, List<HeatMap.Mark> marks, List<String> absent) {
  private static final String GC_LOG = "gc-log";

  static TrialMarks of(RunRecord run, TrialRecord trial) {
    List<String> lanes = new ArrayList<>();
    List<HeatMap.Mark> marks = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    List<Artefact> logs =
        trial.artefacts().stream().filter(artefact -> artefact.kind().equals(GC_LOG)).toList();
    if (logs.isEmpty()) {
      absent.add("GC pauses (telemetry 'gc' was off)");
    } else {
      noPauses(run, trial, logs, lanes, marks)
          .ifPresent(why -> absent.add("GC pauses (" + why + ")"));
    }
    serverEvents(trial, lanes, marks);
    withheld(run, trial, lanes, marks).ifPresent(absent::add);
    activities(run, trial, lanes, marks).ifPresent(absent::add);
    return new TrialMarks(lanes, marks, absent);
  }

  private static void serverEvents(
      TrialRecord trial, List<String> lanes, List<HeatMap.Mark> marks) {
    List<ServerEvents.Event> events = ServerEvents.of(trial);
    if (!events.isEmpty()) {
      lanes.add("server events");
    }
    for (ServerEvents.Event event : events) {
      marks.add(new HeatMap.Mark("server events", event.begin(), event.end(), event.words()));
    }
  }

  /** Adds background work of the product; or says why it does not. */
  private static Optional<String> activities(
      RunRecord run, TrialRecord trial, List<String> lanes, List<HeatMap.Mark> marks) {
    String what = "background work of the product, such as checkpoints";
    List<Artefact> files =
        trial.artefacts().stream()
            .filter(artefact -> artefact.kind().equals(TelemetryKind.GRID.id()))
            .toList();
    if (files.isEmpty()) {
      return Optional.of(what + " (telemetry 'grid' was off)");
    }
    files = files.stream().filter(file -> file.file().endsWith(GridActivity.FILE)).toList();
    Optional<Instant> begun = Latencies.begun(run.folder().histogram(trial.id(), trial.attempt()));
    if (files.isEmpty() || begun.isEmpty()) {
      return Optional.of(what + " (no process told of any)");
    }
    for (Artefact file : files) {
      try {
        Map<String, List<GridActivity>> byKind =
            Json.LINES.readValue(run.folder().file(file.file()).toFile(), new TypeReference<>() {});
        byKind.forEach(
            (kind, activities) -> {
              String lane = kind + " " + file.process();
              lanes.add(lane);
              activities.forEach(it -> marks.add(mark(lane, it, begun.get())));
            });
      } catch (IOException unreadable) {
        return Optional.of(what + " (the file %s cannot be read)".formatted(file.file()));
      }
    }
    return Optional.empty();
  }

  /** Work that began before the measured part is marked from its begin. */
  private static HeatMap.Mark mark(String lane, GridActivity activity, Instant begun) {
    double start = (activity.startMillis() - begun.toEpochMilli()) / 1e3;
    return new HeatMap.Mark(
        lane,
        Math.max(0, start),
        Math.max(0, start + activity.millis() / 1e3),
        "%s, %s ms".formatted(lane, activity.millis()));
  }

  /** Adds the seconds in which something kept the trial from CPU time; or says why it does not. */
  private static Optional<String> withheld(
      RunRecord run, TrialRecord trial, List<String> lanes, List<HeatMap.Mark> marks) {
    String what = "CPU throttling and interference";
    Optional<List<Interval>> log;
    try {
      log = CpuLog.of(run.folder(), trial);
    } catch (IOException unreadable) {
      return Optional.of(what + " (the record of CPU times cannot be read)");
    }
    if (log.isEmpty()) {
      return Optional.of(what + " (this version recorded their sums alone)");
    }
    double cpus = Math.max(1, run.environment().cores());
    for (Interval interval : log.get()) {
      Optional<Withheld> how = Withheld.of(interval, trial, cpus);
      how.map(Withheld::lane).filter(lane -> !lanes.contains(lane)).ifPresent(lanes::add);
      how.filter(Withheld::marked)
          .ifPresent(
              w -> marks.add(new HeatMap.Mark(w.lane, interval.from(), interval.to(), w.words)));
    }
    return Optional.empty();
  }

  /**
   * What an interval withheld from the trial.
   *
   * @param marked whether it was more than the limit at which a whole trial counts as disturbed;
   *     every throttling is
   */
  private record Withheld(String lane, boolean marked, String words) {

    static Optional<Withheld> of(Interval interval, TrialRecord trial, double cpus) {
      double percent = 100 * interval.cpus() / cpus;
      return switch (interval.what()) {
        case USED -> Optional.empty();
        case THROTTLED ->
            Optional.of(
                new Withheld(
                    "throttled " + interval.process(),
                    interval.cpus() > 0,
                    "threads stopped by the quota for %s s a second"
                        .formatted(Numbers.shorten(interval.cpus()))));
        case OTHERS ->
            Optional.of(
                new Withheld(
                    "other processes",
                    percent > limit(trial, Check.OTHER_PROCESSES),
                    Numbers.shorten(percent) + " % of the machine"));
        case STOLEN ->
            Optional.of(
                new Withheld(
                    "stolen",
                    percent > limit(trial, Check.STEAL),
                    Numbers.shorten(percent) + " % of the machine, by the hypervisor"));
      };
    }

    private static double limit(TrialRecord trial, String check) {
      return trial.validity().stream()
          .filter(each -> each.name().equals(check))
          .mapToDouble(Check::limit)
          .findFirst()
          .orElse(0);
    }
  }

  /** Adds the pauses of all logs; where one does not tell them, none, and says why. */
  private static Optional<String> noPauses(
      RunRecord run,
      TrialRecord trial,
      List<Artefact> logs,
      List<String> lanes,
      List<HeatMap.Mark> marks) {
    Optional<Instant> begun = Latencies.begun(run.folder().histogram(trial.id(), trial.attempt()));
    List<HeatMap.Mark> pauses = new ArrayList<>();
    for (Artefact log : logs) {
      try {
        for (GcLog.Pause pause : GcLog.read(run.folder().file(log.file())).pauses()) {
          if (begun.isEmpty() || pause.ended().isEmpty()) {
            return Optional.of("files of older versions have no time of day");
          }
          pauses.add(mark(lane(log), pause, begun.get(), pause.ended().get()));
        }
      } catch (IOException | UncheckedIOException unreadable) {
        return Optional.of("the file %s cannot be read".formatted(log.file()));
      }
    }
    logs.forEach(log -> lanes.add(lane(log)));
    marks.addAll(pauses);
    return Optional.empty();
  }

  private static String lane(Artefact log) {
    return "GC " + log.process();
  }

  private static HeatMap.Mark mark(String lane, GcLog.Pause pause, Instant begun, Instant ended) {
    double end = Duration.between(begun, ended).toNanos() / 1e9;
    String what = "%s, %s ms".formatted(pause.what(), Numbers.shorten(pause.millis()));
    return new HeatMap.Mark(lane, end - pause.millis() / 1e3, end, what);
  }
}
