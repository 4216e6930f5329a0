package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;

/** Makes all checks. */
public final class Doctor {
  /**
   * Checks in order: of findings that are alike urgent, the one of the earlier check comes first.
   */
  static final List<Check> CHECKS =
      Stream.of(
              TopologyChecks.ALL,
              TransactionChecks.ALL,
              SqlChecks.ALL,
              JvmChecks.ALL,
              CacheChecks.ALL,
              StorageChecks.ALL,
              LoadChecks.ALL,
              ClientChecks.ALL,
              CacheChecks.OF_SKEW,
              LoadChecks.OF_CPU,
              StorageChecks.OF_SYSTEM,
              CacheChecks.OF_DEFAULTS,
              TransactionChecks.OF_DEFAULTS)
          .flatMap(List::stream)
          .toList();

  private Doctor() {}

  /**
   * Observes a cluster that a client has joined. Nothing in it is changed.
   *
   * @throws io.pyrometer.driver.GridException with one sentence if it does not answer
   */
  public static HealthReport examine(ClientNode client, Duration length) {
    Facts facts;
    try (ServerJvms jvms = new ServerJvms(client)) {
      facts = Observation.of(client.ignite(), length, jvms);
    }
    return report(
        facts,
        "%s of Ignite %s with %s"
            .formatted(
                count(facts.servers().size(), "server"),
                client.ignite().version().toString().replaceFirst("#.*", ""),
                count(facts.caches().size(), "cache")));
  }

  /** Examines the configuration of a node. */
  public static HealthReport examine(IgniteConfiguration configuration, String file) {
    String name = String.valueOf(Path.of(file).getFileName());
    Facts facts = Observation.of(configuration, name);
    return report(facts, name + " with " + count(facts.caches().size(), "cache"));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /**
   * Examines a folder of files of performance statistics.
   *
   * @throws io.pyrometer.driver.GridException with one sentence if it holds none, or others
   */
  public static HealthReport examineStatistics(Path folder) {
    PerformanceStatistics seen = PerformanceStatistics.below(folder);
    StatisticsChecks statistics = new StatisticsChecks(seen);
    return report(
            statistics.checks(),
            statistics.facts(),
            "Statistics of %s in %s (%s) of %s"
                .formatted(
                    count(seen.nodes().size(), "node"),
                    count(seen.files.size(), "file"),
                    Value.bytes(seen.files.stream().mapToDouble(at -> at.toFile().length()).sum())
                        .text(),
                    folder))
        .with(statistics.tables(), statistics.unread());
  }

  static HealthReport report(Facts facts, String subject) {
    return report(CHECKS, facts, subject);
  }

  private static HealthReport report(List<Check> checks, Facts facts, String subject) {
    List<Diagnosis> diagnoses = new ArrayList<>();
    List<String> healthy = new ArrayList<>();
    Map<String, Unjudged> unjudged = new TreeMap<>();
    for (Check check : checks) {
      Check.Result result = check.make(facts);
      List<Diagnosis> found = result.diagnoses();
      diagnoses.addAll(found);
      result.unjudged().ifPresent(reason -> unjudged.put(check.name(), reason));
      if (found.isEmpty() && result.unjudged().isEmpty()) {
        healthy.add(check.name());
      }
    }
    return new HealthReport(
        subject,
        facts.seconds(),
        facts.servers().size(),
        facts.caches().stream().map(CacheConfiguration::getName).toList(),
        ordered(diagnoses.stream().map(found -> explained(found, diagnoses)).toList()),
        healthy,
        unjudged,
        List.of());
  }

  /** By urgency, each followed by those that it explains. */
  private static List<Diagnosis> ordered(List<Diagnosis> found) {
    List<Diagnosis> all = new ArrayList<>();
    found.stream()
        .sorted(Diagnosis.MOST_URGENT)
        .filter(each -> each.explainedBy().isEmpty())
        .forEach(root -> add(root, found, all));
    return all;
  }

  private static void add(Diagnosis root, List<Diagnosis> found, List<Diagnosis> all) {
    all.add(root);
    found.stream()
        .filter(each -> !all.contains(each) && each.explainedBy().equals(Optional.of(root.id())))
        .sorted(Diagnosis.MOST_URGENT)
        .forEach(each -> add(each, found, all));
  }

  private static Diagnosis explained(Diagnosis found, List<Diagnosis> all) {
    return Check.explaining(found.id()).stream()
        .flatMap(cause -> all.stream().filter(other -> other.check().equals(cause)))
        .filter(cause -> cause.costsNow() || cause.severity() == Severity.BUSY)
        .findFirst()
        .map(cause -> found.because(cause.id()))
        .orElse(found);
  }
}
