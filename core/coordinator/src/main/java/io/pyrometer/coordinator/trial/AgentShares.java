package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.Samples;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Shares of several agents in a trial's load: whether they began together, and whether one was
 * slow. Of a single agent there is nothing to say.
 */
record AgentShares(List<Share> shares) {
  /** Fewer calls differ by chance. */
  private static final int MIN_CALLS = 30;

  /**
   * @param agent its name
   * @param began to measure, in microseconds by the coordinator's clock; empty if not told
   */
  record Share(String agent, Answer.Finished did, Optional<Long> began) {
    double rate() {
      return did.records() / Math.max(did.seconds(), 1e-9);
    }
  }

  Map<String, Metric> metrics() {
    Map<String, Metric> metrics = new TreeMap<>();
    if (shares.size() > 1) {
      for (Share share : shares) {
        metrics.put(Metric.THROUGHPUT_OF + share.agent, Metric.neutral(share.rate(), "records/s"));
        share
            .did
            .arrivals()
            .ifPresent(
                arrivals ->
                    metrics.put(
                        Metric.OFFERED_RATE_OF + share.agent,
                        Metric.neutral(
                            arrivals.offered() / Math.max(share.did.seconds(), 1e-9), "calls/s")));
        late(share)
            .ifPresent(
                millis -> metrics.put(Metric.START_OF + share.agent, Metric.neutral(millis, "ms")));
      }
    }
    return metrics;
  }

  private Optional<Double> late(Share share) {
    Optional<Long> first = shares.stream().flatMap(each -> each.began.stream()).min(Long::compare);
    return share.began.flatMap(began -> first.map(from -> (began - from) / 1e3));
  }

  /** The last to begin and the slowest of them, by name. */
  List<Check> checks() {
    List<Check> checks = new ArrayList<>();
    if (shares.size() < 2) {
      return checks;
    }
    ValidityLimits limits = ValidityLimits.USUAL;
    shares.stream()
        .filter(share -> late(share).isPresent())
        .max(Comparator.comparingDouble(share -> late(share).orElseThrow()))
        .ifPresent(
            last -> {
              double millis = late(last).orElseThrow();
              boolean apart = millis > limits.startMillis();
              checks.add(
                  new Check(Check.LATE_START, millis, limits.startMillis(), "ms", apart)
                      .of(Optional.of(last.agent)));
            });
    double median = Samples.median(shares.stream().mapToDouble(Share::rate).toArray());
    Share slowest = shares.stream().min(Comparator.comparingDouble(Share::rate)).orElseThrow();
    if (median > 0 && shares.stream().anyMatch(share -> share.did.calls() >= MIN_CALLS)) {
      double share = slowest.rate() / median;
      boolean slow = share < limits.agentRate();
      checks.add(
          new Check(Check.SLOWEST_RATE, share * 100, limits.agentRate() * 100, "%", slow)
              .of(Optional.of(slowest.agent)));
    }
    return checks;
  }
}
