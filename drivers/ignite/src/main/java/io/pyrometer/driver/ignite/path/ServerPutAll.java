package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.ServerRecords;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteFuture;

/**
 * Has a server node write a batch a call, or all of them a part each. A call ends when all its
 * parts have, so that none that is left over can come after a later write to its key. Only keys and
 * the numbers of records are sent; the server draws the records themselves once a trial.
 */
final class ServerPutAll {
  private ServerPutAll() {}

  /**
   * @param most servers to write
   */
  static FunctionPath open(IgniteTrial trial, int most) {
    ServerRecords stock = new ServerRecords(trial.trial);
    AtomicLong merged = new AtomicLong();
    return FunctionPath.writing(
            trial.operation(),
            trial.settings().get(PathSettings.BATCH),
            call -> merged.addAndGet(call.size() - call(trial, stock, most, call)))
        .merging(merged::get);
  }

  /** Returns how many entries the servers wrote. */
  private static int call(IgniteTrial trial, ServerRecords stock, int most, Call call) {
    Ignite ignite = trial.ignite();
    // Those that are there now: one may have gone since the last call.
    List<ClusterNode> servers = ignite.cluster().forServers().nodes().stream().limit(most).toList();
    List<IgniteFuture<Integer>> parts = new ArrayList<>(servers.size());
    for (int server = 0; server < servers.size(); server++) {
      parts.add(
          ignite
              .compute(ignite.cluster().forNode(servers.get(server)))
              .callAsync(part(trial.cacheName, stock, call, server, servers.size())));
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

  private static IgniteCallable<Integer> part(
      String cacheName, ServerRecords stock, Call call, int server, int servers) {
    int[] mine =
        IntStream.range(0, call.size())
            .filter(i -> Long.remainderUnsigned(call.key(i), servers) == server)
            .toArray();
    long[] keys = Arrays.stream(mine).mapToLong(call::key).toArray();
    int[] records = Arrays.stream(mine).map(call::record).toArray();
    return () -> write(cacheName, stock, keys, records);
  }

  private static int write(String cacheName, ServerRecords stock, long[] keys, int[] records) {
    Ignite server = Ignition.localIgnite();
    Settings settings = stock.trial().settings();
    IntFunction<Object> values =
        stock.of(server, cacheName).in(settings.get(GridSettings.VALUE_FORM));
    Map<Object, Object> batch = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      batch.put(keys[i], values.apply(records[i]));
    }
    CachePort.thick(server, cacheName, ValuePool.isBinary(settings)).putAll().accept(batch);
    return batch.size();
  }
}
