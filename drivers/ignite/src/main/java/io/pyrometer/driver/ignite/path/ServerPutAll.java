package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.load.RecordPool;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/**
 * Has a server node write a batch a call, or all of them a part each. A call ends when all its
 * parts have, so that none that is left over can come after a later write to its key. Only keys and
 * the numbers of records are sent; the server draws the records themselves once a trial.
 */
final class ServerPutAll implements IgniteCallable<Integer> {
  private static final long serialVersionUID = 1L;
  private static final String STOCK = "io.pyrometer.stock";

  static final IgnitePath ONE =
      definition("server-put-all", "putAll issued by one server node.", 1);
  static final IgnitePath ALL =
      definition(
          "servers-put-all",
          "putAll issued by all server nodes, a part of the batch each.",
          Integer.MAX_VALUE);

  private final String cacheName;
  private final String trial;
  private final long[] keys;
  private final int[] records;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  /**
   * @param trial a {@link TrialSpec} as JSON
   */
  private ServerPutAll(String cacheName, String trial, Call call, int server, int servers) {
    this.cacheName = cacheName;
    this.trial = trial;
    int[] mine =
        IntStream.range(0, call.size())
            .filter(i -> Long.remainderUnsigned(call.key(i), servers) == server)
            .toArray();
    this.keys = Arrays.stream(mine).mapToLong(call::key).toArray();
    this.records = Arrays.stream(mine).map(call::record).toArray();
  }

  private static IgnitePath definition(String name, String summary, int most) {
    return new IgnitePath(
        write(name, Guarantee.OF_MANY, summary, PathSettings.batch(10_000)).sendingClasses(),
        trial -> {
          String spec = json(trial.trial());
          AtomicLong merged = new AtomicLong();
          return FunctionPath.writing(
                  "put-all",
                  trial.settings().get(PathSettings.BATCH),
                  call -> merged.addAndGet(call.size() - call(trial, spec, most, call)))
              .merging(merged::get);
        });
  }

  /** Returns how many entries the servers wrote. */
  private static int call(IgniteTrial trial, String spec, int most, Call call) {
    Ignite ignite = trial.ignite();
    // Those that are there now: one may have gone since the last call.
    List<ClusterNode> servers = ignite.cluster().forServers().nodes().stream().limit(most).toList();
    List<IgniteFuture<Integer>> parts = new ArrayList<>(servers.size());
    for (int server = 0; server < servers.size(); server++) {
      parts.add(
          ignite
              .compute(ignite.cluster().forNode(servers.get(server)))
              .callAsync(new ServerPutAll(trial.cacheName(), spec, call, server, servers.size())));
    }
    IgniteException first = null;
    int written = 0;
    for (IgniteFuture<Integer> part : parts) {
      try {
        written += part.get();
      } catch (IgniteException failure) {
        first = first == null ? failure : first;
      }
    }
    if (first != null) {
      throw first;
    }
    return written;
  }

  private static String json(TrialSpec trial) {
    try {
      return Json.LINES.writeValueAsString(trial);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to a server.", e);
    }
  }

  @Override
  public Integer call() {
    Ignite here = Objects.requireNonNull(ignite);
    TrialSpec spec = spec();
    IntFunction<Object> values = stock(here, spec).in(spec.settings().get(GridSettings.VALUE_FORM));
    Map<Long, Object> batch = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], values.apply(records[i]));
    }
    CachePort.<Long>thick(here, cacheName, ValuePool.isBinary(spec.settings()))
        .putAll()
        .accept(batch);
    return batch.size();
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
