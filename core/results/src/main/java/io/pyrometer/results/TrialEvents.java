package io.pyrometer.results;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Events during a trial's measured part: GC pauses and other safepoints, stalls, server events,
 * network cuts, throttling, interference, JIT compilation and background work of the product. What
 * was recorded has a lane, even if nothing of it happened; what was not recorded, or cannot be
 * read, has none.
 *
 * <p>Processes record events by the wall clock of their host. Those on the coordinator's machine
 * share its clock; the clocks of others are corrected by what they were ahead, and a process whose
 * clock is known no better than to {@value #MAX_CLOCK_ERROR_MILLIS} ms has no events.
 */
public final class TrialEvents {
  /** Larger errors of a clock would move a pause beside the calls that waited for it. */
  public static final double MAX_CLOCK_ERROR_MILLIS = 5;

  /** Compilers compete with calls for CPUs, whichever process they belong to. */
  public static final String COMPILATION = "compilation";

  /** Part of a CPU from which on a second is one of compilation: C2 works in bursts of 0.1 s. */
  private static final double COMPILING = 0.1;

  /** Clients need about so long to notice that a server was killed. */
  private static final double SHORTEST_SERVER_EVENT_SECONDS = 1;

  private static final List<String> SERVER_EVENTS = List.of("kill", "leave", "join", "return");

  private static final Map<String, String> ENDS =
      Map.of("leave", "left", "join", "joined", "return", "joined");

  private final RunRecord run;
  private final TrialRecord trial;
  private final List<Lane> lanes = new ArrayList<>();

  private TrialEvents(RunRecord run, TrialRecord trial) {
    this.run = run;
    this.trial = trial;
  }

  /**
   * One event; seconds since the begin of the measured part.
   *
   * @param what it was, in a few words
   */
  public record Event(double begin, double end, String what) {}

  /**
   * Events of one kind.
   *
   * @param name such as {@code GC node-0}
   * @param cause the same for all processes of a role, such as {@code GC pauses of servers}
   */
  public record Lane(String name, String cause, List<Event> events) {}

  /**
   * Servers that were killed, left, joined or returned, in the order of time. An event ends when
   * the server had left or joined, or where it begins if it takes no time.
   */
  public static List<Event> serverEvents(TrialRecord trial) {
    List<Event> events = new ArrayList<>();
    for (String name : SERVER_EVENTS) {
      Optional<Double> begin = trial.value(Metric.SERVER_EVENT + name);
      Optional<Double> end = trial.value(Metric.SERVER_EVENT + ENDS.getOrDefault(name, name));
      begin.ifPresent(from -> events.add(new Event(from, end.orElse(from), name)));
    }
    events.sort(Comparator.comparingDouble(Event::begin));
    return events;
  }

  /** The lanes of a trial, from the top. */
  public static List<Lane> of(RunRecord run, TrialRecord trial) {
    TrialEvents of = new TrialEvents(run, trial);
    Optional<Instant> begun = Latencies.begun(run.folder().histogram(trial.id(), trial.attempt()));
    begun.ifPresent(of::pauses);
    of.serverEvents();
    of.cut();
    of.withheld();
    begun.ifPresent(of::activities);
    return of.lanes;
  }

  private List<Artefact> artefacts(String kind) {
    return trial.artefacts().stream()
        .filter(each -> each.kind().equals(kind))
        .filter(each -> clockIsKnown(trial, each.process()))
        .toList();
  }

  /** Returns whether times of a process can be compared with the coordinator's. */
  public static boolean clockIsKnown(TrialRecord trial, String process) {
    return trial.value(Metric.CLOCK_ERROR + process).orElse(0.0) <= MAX_CLOCK_ERROR_MILLIS;
  }

  /** By the coordinator's clock. */
  private double seconds(Instant begun, Instant at, String process) {
    return Duration.between(begun, at).toNanos() / 1e9
        - trial.value(Metric.CLOCK_AHEAD + process).orElse(0.0) / 1e3;
  }

  private static String of(String what, String process) {
    return what + (process.startsWith("node") ? " of servers" : " of clients");
  }

  private void pauses(Instant begun) {
    for (Artefact artefact : artefacts("gc-log")) {
      String process = artefact.process();
      try {
        GcLog log = GcLog.read(run.folder().file(artefact.file()));
        if (log.pauses().stream().allMatch(pause -> pause.ended().isPresent())) {
          List<Event> pauses =
              log.pauses().stream().map(pause -> event(begun, pause, process)).toList();
          lanes.add(new Lane("GC " + process, of("GC pauses", process), pauses));
          List<Event> others =
              log.stops().stream()
                  .filter(stop -> stop.ended().isPresent())
                  .map(stop -> event(begun, stop, process))
                  .filter(stop -> pauses.stream().noneMatch(pause -> overlap(pause, stop)))
                  .toList();
          if (!log.stops().isEmpty()) {
            lanes.add(new Lane("safepoints " + process, of("safepoints", process), others));
          }
        }
      } catch (IOException | UncheckedIOException unreadable) {
        // Without a lane: an empty one would say that nothing paused.
      }
    }
  }

  private Event event(Instant begun, GcLog.Pause pause, String process) {
    double end = seconds(begun, pause.ended().orElseThrow(), process);
    String what = "%s, %s ms".formatted(pause.what(), Numbers.shorten(pause.millis()));
    return new Event(end - pause.millis() / 1e3, end, what);
  }

  /** The log has milliseconds, so that two reports of one pause may differ by that much. */
  private static boolean overlap(Event one, Event other) {
    return one.begin() - 1e-3 <= other.end() && other.begin() <= one.end() + 1e-3;
  }

  private void serverEvents() {
    List<Event> events = new ArrayList<>();
    for (Event each : serverEvents(trial)) {
      double end = Math.max(each.end(), each.begin() + SHORTEST_SERVER_EVENT_SECONDS);
      events.add(new Event(each.begin(), end, each.what()));
    }
    if (!events.isEmpty()) {
      lanes.add(new Lane("server events", "server events", events));
    }
  }

  private void cut() {
    double length = trial.settings().find(CoreSettings.CUT_FOR).orElse(0.0);
    if (length > 0) {
      double begin = trial.settings().get(CoreSettings.CUT_AFTER);
      String what = "network cut";
      lanes.add(new Lane(what, what, List.of(new Event(begin, begin + length, what))));
    }
  }

  /** The seconds in which something kept the trial from CPU time, or compilers used it. */
  private void withheld() {
    double cpus = Math.max(1, run.environment().cores());
    try {
      for (Interval each :
          JsonLines.read(run.folder(), trial.artefacts(), CpuLog.KIND, Interval.class)) {
        double percent = 100 * each.cpus() / each.ofCpus().map(Integer::doubleValue).orElse(cpus);
        String process = each.process();
        String others = "other processes" + each.ofHost();
        String steal = "CPU steal" + each.ofHost();
        switch (each.what()) {
          case USED -> {}
          case THROTTLED ->
              add(each, "throttled " + process, of("throttling", process), each.cpus() > 0);
          case COMPILED -> {
            String name = GridActivity.COMPILATION + " " + process;
            add(each, name, COMPILATION, each.cpus() >= COMPILING);
          }
          case OTHERS -> add(each, others, others, percent > limit(Check.OTHER_PROCESSES));
          case STOLEN -> add(each, steal, steal, percent > limit(Check.STEAL));
        }
      }
    } catch (IOException unreadable) {
      // Without its lanes, as if it had not been recorded.
    }
  }

  private void add(Interval interval, String name, String cause, boolean happened) {
    if (lanes.stream().noneMatch(each -> each.name().equals(name))) {
      lanes.add(new Lane(name, cause, new ArrayList<>()));
    }
    if (happened) {
      String what = "%s, %s s/s".formatted(name, Numbers.shorten(interval.cpus()));
      lanes.stream()
          .filter(each -> each.name().equals(name))
          .forEach(lane -> lane.events().add(new Event(interval.from(), interval.to(), what)));
    }
  }

  /** At which a whole trial counts as disturbed. */
  private double limit(String check) {
    return trial.validity().stream()
        .filter(each -> each.words().equals(check))
        .mapToDouble(Check::limit)
        .findFirst()
        .orElse(0);
  }

  private void activities(Instant begun) {
    List<Artefact> files = new ArrayList<>(artefacts(TelemetryKind.STALLS.id()));
    files.addAll(artefacts(TelemetryKind.GRID.id()));
    for (Artefact file : files) {
      if (file.file().endsWith(GridActivity.FILE)) {
        try {
          Map<String, List<GridActivity>> byKind =
              Json.LINES.readValue(
                  run.folder().file(file.file()).toFile(), new TypeReference<>() {});
          byKind.forEach((kind, all) -> lanes.add(lane(kind, file.process(), all, begun)));
        } catch (IOException unreadable) {
          // Without a lane.
        }
      }
    }
  }

  /** Work that began before the measured part is marked from its begin. */
  private Lane lane(String kind, String process, List<GridActivity> activities, Instant begun) {
    String name = kind + " " + process;
    List<Event> events = new ArrayList<>();
    for (GridActivity each : activities) {
      double start = seconds(begun, Instant.ofEpochMilli(each.startMillis()), process);
      double end = start + each.millis() / 1e3;
      if (end >= 0) {
        events.add(new Event(Math.max(0, start), end, "%s, %s ms".formatted(name, each.millis())));
      }
    }
    if (kind.equals(GridActivity.STALL)) {
      // What the collector stopped is told by its log.
      events.removeIf(
          stall ->
              lanes.stream()
                  .filter(lane -> lane.name().equals("GC " + process))
                  .flatMap(lane -> lane.events().stream())
                  .anyMatch(pause -> overlap(pause, stall)));
    }
    if (kind.equals(GridActivity.COMPILATION)) {
      // By the second it is known less exactly.
      lanes.removeIf(lane -> lane.name().equals(name));
      return new Lane(name, COMPILATION, events);
    }
    return new Lane(name, of(kind, process), events);
  }
}
