package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.Workers;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialResult;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/**
 * How many records a second the generator alone reaches, by access path: the same agents, threads
 * and records against the null grid, which takes a call and does nothing.
 */
public record Ceiling(int schema, Map<String, Double> recordsPerSecond) {
  public static final String NULL_DRIVER = "null";
  static final Ceiling UNKNOWN = new Ceiling(1, Map.of());
  private static final double WARM_UP_SECONDS = 0.1;
  private static final long MOST_RECORDS = 20_000;
  private static final double SECONDS = 0.3;

  OptionalDouble of(TrialSpec trial) {
    Double value = recordsPerSecond.get(trial.path());
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Measures each path of the plan that the null grid has a like of, with its first trial. */
  static Ceiling measure(
      RunContext context,
      Workers workers,
      DriverDescription nothing,
      BiConsumer<String, Double> rate) {
    List<TrialSpec> trials = context.plan().trials();
    PlannedRun plan = onNothing(context.plan(), nothing);
    Settings settings = trials.get(0).settings().with("nodes", 0);
    try (Cluster cluster =
        Cluster.start(
            new Recipe(
                workers,
                Runs.here(plan, context.distribution()),
                plan,
                context.folder(),
                settings,
                false,
                "generator"))) {
      Map<String, Double> ceiling = new LinkedHashMap<>();
      Map<Object, Optional<Double>> measured = new HashMap<>();
      for (TrialSpec trial : trials) {
        if (!ceiling.containsKey(trial.path())) {
          like(trial, nothing)
              .flatMap(
                  spec ->
                      measured.computeIfAbsent(
                          what(spec), unused -> measure(cluster, spec, context, rate)))
              .ifPresent(value -> ceiling.put(trial.path(), value));
        }
      }
      return new Ceiling(1, ceiling);
    } catch (WorkerException failure) {
      context
          .progress()
          .note("The generator's own limit could not be measured: " + failure.sentence());
      return UNKNOWN;
    }
  }

  /** Paths of the grid that come to the same on the null grid are measured once. */
  private static Object what(TrialSpec spec) {
    return List.of(spec.job(), spec.settings(), spec.record());
  }

  private static Optional<Double> measure(
      Cluster cluster, TrialSpec spec, RunContext context, BiConsumer<String, Double> rate) {
    TrialResult result =
        new TrialRun(
                cluster, spec, 1, context.clock(), context.limits(), OptionalDouble.empty(), rate)
            .measure(made -> true)
            .result();
    if (result.outcome() != TrialResult.Outcome.OK) {
      context
          .progress()
          .note(
              "The generator's own limit for %s could not be measured: %s"
                  .formatted(spec.path(), result.why().orElse("no reason given.")));
    }
    return result.records() == 0 || result.measuredSeconds() == 0
        ? Optional.empty()
        : Optional.of(result.records() / result.measuredSeconds());
  }

  private static Optional<TrialSpec> like(TrialSpec trial, DriverDescription nothing) {
    Optional<PathDescription> path =
        nothing.paths().stream()
            .filter(p -> p.job() == trial.job())
            .min(java.util.Comparator.comparingInt(p -> likeness(p, trial)));
    return path.map(p -> on(p, trial));
  }

  private static int likeness(PathDescription path, TrialSpec trial) {
    if (path.name().equals(trial.path())) {
      return 0;
    }
    boolean bothBatched = trial.settings().has("batch") && has(path, "batch");
    return bothBatched ? 1 : path.plainest() ? 2 : 3;
  }

  private static boolean has(PathDescription path, String setting) {
    return path.settings().stream().anyMatch(s -> s.name().equals(setting));
  }

  private static TrialSpec on(PathDescription path, TrialSpec trial) {
    Settings own = Settings.NONE;
    for (SettingDescription setting : path.settings()) {
      if (setting.initial().isPresent()) {
        own = own.with(setting.name(), setting.initial().get());
      }
    }
    Settings settings =
        own.with(trial.settings())
            .with("path", path.name())
            .with("records", Math.min(MOST_RECORDS, trial.settings().number("records")))
            .with("rate", 0)
            .with("warm-up", WARM_UP_SECONDS)
            .with("measure", SECONDS);
    return new TrialSpec(
        "generator-" + trial.path(),
        trial.ordinal(),
        0,
        trial.levels(),
        trial.job(),
        settings,
        trial.record(),
        trial.seed());
  }

  private static PlannedRun onNothing(PlannedRun plan, DriverDescription nothing) {
    return new PlannedRun(
        plan.schema(),
        plan.name(),
        plan.question(),
        plan.arguments(),
        plan.seed(),
        plan.blocks(),
        Optional.empty(),
        Optional.empty(),
        plan.classPath(),
        plan.analyses(),
        plan.factors(),
        List.of(),
        Optional.empty(),
        plan.unsaid(),
        plan.hosts(),
        nothing,
        plan.groups());
  }
}
