package io.pyrometer.results.ranking;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Requirements of a treatment on its clients, apart from CPU time, as its trials had them.
 *
 * @param clients processes that generate load
 * @param threads load threads of each
 * @param clientBytes resident memory of the largest client process in any trial; empty where it was
 *     not read
 * @param nearCacheHits hit ratio of the clients' caches in a path with a near cache; empty where
 *     the grid's metrics were not recorded
 * @param settings of its access path alone, such as the batch size and the entries of a near cache
 */
public record Price(
    int clients,
    int threads,
    OptionalDouble clientBytes,
    OptionalDouble nearCacheHits,
    Map<String, String> settings) {

  /** The entries of a client's near cache, of drivers that have one; 0 for no limit. */
  private static final String NEAR_ENTRIES = "near-entries";

  static Price of(List<TrialRecord> trials, Optional<PathDescription> path) {
    TrialRecord any = trials.get(0);
    Map<String, String> own = new LinkedHashMap<>();
    path.ifPresent(
        of ->
            of.settings()
                .forEach(
                    setting ->
                        Optional.ofNullable(any.settings().values().get(setting.name()))
                            .ifPresent(value -> own.put(setting.name(), written(setting, value)))));
    return new Price(
        any.settings().find(CoreSettings.AGENTS).orElse(1),
        any.settings().find(CoreSettings.THREADS).orElse(1),
        trials.stream()
            .flatMap(trial -> trial.metrics().entrySet().stream())
            .filter(metric -> metric.getKey().startsWith(Metric.RESIDENT_BYTES_OF + "agent"))
            .mapToDouble(metric -> metric.getValue().value())
            .max(),
        own.containsKey(NEAR_ENTRIES) ? hits(trials) : OptionalDouble.empty(),
        own);
  }

  private static OptionalDouble hits(List<TrialRecord> trials) {
    double hits = sum(trials, "grid.cache.hits.agents");
    double gets = sum(trials, "grid.cache.gets.agents");
    return gets > 0 ? OptionalDouble.of(hits / gets) : OptionalDouble.empty();
  }

  private static double sum(List<TrialRecord> trials, String metric) {
    return trials.stream().mapToDouble(trial -> trial.value(metric).orElse(0.0)).sum();
  }

  private static String written(SettingDescription setting, Object value) {
    boolean unlimited = setting.name().equals(NEAR_ENTRIES) && value.equals(0);
    return unlimited ? "unlimited" : SettingText.written(setting, value);
  }

  /** The settings as an experiment's file has them. */
  String writtenSettings() {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + " " + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
