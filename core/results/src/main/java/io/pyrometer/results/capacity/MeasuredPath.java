package io.pyrometer.results.capacity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.capacity.CapacityPlan;
import io.pyrometer.analysis.capacity.ServiceModel;
import io.pyrometer.analysis.capacity.ServiceModel.Cell;
import io.pyrometer.analysis.capacity.Testbed;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The trials of a run that differ in the number of servers, the number of clients and the rate
 * alone, so that one model of service demands holds for all of them.
 *
 * @param label the access path, with the settings in which it differs from other such groups
 * @param demands of the valid trials that kept their rate
 * @param testbed that all of them were measured on
 */
record MeasuredPath(String label, List<TrialDemands> demands, Testbed testbed) {
  private static final String PATH = "path";

  /** What a model of demands is a function of, and what does not change a call. */
  private static final Set<String> OF_LOAD =
      Set.of(
          CoreSettings.NODES.description().name(),
          CoreSettings.AGENTS.description().name(),
          CoreSettings.THREADS.description().name(),
          CoreSettings.THREADS_PER_NODE.description().name(),
          CoreSettings.COMMON_WARM_UP.name(),
          CoreSettings.RATE.description().name(),
          CoreSettings.ARRIVAL.description().name());

  /**
   * All of a run, in the order of their first trials.
   *
   * @throws BadDataException in one sentence, if no trial records service demands
   */
  static List<MeasuredPath> of(RunRecord run) {
    Map<Map<String, Object>, List<TrialDemands>> groups = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      boolean held = OfferedRate.of(trial) == 0 || OfferedRate.achieved(trial) >= 0.98;
      if (held) {
        TrialDemands.of(run.plan(), trial)
            .ifPresent(d -> ListsByKey.add(groups, group(trial.settings()), d));
      }
    }
    if (groups.isEmpty()) {
      throw BadDataException.of(
          run.whole()
              ? "The run %s has no valid trial with service demands: it was made by an older version or on an attached grid; run it again."
              : "The run %s was stopped before it had a valid trial: continue it with resume.",
          run.plan().name());
    }
    List<Map<String, String>> texts = groups.keySet().stream().map(MeasuredPath::texts).toList();
    List<MeasuredPath> paths = new ArrayList<>();
    int i = 0;
    for (List<TrialDemands> demands : groups.values()) {
      Map<String, String> own = texts.get(i++);
      List<Map<String, String>> samePath =
          texts.stream()
              .filter(t -> t.getOrDefault(PATH, "").equals(own.getOrDefault(PATH, "")))
              .toList();
      String differing = differing(own, samePath);
      String path = own.getOrDefault(PATH, "all trials");
      paths.add(
          new MeasuredPath(
              differing.isEmpty() ? path : path + " · " + differing,
              demands,
              testbed(demands.get(0).trial().settings(), run.environment().cores())));
    }
    return paths;
  }

  /** A product has settings of its own: of several its driver's name says it, if that suffices. */
  private static String differing(Map<String, String> own, List<Map<String, String>> all) {
    String driver = CoreSettings.DRIVER.name();
    List<String> drivers = all.stream().map(each -> each.getOrDefault(driver, "")).toList();
    return drivers.stream().distinct().count() == drivers.size() && drivers.size() > 1
        ? own.getOrDefault(driver, "")
        : Phrases.differing(own, all);
  }

  /** Servers with CPU quotas have CPUs of their own; clients without one have the machine's. */
  private static Testbed testbed(Settings settings, int cpus) {
    double node = quota(settings, CoreSettings.NODE_CPUS);
    double agent = quota(settings, CoreSettings.AGENT_CPUS);
    return node > 0
        ? new Testbed.Quotas(node, agent > 0 ? agent * settings.get(CoreSettings.AGENTS) : cpus)
        : new Testbed.Shared(cpus);
  }

  private static double quota(Settings settings, SettingKey<Double> key) {
    return settings.has(key.name()) ? settings.get(key) : 0;
  }

  private static Map<String, Object> group(Settings settings) {
    Map<String, Object> group = new TreeMap<>(settings.values());
    group.keySet().removeAll(OF_LOAD);
    return group;
  }

  private static Map<String, String> texts(Map<String, Object> group) {
    Map<String, String> texts = new TreeMap<>();
    group.forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  /** The model of all blocks, or of one. */
  ServiceModel model(List<TrialDemands> of) {
    return ServiceModel.fit(of.stream().map(TrialDemands::cell).toList(), testbed);
  }

  /** One model for each block that has all numbers of servers of the run. */
  List<ServiceModel> models() {
    Map<Integer, List<TrialDemands>> byBlock =
        demands.stream()
            .collect(
                Collectors.groupingBy(d -> d.trial().block(), TreeMap::new, Collectors.toList()));
    long servers = demands.stream().map(TrialDemands::servers).distinct().count();
    return byBlock.values().stream()
        .filter(block -> block.stream().map(TrialDemands::servers).distinct().count() == servers)
        .map(this::model)
        .toList();
  }

  int mostServers() {
    return demands.stream().mapToInt(TrialDemands::servers).max().orElse(1);
  }

  double recordsPerCall() {
    return demands.stream().mapToDouble(TrialDemands::recordsPerCall).average().orElse(1);
  }

  /** What a call takes besides CPU time, of the trials with the most servers. */
  CapacityPlan.Footprint footprint(ServiceModel model) {
    List<TrialDemands> largest =
        demands.stream().filter(d -> d.servers() == mostServers()).toList();
    double bytes =
        Math.max(
            mean(largest, Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_OUT),
            mean(largest, Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_IN));
    boolean forwarded =
        demands.stream()
            .map(d -> d.trial().settings())
            .anyMatch(s -> !s.get(PathSettings.PARTITION_AWARENESS));
    int backups = demands.stream().mapToInt(TrialDemands::backups).max().orElse(0);
    double trips = 1 + (backups > 0 ? 1 : 0) + (forwarded ? 1 : 0);
    return new CapacityPlan.Footprint(bytes * recordsPerCall(), model.server().base(), trips);
  }

  /** Memory of an entry on all servers with all copies, divided by the copies; 0 if not known. */
  double bytesPerCopy() {
    return demands.stream()
        .filter(d -> d.trial().value(Metric.MEMORY).orElse(0.0) > 0)
        .mapToDouble(d -> d.trial().value(Metric.MEMORY).orElseThrow() / (1 + d.backups()))
        .average()
        .orElse(0);
  }

  private static double mean(List<TrialDemands> demands, String metric) {
    return demands.stream()
        .flatMap(d -> d.trial().value(metric).stream())
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(0);
  }

  /** The trials by cell: number of servers, of clients, and rate. */
  Map<String, List<TrialDemands>> cells() {
    return demands.stream()
        .collect(
            ListsByKey.by(
                d -> {
                  Cell cell = d.cell();
                  return "%s, %s"
                      .formatted(
                          Figures.count(d.servers(), "server"),
                          cell.clients() > 0
                              ? "closed loop of %d".formatted(cell.clients())
                              : "%.0f calls/s".formatted(OfferedRate.of(d.trial())));
                }));
  }
}
