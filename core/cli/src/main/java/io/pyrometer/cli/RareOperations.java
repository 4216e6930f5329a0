package io.pyrometer.cli;

import io.pyrometer.analysis.latency.Percentiles;
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

/** Says before a run which operation of a mix will be called too rarely for its p99. */
final class RareOperations {
  private static final double MIN_CALLS = Percentiles.samplesNeeded(99);

  /** So much more than that is advised, as arrivals and operations are drawn. */
  private static final double MARGIN = 1.2;

  private static final double ROUNDING = 1e-6;

  /** Seconds; nobody lengthens trials beyond. */
  private static final double LONGEST_MEASURE = 3600;

  private record Rare(String operation, double calls, double measure) {}

  private RareOperations() {}

  /**
   * One sentence on the rarest; empty where there are enough calls, or their rate is not given.
   * Percentiles are those of all blocks together; a comparison needs them of each trial.
   */
  static Optional<String> of(PlannedRun plan) {
    boolean each = plan.interleaving().isPresent();
    int trials = each ? 1 : plan.blocks();
    return plan.trials().stream()
        .flatMap(trial -> of(trial, trials))
        .min(Comparator.comparingDouble(Rare::calls))
        .map(
            rare ->
                "About %.0f calls of '%s' in %s are too few for a p99 (%.0f)%s."
                    .formatted(
                        rare.calls,
                        rare.operation,
                        each ? "each trial" : "all blocks",
                        MIN_CALLS,
                        advice(rare)));
  }

  private static String advice(Rare rare) {
    double enough = Math.ceil(MARGIN * MIN_CALLS / rare.calls * rare.measure - ROUNDING);
    return enough > LONGEST_MEASURE
        ? ""
        : ": a '%s' of %.0fs gives enough".formatted(CoreSettings.MEASURE.name(), enough);
  }

  private static Stream<Rare> of(TrialSpec trial, int trials) {
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
            .orElse(Map.of("read", reads, "write", 1 - reads));
    return shares.entrySet().stream()
        .filter(share -> share.getValue() > 0)
        .map(share -> new Rare(share.getKey(), share.getValue() * rate * measure * trials, measure))
        .filter(rare -> rare.calls < MIN_CALLS);
  }
}
