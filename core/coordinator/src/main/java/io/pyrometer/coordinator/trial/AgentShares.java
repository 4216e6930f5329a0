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
    double perSecond(long count) {
      return count / Math.max(did.seconds(), 1e-9);
    }

    double rate() {
      return perSecond(did.records());
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
            .map(arrivals -> Metric.neutral(share.perSecond(arrivals.offered()), "calls/s"))
            .ifPresent(offered -> metrics.put(Metric.OFFERED_RATE_OF + share.agent, offered));
        late(share)
            .map(millis -> Metric.neutral(millis, "ms"))
            .ifPresent(late -> metrics.put(Metric.START_OF + share.agent, late));
      }
    }
    return metrics;
  }

  private Optional<Double> late(Share share) {
    Optional<Long> first = shares.stream().flatMap(each -> each.began.stream()).min(Long::compare);
    return share.began.flatMap(began -> first.map(from -> (began - from) / 1e3));
  }

  private static Check lateStart(String agent, double millis) {
    double limit = ValidityLimits.USUAL.startMillis();
    return new Check(Check.LATE_START, millis, limit, "ms", millis > limit).of(Optional.of(agent));
  }

  /** The last to begin and the slowest of them, by name. */
  List<Check> checks() {
    List<Check> checks = new ArrayList<>();
    if (shares.size() < 2) {
      return checks;
    }
    shares.stream()
        .flatMap(share -> late(share).map(millis -> lateStart(share.agent, millis)).stream())
        .max(Comparator.comparingDouble(Check::value))
        .ifPresent(checks::add);
    double median = Samples.median(shares.stream().mapToDouble(Share::rate).toArray());
    Share slowest = shares.stream().min(Comparator.comparingDouble(Share::rate)).orElseThrow();
    if (median > 0 && shares.stream().anyMatch(share -> share.did.calls() >= MIN_CALLS)) {
      double share = slowest.rate() / median;
      double limit = ValidityLimits.USUAL.agentRate();
      checks.add(
          new Check(Check.SLOWEST_RATE, share * 100, limit * 100, "%", share < limit)
              .of(Optional.of(slowest.agent)));
    }
    return checks;
  }
}
