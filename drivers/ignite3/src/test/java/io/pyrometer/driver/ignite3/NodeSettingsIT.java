package io.pyrometer.driver.ignite3;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.SettingsContract;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.internal.compute.configuration.ComputeConfigurationSchema;
import org.apache.ignite.internal.network.configuration.OutboundConfigurationSchema;
import org.apache.ignite.internal.raft.configuration.DisruptorConfigurationSchema;
import org.apache.ignite.internal.raft.configuration.RaftConfigurationSchema;
import org.apache.ignite.internal.sql.configuration.local.SqlExecutionLocalConfigurationSchema;
import org.apache.ignite.internal.sql.configuration.local.SqlPlannerLocalConfigurationSchema;
import org.apache.ignite.internal.storage.pagememory.configuration.schema.PageMemoryCheckpointConfigurationSchema;
import org.apache.ignite.internal.storage.pagememory.configuration.schema.PersistentPageMemoryStorageEngineConfigurationSchema;
import org.apache.ignite.internal.storage.pagememory.configuration.schema.VolatilePageMemoryStorageEngineConfigurationSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("extended")
class NodeSettingsIT extends SettingsContract {

  private static final Set<String> OF_ZONES = Set.of("replicas", "partitions", "consistency-mode");

  @Override
  protected String fact(String setting) {
    return OF_ZONES.contains(setting) ? "cache." + setting : super.fact(setting);
  }

  @Override
  protected GridDriver driver() {
    return new Ignite3Driver();
  }

  @Override
  protected long serverHeap() {
    return 512L << 20;
  }

  @Override
  protected Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("replicas", 1L),
        Map.entry("partitions", 4L),
        Map.entry("consistency-mode", "HIGH_AVAILABILITY"),
        Map.entry("engine", "aipersist"),
        Map.entry("region", 128L << 20),
        Map.entry("raft-fsync", true),
        Map.entry("raft-stripes", 3L),
        Map.entry("raft-log-stripes", 2L),
        Map.entry("raft-queue", 4_096L),
        Map.entry("compute-threads", 5L),
        Map.entry("sql-threads", 3L),
        Map.entry("sql-planner-threads", 2L),
        Map.entry("page-size", 8_192L),
        Map.entry("checkpoint-interval", 20.5),
        Map.entry("checkpoint-threads", 2L),
        Map.entry("tcp-no-delay", false));
  }

  @Test
  void defaultsAreThoseOfTheProduct() {
    int cpus = Runtime.getRuntime().availableProcessors();
    DisruptorConfigurationSchema disruptor = new DisruptorConfigurationSchema();
    assertThat(productDefault("raft-stripes")).isEqualTo("max(1, CPUs)");
    assertThat(disruptor.stripes).isEqualTo(cpus);
    is("raft-log-stripes", disruptor.logManagerStripes);
    is("raft-queue", disruptor.queueSize);
    assertThat(productDefault("compute-threads")).isEqualTo("max(8, CPUs)");
    assertThat(new ComputeConfigurationSchema().threadPoolSize).isEqualTo(Math.max(8, cpus));
    is("sql-threads", new SqlExecutionLocalConfigurationSchema().threadCount);
    is("sql-planner-threads", new SqlPlannerLocalConfigurationSchema().threadCount);
    PageMemoryCheckpointConfigurationSchema checkpoint =
        new PageMemoryCheckpointConfigurationSchema();
    is("checkpoint-threads", checkpoint.checkpointThreads);
    assertThat(productDefault("checkpoint-interval"))
        .isEqualTo(checkpoint.intervalMillis / 1_000 + "s");
    assertThat(productDefault("page-size")).isEqualTo("16k");
    assertThat(new VolatilePageMemoryStorageEngineConfigurationSchema().pageSizeBytes)
        .isEqualTo(16 << 10);
    assertThat(new PersistentPageMemoryStorageEngineConfigurationSchema().pageSizeBytes)
        .isEqualTo(16 << 10);
    assertThat(new RaftConfigurationSchema().fsync)
        .isEqualTo(NodeSettings.FSYNC.description().initial().orElseThrow());
    assertThat(new OutboundConfigurationSchema().tcpNoDelay).isTrue();
    assertThat(productDefault("tcp-no-delay")).isEqualTo("on");
  }

  private void is(String setting, int own) {
    assertThat(productDefault(setting)).isEqualTo(String.valueOf(own));
  }
}
