package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.checks;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.ids;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What thread dumps and logs of garbage collections tell of the servers' JVMs. */
class JvmChecksTest {
  private static final String STRIPED = "threadPools.StripedExecutor.";

  private static String thread(String name, String state, String... frames) {
    return "\"%s\" #12 prio=5 tid=0x1 nid=0x2 [0x3]%n   java.lang.Thread.State: %s%n%s%n"
        .formatted(
            name,
            state,
            Stream.of(frames).map(frame -> "\t" + frame + "\n").collect(Collectors.joining()));
  }

  private static String sleeping(String name) {
    return thread(
        name,
        "TIMED_WAITING (sleeping)",
        "at java.lang.Thread.sleep(java.base@17/Native Method)",
        "at com.mine.Pricing.process(Pricing.java:42)",
        "at org.apache.ignite.internal.processors.cache.CacheInvokeResult.x(X.java:1)");
  }

  private static String idle(String name) {
    return thread(
        name,
        "WAITING (parking)",
        "at jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
        "at org.apache.ignite.internal.util.StripedExecutor$Stripe.run(S.java:1)");
  }

  @Test
  void aThreadThatStandsInCodeOfTheUserIsNamedAndIdleOnesAreNot() {
    String idle = idle("sys-stripe-1-#3") + idle("sys-stripe-2-#4") + idle("sys-stripe-3-#5");
    String stuck = sleeping("sys-stripe-0-#2") + idle;
    ObservedCluster cluster = new ObservedCluster().dumped(stuck, stuck, stuck);
    cluster.metric(STRIPED + "TotalQueueSize", 90, 95);
    cluster.metric(STRIPED + "StripesCount", 8, 8);
    cluster.metric(STRIPED + "TotalCompletedTasksCount", 0, 2_000);
    cluster.dumps.put("s1", cluster.dumps.get("s0"));
    Diagnosis found = report(cluster).diagnoses().get(0);
    assertThat(found(cluster)).containsExactly("slow-cache-operations");
    assertThat(found.id()).isEqualTo("doctor.slow-cache-operations.blocked");
    assertThat(found.values())
        .containsEntry("frame", Value.name("com.mine.Pricing.process(Pricing.java:42)"))
        .containsEntry("servers", Value.names(List.of("s0", "s1")));
    assertThat(found.evidence())
        .anyMatch(each -> each.what().contains("each task [ms]") && each.value().equals("10"))
        .anyMatch(each -> each.value().equals("3 of 3"));
    assertThat(found.share()).isEqualTo(0.25);
    assertThat(found.needs()).isEqualTo(Needs.DEPLOYMENT);
    String none = idle("sys-stripe-0-#2") + idle;
    assertThat(found(new ObservedCluster().dumped(none, none, none))).isEmpty();
    assertThat(found(new ObservedCluster().dumped(none, stuck, none)))
        .as("once is no finding")
        .isEmpty();
    String elsewhere = sleeping("svc-#7") + none;
    assertThat(found(new ObservedCluster().dumped(elsewhere, elsewhere))).isEmpty();
    String jobs = sleeping("pub-#7") + none;
    assertThat(found(new ObservedCluster().dumped(jobs, jobs))).containsExactly("thread-pools");
  }

  @ParameterizedTest
  @CsvSource({
    "sys-#7, cache.store.GridCacheStoreManagerAdapter.load(G.java:1), blocked.store",
    "sys-stripe-1-#2, cache.query.continuous.CacheContinuousQueryHandler.filter(C.java:1),"
        + " blocked.query",
    "sys-stripe-1-#2, cache.EntryProcessorResourceInjectorProxy.process(E.java:1),"
        + " blocked.processor",
    "data-streamer-stripe-3-#9, datastreamer.DataStreamerUpdateJob.call(D.java:1),"
        + " blocked.receiver",
    "sys-stripe-1-#2, cache.GridCacheMapEntry.innerSet(G.java:1), blocked"
  })
  void whatCallsTheCodeOfTheUserNamesItsKind(String pool, String caller, String kind) {
    String waiting =
        thread(
            pool,
            "TIMED_WAITING (sleeping)",
            "at java.lang.Thread.sleep(java.base@17/Native Method)",
            "at com.mine.Remote.wait(Remote.java:3)",
            "at java.util.Optional.map(java.base@17/Optional.java:9)",
            "at com.mine.Pricing.apply(Pricing.java:42)",
            "at org.apache.ignite.internal.processors." + caller);
    Diagnosis found = report(new ObservedCluster().dumped(waiting, waiting)).diagnoses().get(0);
    assertThat(found.id()).isEqualTo("doctor.slow-cache-operations." + kind);
    assertThat(found.values())
        .containsEntry("frame", Value.name("com.mine.Pricing.apply(Pricing.java:42)"));
    assertThat(found.evidence()).anyMatch(each -> each.value().contains("Remote.java:3"));
  }

  @Test
  void codeOfTheUserThatRunsInThreadsOfCachesIsNamedAndJobsAreNot() {
    String running =
        thread(
            "sys-stripe-1-#3",
            "RUNNABLE",
            "at java.util.regex.Pattern.matcher(java.base@17/Pattern.java:9)",
            "at com.mine.Pricing.onBeforePut(Pricing.java:42)",
            "at org.apache.ignite.internal.processors.cache.GridCacheMapEntry.innerSet(G.java:1)");
    String idle = idle("sys-stripe-0-#2") + idle("sys-stripe-2-#4") + idle("sys-stripe-3-#5");
    HealthReport report = report(new ObservedCluster().dumped(running + idle, running + idle));
    assertThat(report.diagnoses().get(0).id()).isEqualTo("doctor.slow-cache-operations.busy");
    assertThat(report.diagnoses().get(0).values())
        .containsEntry("frame", Value.name("com.mine.Pricing.onBeforePut(Pricing.java:42)"));
    String job = running.replace("sys-stripe-1", "pub");
    assertThat(found(new ObservedCluster().dumped(job, job))).isEmpty();
    String once = idle("sys-stripe-1-#3") + idle;
    assertThat(found(new ObservedCluster().dumped(running + idle, once, once))).isEmpty();
  }

  @Test
  void dumpsOfClientsAreNoneOfServers() {
    ObservedCluster cluster = new ObservedCluster();
    cluster.dumps.put("app", List.of(ThreadDump.parse(idle("main"))));
    cluster.dumps.put("other", cluster.dumps.get("app"));
    assertThat(report(cluster).unjudged())
        .containsKeys("deadlock", "contended-lock", "full-collections");
  }

  @Test
  void callsOfServicesHoldTheirPoolOnlyIfAllOfItIsBusy() {
    String calls = sleeping("svc-#7") + sleeping("svc-#8");
    ObservedCluster cluster =
        new ObservedCluster()
            .dumped(calls, calls)
            .metric("threadPools.GridServicesExecutor.CorePoolSize", 8, 8)
            .metric("threadPools.GridServicesExecutor.ActiveCount", 8, 8);
    assertThat(ids(cluster)).containsExactly("thread-pools.blocked.services");
    assertThat(found(cluster.metric("threadPools.GridServicesExecutor.ActiveCount", 8, 3)))
        .isEmpty();
  }

  @Test
  void aCheckpointInEveryDumpIsOneAfterTheOther() {
    String writing =
        thread(
            "db-checkpoint-thread-#90",
            "RUNNABLE",
            "at org.apache.ignite.internal.processors.cache.persistence.checkpoint.Checkpointer.doCheckpoint(C.java:1)");
    String idle = idle("db-checkpoint-thread-#90");
    assertThat(found(persistent().dumped(writing, writing, writing)))
        .contains("checkpoints-without-pause");
    assertThat(found(persistent().dumped(writing, idle, writing)))
        .doesNotContain("checkpoints-without-pause");
  }

  private static ObservedCluster persistent() {
    ObservedCluster cluster = new ObservedCluster();
    cluster.region().setPersistenceEnabled(true);
    return cluster;
  }

  @Test
  void aDeadlockIsThatOfTheLastDump() {
    String dump =
        sleeping("pub-#1")
            + """
            Found one Java-level deadlock:
            =============================
            "pub-#1":
              waiting to lock monitor 0x1 (object 0x2, a java.lang.Object),
              which is held by "pub-#2"

            "pub-#2":
              waiting to lock monitor 0x3 (object 0x4, a java.lang.Object),
              which is held by "pub-#1"

            Java stack information for the threads listed above:
            "pub-#9":
            """;
    HealthReport report = report(new ObservedCluster().dumped(dump, dump, dump));
    assertThat(checks(report)).containsExactly("deadlock");
    assertThat(report.diagnoses().get(0).values()).containsEntry("threads", Value.count(2));
    assertThat(report.diagnoses().get(0).evidence())
        .anyMatch(each -> each.value().contains("Pricing.java:42"));
    assertThat(found(new ObservedCluster().dumped(dump, idle("pub-#1")))).isEmpty();
  }

  @Test
  void aLockIsContendedIfThreadsWaitForItInEveryDump() {
    String waiting =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    thread(
                        "pub-#" + i,
                        "BLOCKED (on object monitor)",
                        "at com.mine.Task.run(Task.java:7)",
                        "- waiting to lock <0x00000000e1> (a com.mine.Task)"))
            .collect(Collectors.joining());
    assertThat(found(new ObservedCluster().dumped(waiting, waiting, waiting)))
        .containsExactly("contended-lock");
    assertThat(found(new ObservedCluster().dumped(waiting, idle("pub-#1"), waiting))).isEmpty();
  }

  /**
   * @param pauses each with its second, cause and milliseconds
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 Young (Normal) (G1 Evacuation Pause) 3, 60 Full (G1 Compaction Pause) 90, 90 Full (G1 Compaction Pause) 90 | full-collections
          1 Full (System.gc()) 30, 50 Full (System.gc()) 30    | explicit-collections
          1 Full (System.gc()) 30, 900 Full (System.gc()) 30   | ''
          1 Full (Metadata GC Threshold) 30, 900 Young (Allocation Failure) 3 | ''
          """)
  void aLogOfCollectionsTellsWhatCausedThem(String pauses, String found) {
    String[] lines =
        Stream.of(pauses.split(", ", -1))
            .map(
                pause ->
                    pause.replaceFirst(
                        "(\\d+) (.*) (\\d+)",
                        "[$1.0s][info][gc] GC(1) Pause $2 20M->5M(64M) $3.0ms"))
            .toArray(String[]::new);
    assertThat(String.join(" ", found(new ObservedCluster().logged(lines)))).isEqualTo(found);
  }

  @Test
  void objectsThatAreLargeForTheirHeapRegionsCauseCollections() {
    String[] lines =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    "[1%d.0s][info][gc] GC(1) Pause Young (Concurrent Start)".formatted(i)
                        + " (G1 Humongous Allocation) 20M->5M(64M) 2.0ms")
            .toArray(String[]::new);
    assertThat(found(new ObservedCluster().logged(lines))).containsExactly("large-objects");
  }
}
