package io.pyrometer.cli;

import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shares;
import io.pyrometer.protocol.TrialSpec;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Says before a run which operation of a mix will be called too seldom for its p99. */
final class RareOperations {
  /** Ten of them lie beyond the p99. */
  private static final double LEAST_CALLS = 1_000;

  /** So much more than that is advised, as arrivals and operations are drawn. */
  private static final double MARGIN = 1.2;

  private static final double ROUNDING = 1e-6;

  private record Rare(String operation, double calls, double measure) {}

  private RareOperations() {}

  /** One sentence on the rarest; empty where there are enough calls, or their rate is not given. */
  static Optional<String> of(PlannedRun plan) {
    return plan.trials().stream()
        .flatMap(RareOperations::of)
        .min(Comparator.comparingDouble(Rare::calls))
        .map(
            rare ->
                "About %.0f calls of a trial will be %s, which is too few for a p99 of their own (%.0f): --set %s=%.0fs gives enough."
                    .formatted(
                        rare.calls,
                        rare.operation,
                        LEAST_CALLS,
                        CoreSettings.MEASURE.name(),
                        Math.ceil(MARGIN * LEAST_CALLS / rare.calls * rare.measure - ROUNDING)));
  }

  private static Stream<Rare> of(TrialSpec trial) {
    Settings settings = trial.settings();
    double rate = settings.find(CoreSettings.RATE).orElse(0.0);
    if (trial.job() != Job.MIX || rate == 0 || settings.has(CoreSettings.STAGES)) {
      return Stream.of();
    }
    double measure = settings.get(CoreSettings.MEASURE);
    double reads = settings.find(CoreSettings.READS).orElse(1.0);
    Map<String, Double> shares =
        settings
            .find(PathSettings.MIX)
            .map(Shares::byName)
            .orElse(Map.of("reads", reads, "writes", 1 - reads));
    return shares.entrySet().stream()
        .filter(share -> share.getValue() > 0)
        .map(share -> new Rare(share.getKey(), share.getValue() * rate * measure, measure))
        .filter(rare -> rare.calls < LEAST_CALLS);
  }
}
