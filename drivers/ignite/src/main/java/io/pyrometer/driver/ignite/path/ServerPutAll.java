package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.PutAllOnServer;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Json;
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
final class ServerPutAll {
  static final PathDefinition ONE =
      definition("server-put-all", "putAll issued by one server node.", 1);

  static final PathDefinition ALL =
      definition(
          "servers-put-all",
          "putAll issued by all server nodes, a part of the batch each.",
          Integer.MAX_VALUE);

  private final PathContext context;
  private final int most;
  private final String trial;

  private ServerPutAll(PathContext context, int most) {
    this.context = context;
    this.most = most;
    try {
      trial = Json.LINES.writeValueAsString(context.trial());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to a server.", e);
    }
  }

  private static PathDefinition definition(String name, String summary, int most) {
    return new PathDefinition(
        write(name, Guarantee.OF_MANY, summary, PathSettings.batch(10_000)).sendingClasses(),
        context ->
            FunctionPath.writing(
                "put-all",
                context.settings().get(PathSettings.BATCH),
                new ServerPutAll(context, most)::call));
  }

  /** Those that are there now: one may have gone since the last call. */
  private List<IgniteCompute> servers() {
    Ignite ignite = context.ignite();
    return ignite.cluster().forServers().nodes().stream()
        .limit(most)
        .map(node -> ignite.compute(ignite.cluster().forNode(node)))
        .toList();
  }

  private void call(Call call) {
    List<IgniteCompute> servers = servers();
    List<IgniteFuture<Void>> parts = new ArrayList<>(servers.size());
    for (int server = 0; server < servers.size(); server++) {
      parts.add(servers.get(server).runAsync(part(call, server, servers.size())));
    }
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
    return new PutAllOnServer(context.cacheName(), trial, keys, records);
  }
}
