package io.pyrometer.driver.ignite;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.query.FieldsQueryCursor;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;

/** An application: its clients, its threads, and what it sees of a fault. */
@SuppressWarnings("try") // to close it is to wait
final class Application implements AutoCloseable {
  private static final int WAITING = 100;
  private static final int MOST_KINDS = 10;
  private final PlantedFault fault;
  private final Ignite client;
  private final List<StockNode> servers;
  private final ExecutorService threads;
  private final Semaphore free = new Semaphore(WAITING);
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Queue<AutoCloseable> opened = new ConcurrentLinkedQueue<>();
  private final Queue<Object> held = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<IgniteClient> ownThin = new ThreadLocal<>();
  private final ThreadLocal<Connection> ownJdbc = new ThreadLocal<>();
  private final Map<String, LongAdder> seen = new ConcurrentHashMap<>();

  private Application(PlantedFault fault, Ignite client, List<StockNode> servers) {
    this.fault = fault;
    this.client = client;
    this.servers = servers;
    this.threads = Executors.newFixedThreadPool(fault.threads());
  }

  /**
   * Returns when it is set up and each thread has begun.
   *
   * @param servers that it may harm; empty in a JVM of its own
   */
  static Application start(PlantedFault fault, Ignite client, List<StockNode> servers)
      throws Exception {
    Application application = new Application(fault, client, servers);
    try {
      application.begin();
      return application;
    } catch (Exception | Error failed) {
      application.close();
      throw failed;
    }
  }

  private void begin() throws Exception {
    fault.setup().run(this);
    CountDownLatch begun = new CountDownLatch(fault.threads());
    IntStream.range(0, fault.threads())
        .forEach(thread -> threads.execute(() -> load(thread, begun)));
    if (!begun.await(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("The application did not begin: " + seen());
    }
  }

  private void load(int thread, CountDownLatch begun) {
    for (long step = thread; !ended.get(); step += fault.threads()) {
      if (step >= (long) fault.before() * fault.threads()) {
        begun.countDown();
      }
      try {
        fault.load().run(this, step);
      } catch (InterruptedException interrupted) {
        return;
      } catch (Exception failed) {
        if (!ended.get()) {
          String text = failed.getClass().getSimpleName() + ": " + failed.getMessage();
          saw(text.replaceAll("[0-9a-f-]*\\d[0-9a-f-]*", "#"));
        }
      }
    }
  }

  /** Counts a symptom. */
  void saw(String symptom) {
    String kind = symptom.substring(0, Math.min(150, symptom.length())).replaceAll("\\s+", " ");
    seen.computeIfAbsent(seen.size() < MOST_KINDS ? kind : "others", none -> new LongAdder())
        .increment();
  }

  /** The symptoms so far. */
  String seen() {
    return seen.entrySet().stream()
        .map(each -> each.getValue() + " × " + each.getKey())
        .collect(joining("; "));
  }

  Ignite client() {
    return client;
  }

  IgniteCache<Object, Object> cache() {
    return client.cache(PlantedFault.CACHE);
  }

  StockNode first() {
    return servers.get(0);
  }

  StockNode last() {
    return servers.get(servers.size() - 1);
  }

  void restartLast() throws Exception {
    servers.set(servers.size() - 1, last().restart());
  }

  /** Starts a further server. */
  void addServer() throws Exception {
    servers.add(last().another());
  }

  boolean hasEnded() {
    return ended.get();
  }

  /** Permits of the writes that may wait for the servers. */
  Semaphore free() {
    return free;
  }

  /** Keeps an object until the end. */
  void hold(Object kept) {
    held.add(kept);
  }

  /** Closes a resource at the end. */
  <T extends AutoCloseable> T open(T resource) {
    opened.add(resource);
    return resource;
  }

  Ignite join(String name) {
    return Ignition.start(first().client(name));
  }

  /** Starts processes that use a CPU each. */
  void burn(int processes) throws Exception {
    for (int i = 0; i < processes; i++) {
      Process burning =
          new ProcessBuilder("timeout", "60", "sh", "-c", "while :; do :; done").start();
      open(burning::destroy);
    }
  }

  /** Fills the cache with equal values of the keys from 0 on. */
  void fill(int entries, Object value) {
    try (IgniteDataStreamer<Object, Object> streamer = client.dataStreamer(PlantedFault.CACHE)) {
      for (long key = 0; key < entries; key++) {
        streamer.addData(key, value);
      }
    }
  }

  /** The cache by the thin client of the thread. */
  ClientCache<Object, Object> thin(int servers, boolean aware) {
    if (ownThin.get() == null) {
      ownThin.set(open(connect(servers, aware)));
    }
    return ownThin.get().cache(PlantedFault.CACHE);
  }

  /** A new thin client, which the caller closes. */
  IgniteClient connect(int servers, boolean aware) {
    return Ignition.startClient(
        new ClientConfiguration()
            .setAddresses(addresses().limit(servers).toArray(String[]::new))
            .setPartitionAwarenessEnabled(aware));
  }

  private Stream<String> addresses() {
    return client.cluster().forServers().nodes().stream()
        .map(node -> "127.0.0.1:" + node.attribute("clientListenerPort"));
  }

  List<List<?>> sql(String text, Object... arguments) {
    return sql(new SqlFieldsQuery(text).setArgs(arguments));
  }

  List<List<?>> sql(SqlFieldsQuery query) {
    try (FieldsQueryCursor<List<?>> rows = thin(2, true).query(query.setSchema("PUBLIC"))) {
      return rows.getAll();
    }
  }

  /** SQL by the thick client. */
  List<List<?>> sqlOfNode(String text, Object... arguments) {
    try (FieldsQueryCursor<List<?>> rows =
        cache().query(new SqlFieldsQuery(text).setArgs(arguments).setSchema("PUBLIC"))) {
      return rows.getAll();
    }
  }

  /** Counts a symptom unless the query answers with one number. */
  void expect(long expected, String query) {
    List<List<?>> rows = sqlOfNode(query);
    if (rows.size() != 1 || ((Number) rows.get(0).get(0)).longValue() != expected) {
      saw(
          "%d rows, first %s, in place of %d: %s"
              .formatted(rows.size(), rows.get(0), expected, query));
    }
  }

  /** Executes a statement by the JDBC connection of the thread, and reads all rows. */
  void jdbc(int servers, String text, Object... arguments) throws SQLException {
    if (ownJdbc.get() == null) {
      ownJdbc.set(open(connectJdbc(servers)));
    }
    try (PreparedStatement statement = ownJdbc.get().prepareStatement(text)) {
      execute(statement, arguments);
    }
  }

  private Connection connectJdbc(int servers) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:ignite:thin://" + addresses().limit(servers).collect(joining(",")));
  }

  private static void execute(PreparedStatement statement, Object... arguments)
      throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    if (statement.execute()) {
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          rows.getObject(1);
        }
      }
    }
  }

  /** Inserts rows by the streaming mode of JDBC. */
  void insert(String text, int rows, IntFunction<Object[]> row) throws SQLException {
    try (Connection connection = connectJdbc(1);
        Statement mode = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(text)) {
      mode.execute("set streaming on");
      for (int i = 0; i < rows; i++) {
        execute(statement, row.apply(i));
      }
      mode.execute("set streaming off");
    }
  }

  @Override
  public void close() throws Exception {
    ended.set(true);
    threads.shutdown();
    if (!servers.isEmpty()) {
      last().signal("-CONT");
    }
    String symptoms = seen();
    if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
      threads.shutdownNow();
    }
    for (AutoCloseable each : opened) {
      each.close();
    }
    System.out.println("APPLICATION " + fault + ": " + symptoms);
    if (fault.healthy() && !seen.isEmpty()) {
      throw new AssertionError(symptoms);
    }
  }
}
