package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that are planted into somebody else's cluster are found. */
@SuppressWarnings("try") // to close it is to wait
class DoctorIT {
  private static final Duration OBSERVED = Duration.ofSeconds(8);

  /** What a healthy cluster has none of, also on a busy machine. */
  private static final Set<Severity> OF_CLUSTER =
      EnumSet.of(Severity.FAILURE, Severity.PROBLEM, Severity.RISK);

  @TempDir Path folder;

  @Test
  void aHealthyClusterUnderLoadHasNeitherProblemNorRisk() throws Exception {
    HealthReport report = examine(HealthyCluster.USUAL, folder);
    assertThat(report.subject()).startsWith("2 servers of Ignite 2.").endsWith(" with 2 caches");
    assertThat(report.diagnoses())
        .as("%s", report.diagnoses())
        .noneMatch(found -> OF_CLUSTER.contains(found.severity()) && !ofTheTest(found));
    assertThat(report.healthy()).contains("partition-awareness", "heap", "thread-pools");
  }

  static Stream<PlantedFault> ofEachKind() {
    return Stream.concat(
        Stream.of(
                "partition-awareness",
                "deadlock",
                "explicit-collections",
                "short-lived-connections")
            .map(check -> PlantedFaults.named(check).orElseThrow()),
        Stream.of(SqlFaults.THICK_SEARCH));
  }

  @Tag("extended")
  @ParameterizedTest
  @MethodSource("ofEachKind")
  void aPlantedFaultIsFirst(PlantedFault fault) throws Exception {
    List<Diagnosis> found = ofTheFault(fault, examine(fault, folder));
    assertThat(found).isNotEmpty();
    assertThat(found.get(0).check()).as("%s", found).isEqualTo(fault.name());
  }

  static List<PlantedFault> faults() {
    String wanted = System.getProperty("doctor.faults", ".*");
    return Stream.concat(PlantedFaults.ALL.stream(), HealthyCluster.ALL.stream())
        .filter(fault -> fault.name().matches(wanted) || fault.planted().matches(wanted))
        .toList();
  }

  /** Prints what was found, and what the application saw ({@code lab/planted-faults.md}). */
  @Tag("endurance")
  @ParameterizedTest
  @MethodSource("faults")
  void everyFaultIsAmongTheFirstTwo(PlantedFault fault) throws Exception {
    List<String> found = found(fault);
    System.out.printf("DOCTOR %s %s%n", fault, found);
    List<String> first = found.stream().limit(2).filter(each -> !each.contains("busy: ")).toList();
    assertThat(fault.healthy() ? first.isEmpty() : first.contains(fault.name()))
        .as("%s: %s", fault, found)
        .isTrue();
  }

  /** Names of the checks that found something, the most urgent first. */
  private List<String> found(PlantedFault fault) throws Exception {
    try {
      HealthReport report = examine(fault, folder);
      Stream<String> unjudged =
          Stream.ofNullable(report.unjudged().get(fault.name()))
              .map(reason -> "not judged " + reason.phrase());
      Stream<String> busy =
          report.diagnoses().stream()
              .filter(found -> found.severity() == Severity.BUSY || ofBusyMachine(found))
              .map(
                  found ->
                      (ofBusyMachine(found) ? "explained by busy: " : "busy: ") + found.check());
      return Stream.of(ofTheFault(fault, report).stream().map(Diagnosis::check), unjudged, busy)
          .flatMap(names -> names)
          .toList();
    } catch (GridException failed) {
      return List.of("failed: " + failed.getMessage());
    }
  }

  private static boolean ofBusyMachine(Diagnosis found) {
    return found.explainedBy().equals(Optional.of(Diagnosis.id("free-cpu")));
  }

  /** The stock node's own cache has no backups, and faults of caches come with the load's. */
  private static boolean ofTheTest(Diagnosis found) {
    return found.evidence().stream().anyMatch(each -> each.where().equals(StockNode.CACHE))
        && !String.valueOf(found.values().get("caches")).contains(PlantedFault.CACHE);
  }

  private static List<Diagnosis> ofTheFault(PlantedFault fault, HealthReport report) {
    return report.diagnoses().stream()
        .filter(found -> found.explainedBy().isEmpty() && !ofTheTest(found))
        .filter(found -> OF_CLUSTER.contains(found.severity()) || !fault.healthy())
        .filter(found -> found.severity() != Severity.BUSY || fault.name().equals(found.check()))
        .toList();
  }

  private static HealthReport examine(PlantedFault fault, Path folder) throws Exception {
    try (PlantedCluster cluster = PlantedCluster.start(fault, folder);
        GridSession observer = new IgniteDriver().openSession(cluster.first().attaching())) {
      return observer.examine(fault.observed(OBSERVED));
    }
  }
}
