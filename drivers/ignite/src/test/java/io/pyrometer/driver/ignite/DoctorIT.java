package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ignite.StockNode.Place;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that are planted into somebody else's cluster of two servers are found. */
class DoctorIT {
  /** Runs of each fault in the table, and how long each is observed. */
  private static final int RUNS = Integer.getInteger("doctor.runs", 1);

  private static final Duration OBSERVED = Duration.ofSeconds(8);

  @TempDir Path folder;

  @Test
  void aHealthyClusterUnderLoadHasNeitherProblemNorRisk() throws Exception {
    HealthReport report = examine(HealthyCluster.USUAL, folder);
    assertThat(report.subject()).startsWith("2 servers of Ignite 2.").endsWith(" with 2 caches");
    assertThat(report.diagnoses())
        .as("%s", report.diagnoses())
        .noneMatch(found -> found.severity() != Severity.ADVICE && !ofTheTest(found));
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
        Stream.of(PlantedFaults.THICK_SEARCH));
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
    return Stream.concat(PlantedFaults.ALL.stream(), HealthyCluster.ALL.stream())
        .filter(fault -> fault.toString().matches(System.getProperty("doctor.faults", ".*")))
        .toList();
  }

  /**
   * Prints one line for each fault or healthy cluster with what was found in each run; in a healthy
   * one each problem or risk is a false warning.
   */
  @Tag("endurance")
  @ParameterizedTest
  @MethodSource("faults")
  void everyFaultIsAmongTheFirstThree(PlantedFault fault) throws Exception {
    List<String> ranks = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      HealthReport report = examine(fault, folder.resolve("run-" + run));
      List<String> found = ofTheFault(fault, report).stream().map(Diagnosis::check).toList();
      int rank = found.indexOf(fault.name()) + 1;
      Unjudged reason = report.unjudged().get(fault.name());
      ranks.add(
          "%d of %d %s %s"
              .formatted(rank, found.size(), found, reason == null ? "" : reason.phrase()));
    }
    System.out.println("DOCTOR " + fault + " " + ranks);
    assertThat(ranks)
        .as("rank of %s", fault)
        .allMatch(rank -> fault.healthy() ? rank.startsWith("0 of 0") : rank.matches("[123] of.*"));
  }

  /** The stock node's own cache has no backups, and faults of caches come with the load's. */
  private static boolean ofTheTest(Diagnosis found) {
    return found.evidence().stream().anyMatch(each -> each.where().equals(StockNode.CACHE))
        && !String.valueOf(found.values().get("caches")).contains(PlantedFault.CACHE);
  }

  private static List<Diagnosis> ofTheFault(PlantedFault fault, HealthReport report) {
    return report.diagnoses().stream()
        .filter(found -> !ofTheTest(found))
        .filter(found -> found.severity() != Severity.ADVICE || !fault.healthy())
        .toList();
  }

  private static HealthReport examine(PlantedFault fault, Path folder) throws Exception {
    Files.createDirectories(folder);
    if (fault != PlantedFaults.SLOW_LINK) {
      return examine(fault, folder, Place.HERE, Place.HERE);
    }
    try (SlowLink link = SlowLink.make()) {
      return examine(fault, folder, link.here(), link.there());
    }
  }

  private static HealthReport examine(PlantedFault fault, Path folder, Place one, Place other)
      throws Exception {
    try (StockNode first =
            StockNode.start(
                folder.resolve("first"), fault.properties(), fault.flags(), Optional.empty(), one);
        StockNode second =
            StockNode.start(
                folder.resolve("second"),
                fault.properties(),
                fault.flags(),
                Optional.of(first),
                other);
        Ignite client =
            Ignition.start(
                first
                    .client("application-" + fault)
                    .setPeerClassLoadingEnabled(fault.name().equals("peer-class-loading")))) {
      client.cluster().state(ClusterState.ACTIVE);
      CacheConfiguration<Object, Object> configuration =
          new CacheConfiguration<Object, Object>(PlantedFault.CACHE)
              .setBackups(1)
              .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
              .setStatisticsEnabled(true);
      IgniteCache<Object, Object> cache = client.createCache(fault.cache().apply(configuration));
      List<String> thin =
          client.cluster().forServers().nodes().stream()
              .map(node -> "127.0.0.1:" + node.attribute("clientListenerPort"))
              .toList();
      Application application = new Application(client, cache, thin, first, second);
      ExecutorService threads = Executors.newFixedThreadPool(fault.threads());
      CountDownLatch begun = new CountDownLatch(fault.threads());
      try (GridSession observer = new IgniteDriver().openSession(first.attaching())) {
        IntStream.range(0, fault.threads())
            .forEach(thread -> threads.execute(() -> load(fault, application, thread, begun)));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        return observer.examine(fault.observed(OBSERVED));
      } finally {
        application.ended().set(true);
        threads.shutdown();
        second.signal("-CONT");
        if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
          threads.shutdownNow();
        }
        application.close();
      }
    }
  }

  private static void load(
      PlantedFault fault, Application application, int thread, CountDownLatch begun) {
    for (long step = thread; !application.ended().get(); step += fault.threads()) {
      if (step >= (long) fault.before() * fault.threads()) {
        begun.countDown();
      }
      try {
        fault.load().run(application, step);
      } catch (InterruptedException ended) {
        return;
      } catch (Exception failed) {
        if (!application.ended().get() && fault.healthy()) {
          throw new AssertionError(failed);
        }
      }
    }
  }
}
