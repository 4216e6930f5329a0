package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ignite.PlantedFault.Application;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
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
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that are planted into somebody else's cluster of two servers are found. */
class DoctorIT {
  /** Runs of each fault in the table, and how long each is observed. */
  private static final int RUNS = Integer.getInteger("doctor.runs", 1);

  private static final Duration OBSERVED = Duration.ofSeconds(8);

  @TempDir Path folder;

  @Test
  void aHealthyClusterUnderLoadHasNeitherProblemNorRisk() throws Exception {
    HealthReport report = examine(PlantedFault.healthy(), folder);
    assertThat(report.subject()).startsWith("2 servers of Ignite 2.").endsWith(" with 2 caches");
    assertThat(report.diagnoses())
        .as("%s", report.diagnoses())
        .noneMatch(found -> found.severity() != Severity.ADVICE && !ofTheTest(found));
    assertThat(report.healthy()).contains("partition-awareness", "heap", "thread-pools");
  }

  @ParameterizedTest
  @ValueSource(strings = {"partition-awareness", "deadlock", "explicit-collections"})
  void thePlantedFaultIsFirst(String check) throws Exception {
    List<Diagnosis> found = diagnoses(PlantedFault.named(check).orElseThrow(), folder);
    assertThat(found).isNotEmpty();
    assertThat(found.get(0).check()).as("%s", found).isEqualTo(check);
  }

  static List<PlantedFault> faults() {
    return Stream.concat(PlantedFault.ALL.stream(), Stream.of(PlantedFault.healthy()))
        .filter(fault -> fault.toString().matches(System.getProperty("doctor.faults", ".*")))
        .toList();
  }

  /** Prints one line of the table of docs/ignite.md for each run. */
  @Tag("endurance")
  @ParameterizedTest
  @MethodSource("faults")
  void everyFaultIsAmongTheFirstThree(PlantedFault fault) throws Exception {
    List<String> ranks = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      List<String> found =
          diagnoses(fault, folder.resolve("run-" + run)).stream().map(Diagnosis::check).toList();
      int rank = found.indexOf(fault.check()) + 1;
      ranks.add(rank + " of " + found.size() + " " + found);
    }
    System.out.println("DOCTOR " + fault + " " + ranks);
    assertThat(ranks)
        .as("rank of %s", fault)
        .allMatch(
            rank ->
                fault.check().isEmpty() ? rank.startsWith("0 of 0") : rank.matches("[123] of.*"));
  }

  /** The stock node's own cache has no backups, and faults of caches come with the load's. */
  private static boolean ofTheTest(Diagnosis found) {
    return found.evidence().stream().anyMatch(each -> each.where().equals(StockNode.CACHE));
  }

  private static List<Diagnosis> diagnoses(PlantedFault fault, Path folder) throws Exception {
    return examine(fault, folder).diagnoses().stream()
        .filter(found -> !ofTheTest(found))
        .filter(found -> found.severity() != Severity.ADVICE || !fault.check().isEmpty())
        .toList();
  }

  private static HealthReport examine(PlantedFault fault, Path folder) throws Exception {
    Files.createDirectories(folder);
    try (StockNode first =
            StockNode.start(
                folder.resolve("first"), fault.properties(), fault.flags(), Optional.empty());
        StockNode second =
            StockNode.start(
                folder.resolve("second"), fault.properties(), fault.flags(), Optional.of(first));
        Ignite client =
            Ignition.start(
                first
                    .client("application-" + fault)
                    .setPeerClassLoadingEnabled(fault.check().equals("peer-class-loading")))) {
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
      Application application =
          new Application(client, cache, thin, first, second, new AtomicBoolean());
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
        new ProcessBuilder("kill", "-CONT", "" + second.pid()).start().waitFor();
        if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
          threads.shutdownNow();
        }
      }
    }
  }

  private static void load(
      PlantedFault fault, Application application, int thread, CountDownLatch begun) {
    begun.countDown();
    for (long step = thread; !application.ended().get(); step += fault.threads()) {
      try {
        fault.load().run(application, step);
      } catch (InterruptedException ended) {
        return;
      } catch (Exception failed) {
        if (!application.ended().get() && fault.check().isEmpty()) {
          throw new AssertionError(failed);
        }
      }
    }
  }
}
