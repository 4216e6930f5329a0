package io.pyrometer.driver.ignite;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.query.FieldsQueryCursor;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;

/**
 * Context of an application.
 *
 * @param thin addresses of the servers for thin clients
 * @param ended whether it should stop
 * @param opened its thin clients
 * @param free how many more writes may wait for the servers
 */
record Application(
    Ignite client,
    IgniteCache<Object, Object> cache,
    List<String> thin,
    StockNode first,
    StockNode second,
    AtomicBoolean ended,
    Queue<IgniteClient> opened,
    Semaphore free)
    implements AutoCloseable {
  private static final int WAITING = 100;
  private static final ThreadLocal<IgniteClient> OWN = new ThreadLocal<>();

  Application(
      Ignite client,
      IgniteCache<Object, Object> cache,
      List<String> thin,
      StockNode first,
      StockNode second) {
    this(
        client,
        cache,
        thin,
        first,
        second,
        new AtomicBoolean(),
        new ConcurrentLinkedQueue<>(),
        new Semaphore(WAITING));
  }

  Ignite join(String name) {
    return Ignition.start(first.client(name));
  }

  /** The cache by the thin client of the thread. */
  ClientCache<Object, Object> thin(int servers, boolean aware) {
    IgniteClient own = OWN.get();
    if (own == null) {
      own = connect(servers, aware);
      OWN.set(own);
      opened.add(own);
    }
    return own.cache(PlantedFault.CACHE);
  }

  /** A new thin client, which the caller closes. */
  IgniteClient connect(int servers, boolean aware) {
    return Ignition.startClient(
        new ClientConfiguration()
            .setAddresses(thin.stream().limit(servers).toArray(String[]::new))
            .setPartitionAwarenessEnabled(aware));
  }

  void sql(String text, Object... arguments) {
    sql(new SqlFieldsQuery(text).setArgs(arguments));
  }

  void sql(SqlFieldsQuery query) {
    try (FieldsQueryCursor<List<?>> rows = thin(2, true).query(query.setSchema("PUBLIC"))) {
      rows.getAll();
    }
  }

  /** SQL by the thick client. */
  void sqlOfNode(SqlFieldsQuery query) {
    try (FieldsQueryCursor<List<?>> rows = cache.query(query.setSchema("PUBLIC"))) {
      rows.getAll();
    }
  }

  @Override
  public void close() {
    opened.forEach(IgniteClient::close);
  }
}
