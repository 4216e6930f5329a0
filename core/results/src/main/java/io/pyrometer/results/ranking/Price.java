package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Requirements of a treatment on its clients, apart from CPU time, as its trials had them.
 *
 * @param clients processes that generate load
 * @param threads load threads of each
 * @param clientBytes resident memory of the largest client process in any trial; empty where it was
 *     not read
 * @param messagesSent by all clients for one record, about; few where a client has its own copies
 * @param slowestCallMillis median of the operation with the longest median
 * @param settings of its access path alone, such as the batch size and the entries of a near cache
 */
public record Price(
    int clients,
    int threads,
    OptionalDouble clientBytes,
    OptionalDouble messagesSent,
    OptionalDouble slowestCallMillis,
    Map<String, String> settings) {

  static Price of(
      List<TrialRecord> trials, Optional<PathDescription> path, List<OperationLatency> latencies) {
    TrialRecord any = trials.get(0);
    Map<String, String> own = new LinkedHashMap<>();
    path.ifPresent(
        of ->
            of.settings()
                .forEach(
                    setting ->
                        Optional.ofNullable(any.settings().values().get(setting.name()))
                            .ifPresent(
                                value ->
                                    own.put(setting.name(), SettingText.written(setting, value)))));
    return new Price(
        any.settings().find(CoreSettings.AGENTS).orElse(1),
        any.settings().find(CoreSettings.THREADS).orElse(1),
        trials.stream()
            .flatMap(trial -> trial.metrics().entrySet().stream())
            .filter(metric -> metric.getKey().startsWith(Metric.RESIDENT_BYTES_OF + "agent"))
            .mapToDouble(metric -> metric.getValue().value())
            .max(),
        trials.stream()
            .flatMap(
                trial ->
                    trial.value(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_MESSAGES_OUT).stream())
            .mapToDouble(Double::doubleValue)
            .average(),
        latencies.stream()
            .flatMap(latency -> latency.of(LatencyStatistic.P50).stream())
            .mapToDouble(p50 -> p50.value() / 1e3)
            .max(),
        own);
  }

  /** In a sentence: {@code a client of 1.05 GB, 4 threads, batch 1000, 2.1 ms a call}. */
  String words() {
    List<String> parts = new ArrayList<>();
    String each = clients > 1 ? " in each of " + clients + " clients" : "";
    clientBytes.ifPresent(
        bytes ->
            parts.add(String.format(Locale.ROOT, "%.2f GB of memory in a client", bytes / 1e9)));
    parts.add(Figures.count(threads, "thread") + each);
    settings.forEach((name, value) -> parts.add(name + " " + value));
    slowestCallMillis.ifPresent(
        millis -> parts.add("%s ms a call".formatted(Recommendation.Sentence.figure(millis))));
    messagesSent.ifPresent(
        messages ->
            parts.add(
                "%s messages sent for a record"
                    .formatted(Recommendation.Sentence.figure(messages))));
    return Phrases.and(parts);
  }
}
