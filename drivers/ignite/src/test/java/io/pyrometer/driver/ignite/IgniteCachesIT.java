package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.jmh.Benchmark;
import io.pyrometer.jmh.BenchmarkSpec;
import io.pyrometer.jmh.CacheProvider.Caches;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The caches of a benchmark's JVM, which is a server of its own or one of two. */
class IgniteCachesIT {
  private static final int ENTRIES = 2_000;

  @TempDir Path folder;

  private Map<String, String> filled(Settings settings, List<String> servers) throws Exception {
    RecordShape record = new RecordShape("benchmark", Optional.empty(), List.of());
    TrialSpec trial =
        new TrialSpec("0001-b1-read", 0, 0, Map.of(), Benchmark.JOB, settings, record, 1);
    BenchmarkSpec spec =
        new BenchmarkSpec(trial, servers, List.of(), folder.resolve("benchmark").toString());
    try (Caches caches = new IgniteCaches().start(spec);
        CacheUnderTest cache = caches.open(new CacheSpec("benchmark", ENTRIES, Optional.empty()))) {
      cache.fill(ENTRIES);
      assertThat(cache.size()).isEqualTo(ENTRIES);
      assertThat(cache.get(7)).isEqualTo(7);
      return cache.configuration();
    }
  }

  private static Settings settings() {
    return Settings.NONE.with("path", Benchmark.READ.path()).with("fork-node", "server");
  }

  @Test
  void entriesAreOnTheHeapTooWhereThatIsAskedFor() throws Exception {
    assertThat(filled(settings(), List.of())).containsEntry("cache.on-heap", "false");
    assertThat(filled(settings().with(GridSettings.ON_HEAP_ENTRIES, 500), List.of()))
        .containsEntry("cache.on-heap", "true")
        .containsEntry("cache.entries-in-this-jvm", String.valueOf(ENTRIES));
  }

  /** The published 'server-server on one machine'. */
  @Test
  void aServerAmongTwoHoldsHalfOfTheEntries() throws Exception {
    ServerNode first =
        ServerNode.join(List.of(), folder.resolve("first").toString(), Settings.NONE);
    try {
      first.awaitServers(1, Duration.ofSeconds(60));
      TcpDiscoverySpi discovery =
          (TcpDiscoverySpi) first.ignite().configuration().getDiscoverySpi();
      String address = "127.0.0.1:" + discovery.getLocalPort();
      Map<String, String> found = filled(settings().with("nodes", 1), List.of(address));
      assertThat(found).containsEntry("cache.entries", String.valueOf(ENTRIES));
      assertThat(Integer.parseInt(found.getOrDefault("cache.entries-in-this-jvm", "0")))
          .isBetween(ENTRIES / 3, 2 * ENTRIES / 3);
    } finally {
      first.close();
    }
  }
}
