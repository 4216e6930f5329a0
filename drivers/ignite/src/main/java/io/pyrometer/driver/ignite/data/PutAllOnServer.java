package io.pyrometer.driver.ignite.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.RecordPool;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TrialSpec;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/**
 * Sent to a server node: writes a batch from there. Only keys and the numbers of records travel;
 * the records themselves are drawn again on the server, once a trial.
 */
public final class PutAllOnServer implements IgniteRunnable {
  private static final long serialVersionUID = 1L;
  private static final String STOCK = "io.pyrometer.stock";

  private final String cacheName;
  private final String trial;
  private final long[] keys;
  private final int[] records;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  /**
   * @param trial a {@link TrialSpec} as JSON
   */
  public PutAllOnServer(String cacheName, String trial, long[] keys, int[] records) {
    this.cacheName = cacheName;
    this.trial = trial;
    this.keys = keys;
    this.records = records;
  }

  @Override
  public void run() {
    Ignite here = Objects.requireNonNull(ignite);
    TrialSpec spec = spec();
    RecordValues values = stock(here, spec).in(spec.settings().get(GridSettings.VALUE_FORM));
    IgniteCache<Long, Object> cache = here.cache(cacheName);
    Map<Long, Object> batch = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], values.get(records[i]));
    }
    (values.binary() ? cache.<Long, Object>withKeepBinary() : cache).putAll(batch);
  }

  /** Returns the values of the current trial; a node does not keep those of earlier trials. */
  private ValuePool stock(Ignite here, TrialSpec spec) {
    ConcurrentMap<String, ValuePool> kept = here.cluster().nodeLocalMap();
    String name = STOCK + "." + cacheName;
    ValuePool stock = kept.get(name);
    if (stock != null) {
      return stock;
    }
    kept.keySet().removeIf(other -> other.startsWith(STOCK) && !other.equals(name));
    return kept.computeIfAbsent(
        name,
        missing ->
            new ValuePool(
                here.binary(), RecordPool.of(spec.record(), spec.settings(), spec.seed())));
  }

  private TrialSpec spec() {
    try {
      return Json.LINES.readValue(trial, TrialSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be read on the server.", e);
    }
  }
}
