package io.pyrometer.driver.ignite.path;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.driver.ignite.data.PutAllOnServer;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.IgniteException;
import org.apache.ignite.lang.IgniteFuture;

/**
 * Has a server node write a batch a call, or all of them a part each. A call ends when all its
 * parts have, so that none that is left over can come after a later write to its key.
 */
final class ServerPutAll extends SynchronousPath {
  static final PathDefinition ONE =
      new PathDefinition(
          PathDescription.write(
                  "server-put-all",
                  Guarantee.OF_MANY,
                  "putAll issued by one server node.",
                  PathSettings.batch(10_000))
              .sendingClasses(),
          (context, lane) -> new ServerPutAll(context, 1));

  static final PathDefinition ALL =
      new PathDefinition(
          PathDescription.write(
                  "servers-put-all",
                  Guarantee.OF_MANY,
                  "putAll issued by all server nodes, a part of the batch each.",
                  PathSettings.batch(10_000))
              .sendingClasses(),
          (context, lane) -> new ServerPutAll(context, Integer.MAX_VALUE));

  private final PathContext context;
  private final int most;
  private final String cacheName;
  private final String trial;

  private ServerPutAll(PathContext context, int most) {
    super(context.settings().get(PathSettings.BATCH), "put-all");
    this.context = context;
    this.most = most;
    cacheName = context.cacheName();
    try {
      trial = Json.LINES.writeValueAsString(context.trial());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to a server.", e);
    }
  }

  /** Those that are there now: one may have gone since the last call. */
  private List<IgniteCompute> servers() {
    Ignite ignite = context.ignite();
    return ignite.cluster().forServers().nodes().stream()
        .limit(most)
        .map(node -> ignite.compute(ignite.cluster().forNode(node)))
        .toList();
  }

  @Override
  public void call(Call call) {
    List<IgniteCompute> servers = servers();
    List<IgniteFuture<Void>> parts = new ArrayList<>(servers.size());
    for (int server = 0; server < servers.size(); server++) {
      parts.add(servers.get(server).runAsync(part(call, server, servers.size())));
    }
    awaitAll(parts);
    call.done();
  }

  private static void awaitAll(List<IgniteFuture<Void>> parts) {
    IgniteException first = null;
    for (IgniteFuture<Void> part : parts) {
      try {
        part.get();
      } catch (IgniteException failure) {
        first = first == null ? failure : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private PutAllOnServer part(Call call, int server, int servers) {
    int[] mine =
        IntStream.range(0, call.size())
            .filter(i -> Long.remainderUnsigned(call.key(i), servers) == server)
            .toArray();
    long[] keys = new long[mine.length];
    int[] records = new int[mine.length];
    for (int i = 0; i < mine.length; i++) {
      keys[i] = call.key(mine[i]);
      records[i] = call.record(mine[i]);
    }
    return new PutAllOnServer(cacheName, trial, keys, records);
  }
}
