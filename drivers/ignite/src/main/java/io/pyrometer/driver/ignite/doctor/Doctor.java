package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;

/** Makes all checks. */
public final class Doctor {
  static final List<Check> CHECKS =
      Stream.of(
              JvmChecks.ALL,
              CacheChecks.ALL,
              MemoryChecks.ALL,
              StorageChecks.ALL,
              LoadChecks.ALL,
              ClientChecks.ALL,
              SkewChecks.ALL,
              TopologyChecks.ALL,
              TransactionChecks.ALL,
              SqlChecks.ALL)
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

  static HealthReport report(Facts facts, String subject) {
    List<Diagnosis> diagnoses = new ArrayList<>();
    List<String> healthy = new ArrayList<>();
    Map<String, String> notMade = new TreeMap<>();
    for (Check check : CHECKS) {
      Check.Result result = check.make(facts);
      List<Diagnosis> found = result.diagnoses();
      diagnoses.addAll(found);
      result
          .notMade()
          .ifPresentOrElse(
              why -> notMade.put(check.name(), why),
              () -> {
                if (found.isEmpty()) {
                  healthy.add(check.name());
                }
              });
    }
    diagnoses.sort(Diagnosis.MOST_URGENT);
    return new HealthReport(
        subject,
        facts.seconds(),
        facts.servers().size(),
        facts.caches().stream().map(CacheConfiguration::getName).toList(),
        diagnoses,
        healthy,
        notMade);
  }
}
