package io.pyrometer.results.page;

import io.pyrometer.journal.GcLog;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.chart.HeatMap;
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    absent.add("CPU throttling and interference (their sums alone are recorded)");
    absent.add("checkpoints (not recorded)");
    return new TrialMarks(lanes, marks, absent);
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
