package io.pyrometer.driver;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import java.util.Map;

/** One trial as one agent sees it: a fresh cache and the ways of using it. */
public interface TrialSession extends AutoCloseable {

  /** The cache's and cluster's configuration, read back from the running grid. */
  Map<String, String> configuration();

  /**
   * Writes the records of the keys {@code from} (inclusive) to {@code to} (exclusive), the record
   * of key k being that of index {@code k mod Records.size()}; untimed, by the product's plainest
   * bulk load.
   */
  void fill(long from, long to);

  /** Opens the trial's access path for one load thread. */
  AccessPath path(LoadThread lane);

  /** Reads back everything that is there. */
  ContentDigest digest();

  /** The records one by one, for probes of what the path promises. */
  StoredContents contents();

  /** Removes the cache; told to the creator alone, before or after {@link #close}. */
  void destroy();

  @Override
  void close();
}
