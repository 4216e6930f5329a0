package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How many records a second the generator alone reaches, by access path: the same agents, threads
 * and records against the null grid, which takes a call and does nothing.
 */
public record GeneratorCeiling(int schema, Map<String, Double> recordsPerSecond) {
  public static final String NULL_DRIVER = "null";
  public static final GeneratorCeiling UNKNOWN = new GeneratorCeiling(1, Map.of());
  private static final double WARM_UP_SECONDS = 0.8;
  private static final long MOST_RECORDS = 20_000;
  private static final double SECONDS = 0.4;

  public OptionalDouble of(TrialSpec trial) {
    Double value = recordsPerSecond.get(key(trial));
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /**
   * Measures each access path of the plan that the null grid has an equivalent of, with its first
   * trial.
   *
   * @param record makes a trial on the null grid
   * @param note is told a sentence where a limit could not be measured
   */
  public static GeneratorCeiling measure(
      List<TrialSpec> trials,
      DriverDescription nullDriver,
      Function<TrialSpec, TrialRecord> record,
      Consumer<String> note) {
    Map<String, Double> ceiling = new LinkedHashMap<>();
    // Paths that put the same load on the null grid are measured once.
    Map<Object, Optional<Double>> measured = new HashMap<>();
    Set<String> paths = new HashSet<>();
    for (TrialSpec trial : trials) {
      if (paths.add(trial.path())) {
        equivalent(trial, nullDriver)
            .flatMap(
                spec ->
                    measured.computeIfAbsent(
                        List.of(spec.job(), spec.settings(), spec.record()),
                        unused -> measure(spec, record.apply(spec), note)))
            .ifPresent(value -> ceiling.put(key(trial), value));
      }
    }
    return new GeneratorCeiling(1, ceiling);
  }

  /** A limit is that of as many threads and agents. */
  private static String key(TrialSpec trial) {
    return "%s, %d threads, %d agents"
        .formatted(
            trial.path(),
            trial.settings().get(CoreSettings.THREADS),
            trial.settings().get(CoreSettings.AGENTS));
  }

  private static Optional<Double> measure(
      TrialSpec spec, TrialRecord record, Consumer<String> note) {
    if (record.outcome() != TrialRecord.Outcome.OK) {
      note.accept(
          Messages.format(
              "coordinator.ceiling-of-path", spec.path(), record.why().orElse("no reason given.")));
    }
    return record.throughput();
  }

  private static Optional<TrialSpec> equivalent(TrialSpec trial, DriverDescription nullDriver) {
    return nullDriver.paths().stream()
        .filter(path -> path.job() == trial.job())
        .min(Comparator.comparingInt(path -> likeness(path, trial)))
        .map(path -> on(path, trial));
  }

  private static int likeness(PathDescription path, TrialSpec trial) {
    if (path.name().equals(trial.path())) {
      return 0;
    }
    boolean bothBatched =
        trial.settings().has(PathSettings.BATCH)
            && path.settings().stream().anyMatch(s -> s.name().equals(PathSettings.BATCH.name()));
    return bothBatched ? 1 : path.plainest() ? 2 : 3;
  }

  private static TrialSpec on(PathDescription path, TrialSpec trial) {
    Settings own = Settings.NONE;
    for (SettingDescription setting : path.settings()) {
      if (setting.initial().isPresent()) {
        own = own.with(setting.name(), setting.initial().get());
      }
    }
    long records = Math.min(MOST_RECORDS, trial.settings().get(CoreSettings.RECORDS));
    Settings settings =
        own.with(CoreSettings.endless(trial.settings()))
            .without(CoreSettings.STAGES, CoreSettings.SERVER_EVENT, CoreSettings.CUT_FOR)
            .with(CoreSettings.DRIVER, NULL_DRIVER)
            .with(CoreSettings.PATH, path.name())
            .with(CoreSettings.NODES, 0)
            .with(CoreSettings.RECORDS, records)
            .with(CoreSettings.RATE, 0.0)
            .with(CoreSettings.WARM_UP, WARM_UP_SECONDS)
            .with(CoreSettings.MEASURE, SECONDS);
    return trial.as("generator-" + trial.path(), settings);
  }
}
