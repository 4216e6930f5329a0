package io.pyrometer.scenario.trial;

import io.pyrometer.journal.Metric;
import io.pyrometer.scenario.protocol.ClockComparison;
import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.Part;
import io.pyrometer.scenario.protocol.ScenarioSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The summary and the metrics that the logs of a trial yield. */
public final class ScenarioAnalysis {
  private ScenarioAnalysis() {}

  /** Sums a trial up. */
  public static ScenarioSummary summary(
      ScenarioLogs logs,
      OutcomeCheck check,
      List<ScenarioSummary.Clock> clocks,
      List<Long> inFlight,
      int measuredFrom) {
    Map<String, Long> outcomes = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome.words(), check.count(outcome));
    }
    return new ScenarioSummary(
        1,
        check.measured(),
        outcomes,
        TimeSplit.summary(logs, clockErrorNanos(clocks)),
        check.counts(),
        clocks,
        inFlight,
        measuredFrom);
  }

  /** Of two processes; each is known with the error of its offset, which drifts during a trial. */
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

  /** The metrics of a trial, by name. */
  public static Map<String, Metric> metrics(ScenarioSummary summary) {
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
            metrics.put(
                "elapsed-without-mock",
                Metric.lowerIsBetter(split.whole().mean() - times.mean(), "ms"));
          }
        }
      }
      metrics.put("split.difference", Metric.neutral(split.differencePercent(), "%"));
    }
    for (ScenarioSummary.Clock clock : summary.clocks()) {
      clock("before", clock.before(), metrics);
      clock("after", clock.after(), metrics);
    }
    return metrics;
  }

  private static void clock(String when, ClockComparison clock, Map<String, Metric> metrics) {
    String name = "clock." + clock.process() + ".";
    metrics.put(name + "offset-" + when, Metric.neutral(clock.offsetNanos() / 1e3, "µs"));
    metrics.put(name + "error-" + when, Metric.neutral(clock.errorNanos() / 1e3, "µs"));
  }
}
