package io.pyrometer.driver.ignite.data;

import java.util.Objects;
import org.apache.ignite.Ignite;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/** Sent to the primary node of a partition: the highest values over the partition's entries. */
public final class PartitionMaxima implements IgniteCallable<double[]> {
  private static final long serialVersionUID = 1L;

  private final String cacheName;
  private final String[] fields;
  private final int partition;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  public PartitionMaxima(String cacheName, String[] fields, int partition) {
    this.cacheName = cacheName;
    this.fields = fields;
    this.partition = partition;
  }

  /** See {@link Maxima#countAndHighest()}. */
  @Override
  public double[] call() {
    Maxima highest = new Maxima(fields);
    PrimaryEntries.ofPartition(
        Objects.requireNonNull(ignite), cacheName, partition, (key, record) -> highest.see(record));
    return highest.countAndHighest();
  }
}
