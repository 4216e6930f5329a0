package io.pyrometer.driver.ignite.path;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.BinaryFields;
import io.pyrometer.driver.ignite.data.KeyForm;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteFuture;

/**
 * Jobs of servers on a trial's cache, which must have this class: they write batches, of which only
 * keys and the numbers of records are sent, and read the entries whose primary copies they hold,
 * instead of sending them.
 */
final class ServerJobs {
  private static final String STOCK = "io.pyrometer.stock";

  private ServerJobs() {}

  /** The form in which a trial is sent to servers. */
  static String json(TrialSpec trial) {
    try {
      return Json.LINES.writeValueAsString(trial);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to a server.", e);
    }
  }

  static TrialSpec trial(String json) {
    try {
      return Json.LINES.readValue(json, TrialSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be read on the server.", e);
    }
  }

  /**
   * The values of the current trial by the numbers of records, as a server draws them, once a
   * trial; a node does not keep those of earlier trials.
   */
  static IntFunction<Object> values(Ignite here, String cacheName, TrialSpec trial) {
    ConcurrentMap<String, ValuePool> kept = here.cluster().nodeLocalMap();
    String name = STOCK + "." + cacheName;
    if (!kept.containsKey(name)) {
      kept.keySet().removeIf(other -> other.startsWith(STOCK) && !other.equals(name));
    }
    return kept.computeIfAbsent(name, missing -> new ValuePool(here.binary(), Records.of(trial)))
        .in(trial.settings().get(GridSettings.VALUE_FORM));
  }

  /**
   * Has a server node write a batch a call, or all of them a part each. A call ends when all its
   * parts have, so that none that is left over can come after a later write to its key.
   *
   * @param most servers to write
   */
  static FunctionPath putAll(IgniteTrial trial, int most) {
    String json = json(trial.trial);
    AtomicLong merged = new AtomicLong();
    return FunctionPath.writing(
            trial.operation(),
            trial.settings().get(PathSettings.BATCH),
            call ->
                merged.addAndGet(
                    call.size() - putAll(trial.ignite(), trial.cacheName, json, most, call)))
        .merging(merged::get);
  }

  /** Returns how many entries the servers wrote. */
  private static int putAll(Ignite ignite, String cacheName, String trial, int most, Call call) {
    // Those that are there now: one may have gone since the last call.
    List<ClusterNode> servers = ignite.cluster().forServers().nodes().stream().limit(most).toList();
    List<IgniteFuture<Integer>> parts = new ArrayList<>(servers.size());
    for (int server = 0; server < servers.size(); server++) {
      int own = server;
      int[] mine =
          IntStream.range(0, call.size())
              .filter(i -> Long.remainderUnsigned(call.key(i), servers.size()) == own)
              .toArray();
      long[] keys = Arrays.stream(mine).mapToLong(call::key).toArray();
      int[] records = Arrays.stream(mine).map(call::record).toArray();
      IgniteCallable<Integer> part = () -> write(cacheName, trial(trial), keys, records);
      parts.add(ignite.compute(ignite.cluster().forNode(servers.get(server))).callAsync(part));
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

  private static int write(String cacheName, TrialSpec trial, long[] keys, int[] records) {
    Ignite server = Ignition.localIgnite();
    IntFunction<Object> values = values(server, cacheName, trial);
    Map<Object, Object> batch = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], values.apply(records[i]));
    }
    boolean binary = ValuePool.isBinary(trial.settings());
    CachePort.thick(server, cacheName, binary).putAll().accept(batch);
    return batch.size();
  }

  /** The digest of a cache, each server's part computed by itself. */
  static ContentDigest digest(Ignite ignite, String cacheName, TrialSpec trial) {
    String json = json(trial);
    return ofServers(ignite, cacheName, () -> digest(cacheName, trial(json))).stream()
        .map(part -> new ContentDigest(part[0], part[1]))
        .reduce(ContentDigest.EMPTY, ContentDigest::plus);
  }

  /** The count of the entries of this server, then their checksum. */
  private static long[] digest(String cacheName, TrialSpec trial) {
    Records records = Records.of(trial);
    BinaryFields fields = BinaryFields.all(records.shape());
    KeyForm keys = KeyForm.of(trial.settings());
    long[] countAndChecksum = new long[2];
    forEach(
        cacheName,
        (key, record) -> {
          countAndChecksum[0]++;
          countAndChecksum[1] += records.hash(keys.number(key), fields.of(record));
        });
    return countAndChecksum;
  }

  /** Reads the highest values of a cache, those of each server by itself; only they travel. */
  static FunctionPath highest(IgniteTrial trial) {
    HighestFields empty = trial.highest();
    String cacheName = trial.cacheName;
    return trial.wholeSet(
        highest ->
            ofServers(trial.ignite(), cacheName, () -> highest(cacheName, empty.empty()))
                .forEach(highest::merge));
  }

  private static HighestFields highest(String cacheName, HighestFields highest) {
    BinaryFields fields = new BinaryFields(highest.names());
    forEach(cacheName, (key, record) -> fields.see(highest, record));
    return highest;
  }

  private static <T> Collection<T> ofServers(
      Ignite ignite, String cacheName, IgniteCallable<T> job) {
    return ignite.compute(ignite.cluster().forDataNodes(cacheName)).broadcast(job);
  }

  private static void forEach(String cacheName, BiConsumer<Object, BinaryObject> taker) {
    Ignite server = Ignition.localIgnite();
    IgniteCache<Object, BinaryObject> cache =
        server.<Object, BinaryObject>cache(cacheName).withKeepBinary();
    for (int own : server.affinity(cacheName).primaryPartitions(server.cluster().localNode())) {
      ScanQuery<Object, BinaryObject> query = new ScanQuery<>(own);
      query.setLocal(true);
      try (QueryCursor<Cache.Entry<Object, BinaryObject>> cursor = cache.query(query)) {
        cursor.forEach(entry -> taker.accept(entry.getKey(), entry.getValue()));
      }
    }
  }
}
