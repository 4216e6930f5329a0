package io.pyrometer.driver.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.SettingsContract;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("extended")
class HazelcastSettingsIT extends SettingsContract {
  private static final Map<String, String> OTHER_FACTS =
      Map.of(
          "backups", "cache.backups",
          "async-backups", "cache.async-backups",
          "in-memory-format", "cache.in-memory-format",
          "partitions", "server.partitions");

  @Override
  protected GridDriver driver() {
    return new HazelcastDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("backups", 2L),
        Map.entry("async-backups", 3L),
        Map.entry("in-memory-format", "OBJECT"),
        Map.entry("partitions", 31L),
        Map.entry("operation-threads", 3L),
        Map.entry("generic-threads", 5L),
        Map.entry("response-threads", 3L),
        Map.entry("io-threads", 4L),
        Map.entry("io-write-through", false),
        Map.entry("socket-send-buffer", 64L << 10),
        Map.entry("socket-receive-buffer", 256L << 10),
        Map.entry("backpressure", true),
        Map.entry("parallel-migrations", 7L),
        Map.entry("metrics", false),
        Map.entry("slow-operation-detector", false),
        Map.entry("backup-acks-to-client", false),
        Map.entry("fail-on-indeterminate", false),
        Map.entry("cache-statistics", true),
        Map.entry("entry-statistics", true),
        Map.entry("deserialized-values", "ALWAYS"));
  }

  @Override
  protected String fact(String setting) {
    return OTHER_FACTS.getOrDefault(setting, super.fact(setting));
  }

  /** All others are read from Hazelcast when they are declared. */
  @Test
  void defaultsThatDependOnTheMachineAreThoseOfTheProduct() {
    int cpus = Runtime.getRuntime().availableProcessors();
    HazelcastProperties own = new HazelcastProperties(new Properties());
    assertThat(productDefault("operation-threads")).isEqualTo("max(2, CPUs)");
    assertThat(own.getInteger(ClusterProperty.PARTITION_OPERATION_THREAD_COUNT))
        .isEqualTo(Math.max(2, cpus));
    assertThat(productDefault("generic-threads")).isEqualTo("max(2, CPUs / 2)");
    assertThat(own.getInteger(ClusterProperty.GENERIC_OPERATION_THREAD_COUNT))
        .isEqualTo(Math.max(2, cpus / 2));
    if (cpus < 20) { // 4 from there on
      assertThat(productDefault("io-threads"))
          .isEqualTo(own.getString(ClusterProperty.IO_THREAD_COUNT));
    }
  }
}
