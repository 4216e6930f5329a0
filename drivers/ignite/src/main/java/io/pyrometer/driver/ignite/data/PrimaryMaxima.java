package io.pyrometer.driver.ignite.data;

import org.apache.ignite.Ignite;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/** Sent to a server node: the highest values over the entries whose primary copy it holds. */
public final class PrimaryMaxima implements IgniteCallable<double[]> {
  private static final long serialVersionUID = 1L;

  private final String cacheName;
  private final String[] fields;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  public PrimaryMaxima(String cacheName, String[] fields) {
    this.cacheName = cacheName;
    this.fields = fields;
  }

  /** See {@link Maxima#countAndHighest()}. */
  @Override
  public double[] call() {
    Maxima highest = new Maxima(fields);
    PrimaryEntries.forEach(
        java.util.Objects.requireNonNull(ignite), cacheName, (key, record) -> highest.see(record));
    return highest.countAndHighest();
  }
}
