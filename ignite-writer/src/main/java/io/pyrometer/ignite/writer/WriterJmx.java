package io.pyrometer.ignite.writer;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** A writer's MBean, registered as long as it is open. */
final class WriterJmx implements AutoCloseable {
  private final ObjectName name;

  private WriterJmx(ObjectName name) {
    this.name = name;
  }

  /**
   * Registers a writer.
   *
   * @throws IllegalArgumentException if there is one of that name
   */
  static WriterJmx register(String name, Supplier<WriterStats> stats) {
    try {
      ObjectName full =
          new ObjectName(
              "io.pyrometer.ignite.writer:type=IgniteWriter,name=" + ObjectName.quote(name));
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(new Bean(stats), WriterMXBean.class, true), full);
      return new WriterJmx(full);
    } catch (JMException e) {
      throw new IllegalArgumentException(
          "no MBean could be registered for the writer " + name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      System.getLogger(IgniteWriter.class.getName())
          .log(System.Logger.Level.DEBUG, "the writer's MBean was gone before", e);
    }
  }

  private record Bean(Supplier<WriterStats> stats) implements WriterMXBean {
    @Override
    public long getFinishedEntries() {
      return stats.get().finishedEntries();
    }

    @Override
    public long getMergedWrites() {
      return stats.get().mergedWrites();
    }

    @Override
    public long getFailedEntries() {
      return stats.get().failedEntries();
    }

    @Override
    public long getBatches() {
      return stats.get().batches();
    }

    @Override
    public long getRetries() {
      return stats.get().retries();
    }

    @Override
    public long getTopologyChanges() {
      return stats.get().topologyChanges();
    }

    @Override
    public long getPendingEntries() {
      return stats.get().pendingEntries();
    }

    @Override
    public long getPendingBytes() {
      return stats.get().pendingBytes();
    }

    @Override
    public long getKeysInDoubt() {
      return stats.get().keysInDoubt();
    }

    @Override
    public double getQueueAgeP99Millis() {
      return stats.get().queueAgeNanos().p99() / 1e6;
    }

    @Override
    public double getAcknowledgementP99Millis() {
      return stats.get().acknowledgementNanos().p99() / 1e6;
    }

    @Override
    public double getBlockedP99Millis() {
      return stats.get().blockedNanos().p99() / 1e6;
    }

    @Override
    public double getMeanBatchEntries() {
      WriterStats.Distribution entries = stats.get().batchEntries();
      return entries.count() == 0 ? 0 : (double) entries.sum() / entries.count();
    }
  }
}
