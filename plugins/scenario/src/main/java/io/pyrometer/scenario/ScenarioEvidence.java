package io.pyrometer.scenario;

import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.trial.LoadTrialObservation;
import io.pyrometer.coordinator.trial.TrialRunner;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import io.pyrometer.scenario.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.ScenarioMessages.CollectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioRecorded;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Records of the processes of a scenario's trial: fetched into the run's folder, put together, and
 * judged. The artefacts, metrics and validity checks go to the trial's observation.
 */
final class ScenarioEvidence {
  private final TrialRunner.Request request;
  private final LoadTrialObservation observed;
  private final Path folder;
  private final List<ProcessLog> processes = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<Answer.Interval> timers = new ArrayList<>();
  private List<Long> inFlight = List.of();

  ScenarioEvidence(TrialRunner.Request request, LoadTrialObservation observed, Path folder) {
    this.request = request;
    this.observed = observed;
    this.folder = folder;
  }

  /**
   * Fetches what one process recorded. Of one that was killed there is the log alone, and only if
   * it ran on this machine.
   *
   * @param as what the process was prepared as
   * @throws IOException if its log is not readable
   */
  void collect(ManagedProcess agent, PrepareScenario as, boolean killed) throws IOException {
    Optional<ScenarioRecorded> recorded =
        killed
            ? Optional.empty()
            : Optional.of(
                agent
                    .request(
                        ScenarioMessages.command(new CollectScenario()),
                        Answer.OfKind.class,
                        Timeouts.QUICK)
                    .as(ScenarioRecorded.class));
    recorded.ifPresent(
        told -> {
          errors.addAll(told.errors());
          timers.add(new Answer.Interval(0, 1, told.timers()));
          inFlight = told.inFlight().isEmpty() ? inFlight : told.inFlight();
        });
    String name = as.role().process(as.index());
    Path log = Files.createDirectories(folder).resolve(name + ".spans.gz");
    SpanLog spans = new SpanLog(List.of(), List.of());
    if (copyLog(agent, as, recorded, log)) {
      artefact(ScenarioSummary.SPANS, name, log);
      spans = SpanLog.read(log);
    }
    processes.add(new ProcessLog(as.role(), as.index(), spans, 0, killed));
  }

  /**
   * @return whether there is one
   */
  private boolean copyLog(
      ManagedProcess agent, PrepareScenario as, Optional<ScenarioRecorded> recorded, Path to)
      throws IOException {
    if (recorded.isEmpty() && !request.cluster().spec().hostOf(agent).local()) {
      return false;
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to), 1 << 16)) {
      if (recorded.isEmpty()) {
        Files.copy(Path.of(as.folder()).resolve(as.log()), out);
      } else {
        agent.fetch(recorded.get().log(), recorded.get().logBytes(), Timeouts.QUICK, out);
      }
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("scenario.log-unwritable"),
          as.role().process(as.index()),
          to,
          failure.getMessage(),
          failure);
    }
    return true;
  }

  /**
   * Says whether every request ended in exactly one outcome and no message was lost, and leaves the
   * summary and the timers in the folder.
   *
   * @param before the clocks of the other processes before the load
   * @param after the same after it
   */
  Verification judge(List<ClockComparison> before, ClocksCompared after) {
    Map<String, Long> offsets = new TreeMap<>();
    List<ScenarioSummary.Clock> clocks = new ArrayList<>();
    for (ClockComparison then : before) {
      ClockComparison now =
          after.clocks().stream()
              .filter(clock -> clock.process().equals(then.process()))
              .findFirst()
              .orElse(then);
      clocks.add(new ScenarioSummary.Clock(then, now));
      offsets.put(then.process(), (then.offsetNanos() + now.offsetNanos()) / 2);
    }
    ScenarioLogs logs =
        ScenarioLogs.of(
            processes.stream()
                .map(each -> each.ahead(offsets.getOrDefault(each.name(), 0L)))
                .toList());
    OutcomeCheck check = OutcomeCheck.of(logs, ScenarioSettings.dropped(request.spec().settings()));
    ScenarioSummary summary = summary(logs, check, clocks);
    observed.measured(metrics(summary));
    observed.checked(splitChecks(summary, ValidityLimits.USUAL));
    write(summary);
    return verification(check);
  }

  private ScenarioSummary summary(
      ScenarioLogs logs, OutcomeCheck check, List<ScenarioSummary.Clock> clocks) {
    Map<String, Long> outcomes = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome.words(), check.count(outcome));
    }
    return new ScenarioSummary(
        1,
        check.measured(),
        outcomes,
        LatencyBreakdown.summary(logs, clockErrorNanos(clocks)),
        check.counts(),
        clocks,
        inFlight,
        observed.measuredFrom());
  }

  /**
   * Error in nanoseconds between the clocks of two processes, each with the error of its offset,
   * which drifts during a trial.
   */
  private static long clockErrorNanos(List<ScenarioSummary.Clock> clocks) {
    return 2
        * clocks.stream()
            .mapToLong(
                clock ->
                    Math.max(clock.before().errorNanos(), clock.after().errorNanos())
                        + Math.abs(clock.before().offsetNanos() - clock.after().offsetNanos()))
            .max()
            .orElse(0);
  }

  private static Map<String, Metric> metrics(ScenarioSummary summary) {
    Map<String, Metric> metrics = new TreeMap<>();
    double all = Math.max(1, summary.requests());
    metrics.put("requests", Metric.neutral((double) summary.requests(), "requests"));
    for (Outcome outcome : Outcome.values()) {
      double share = 100.0 * summary.outcome(outcome.words()) / all;
      metrics.put(
          "outcome." + outcome.metric(),
          outcome == Outcome.COMPLETED
              ? Metric.higherIsBetter(share, "%")
              : Metric.lowerIsBetter(share, "%"));
    }
    summary
        .counts()
        .forEach(
            (what, times) ->
                metrics.put(
                    "count." + what.replace(' ', '-'), Metric.lowerIsBetter((double) times, "")));
    ScenarioSummary.Split split = summary.split();
    if (split.requests() > 0) {
      for (Part part : Part.values()) {
        ScenarioSummary.Times times = split.parts().get(part.words());
        if (times != null) {
          metrics.put("split." + part.metric(), Metric.lowerIsBetter(times.mean(), "ms"));
          if (part == Part.MOCK) {
            metrics.put("elapsed-without-mock", Metric.lowerIsBetter(split.withoutMock(), "ms"));
          }
        }
      }
      metrics.put("split.difference", Metric.neutral(split.differencePercent(), "%"));
    }
    return metrics;
  }

  /**
   * Checks whether a scenario's parts add up to the whole, for enough of the requests, and with
   * clocks that agree.
   */
  private static List<Check> splitChecks(ScenarioSummary summary, ValidityLimits limits) {
    long completed = summary.outcome(Outcome.COMPLETED.words());
    if (completed == 0) {
      return List.of();
    }
    ScenarioSummary.Split split = summary.split();
    double difference = Math.abs(split.differencePercent());
    double most = limits.split() * 100;
    double followed = 100.0 * split.requests() / completed;
    double least = limits.followed() * 100;
    double impossible = 100.0 * split.impossible() / Math.max(1, split.requests());
    return List.of(
        new Check("parts against whole", difference, most, "%", difference > most),
        new Check("requests followed", followed, least, "%", followed < least),
        new Check("received before sent", impossible, 100 - least, "%", impossible > 100 - least));
  }

  private void write(ScenarioSummary summary) {
    Path log = folder.resolve("timers.hlog");
    Latencies.write(log, request.time().now().toEpochMilli(), timers.stream());
    artefact(ScenarioSummary.TIMERS, "", log);
    Path scenario = folder.resolve("scenario.json");
    request.folder().write(artefact(ScenarioSummary.SUMMARY, "", scenario), summary);
  }

  /**
   * @return the file relative to the run's folder
   */
  private String artefact(String kind, String process, Path file) {
    String name = request.folder().path().relativize(file).toString();
    observed.kept(kind, process, name);
    return name;
  }

  private Verification verification(OutcomeCheck check) {
    boolean planted = ScenarioSettings.dropped(request.spec().settings()) > 0;
    String expected =
        String.format(
            Locale.ROOT,
            Messages.format("scenario.verified"),
            check.requests(),
            planted ? " but those dropped on purpose" : "");
    if (check.problems().isEmpty()) {
      return new Verification(true, expected, expected);
    }
    String causes = errors.isEmpty() ? "" : "; failures: " + String.join(", ", errors);
    return new Verification(false, expected, String.join("; ", check.problems()) + causes);
  }
}
