package io.pyrometer.driver.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One trial: the cluster's only data set, emptied by the agent that creates it. */
final class RedisTrial implements TrialSession {
  private static final int MAX_PAGE_RECORDS = 1_000;
  private static final long WAIT_MILLIS = 1_000;
  private static final long ANSWER_SECONDS = 5;

  private final RedisClusterClient client;
  private final String path;
  private final Settings settings;
  private final Records records;
  private final RecordBytes values;
  private final int page;
  private final int waitFor;
  private final StatefulRedisClusterConnection<byte[], byte[]> own;

  RedisTrial(RedisClusterClient client, String path, Settings settings, Records records) {
    this.client = client;
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.values = new RecordBytes(records);
    this.page = PageSize.of(records, MAX_PAGE_RECORDS);
    this.waitFor =
        settings.get(RedisDriver.ACKNOWLEDGED_BY).equals("all")
            ? settings.get(RedisDriver.BACKUPS)
            : 0;
    this.own = client.connect(ByteArrayCodec.INSTANCE);
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("cluster.processes", String.valueOf(own.getPartitions().getPartitions().size()));
    facts.put("writes.wait-for-replicas", String.valueOf(waitFor));
    try (var text = client.connect(StringCodec.UTF8)) {
      for (RedisClusterNode master : masters()) {
        RedisClusterCommands<String, String> node = text.getConnection(master.getNodeId()).sync();
        RedisServer.configuration(node)
            .forEach(
                (name, value) ->
                    facts.merge(name, value, (a, b) -> a.equals(b) ? a : a + " and " + b));
        String replicas =
            node.info("replication")
                .lines()
                .filter(line -> line.startsWith("connected_slaves:"))
                .findFirst()
                .orElse(":?")
                .split(":", 2)[1]
                .strip();
        facts.merge("cache.backups", replicas, (a, b) -> a.equals(b) ? a : a + " and " + b);
      }
    }
    return facts;
  }

  private List<RedisClusterNode> masters() {
    return RedisSession.masters(own.getPartitions());
  }

  @Override
  public void fill(long from, long to) {
    Writer writer = new Writer(own);
    for (long start = from; start < to; start += page) {
      for (long key = start; key < Math.min(to, start + page); key++) {
        writer.add(key, (int) (key % records.size()));
      }
      writer.send();
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    HighestFields highest = new HighestFields(records.shape(), settings);
    // WAIT holds a connection up, so each load thread has its own.
    StatefulRedisClusterConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE);
    Writer writer = new Writer(connection);
    FunctionPath opened =
        switch (path) {
          case "set" -> FunctionPath.writing(path, 1, writer::write);
          case "set-async" ->
              FunctionPath.asynchronous(path, settings.get(PathSettings.IN_FLIGHT), writer::begin);
          case "set-pipeline" ->
              FunctionPath.writing(path, settings.get(PathSettings.BATCH), writer::write);
          case "get" ->
              FunctionPath.reading(
                  path,
                  1,
                  highest,
                  call -> see(highest, connection.sync().get(RecordBytes.key(call.key(0)))));
          case "get-pipeline" ->
              FunctionPath.reading(
                  path,
                  settings.get(PathSettings.BATCH),
                  highest,
                  call -> read(connection, call, highest));
          case "mixed" ->
              FunctionPath.mixed(
                  "set", key -> connection.sync().get(RecordBytes.key(key)) != null, writer::write);
          default -> throw new GridException("Redis has no access path '%s'.".formatted(path));
        };
    return opened.closing(connection);
  }

  private void read(
      StatefulRedisClusterConnection<byte[], byte[]> connection, Call call, HighestFields highest) {
    List<RedisFuture<byte[]>> found = new ArrayList<>(call.size());
    for (int i = 0; i < call.size(); i++) {
      found.add(connection.async().get(RecordBytes.key(call.key(i))));
    }
    found.forEach(each -> see(highest, await(each)));
  }

  private void see(HighestFields highest, byte @Nullable [] found) {
    if (found != null) {
      highest.see(values.fields(found));
    }
  }

  /** Sends SETs, followed on each master by one WAIT where replicas are waited for. */
  private final class Writer {
    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final List<RedisFuture<?>> sent = new ArrayList<>();
    private final Set<String> masters = new HashSet<>();

    Writer(StatefulRedisClusterConnection<byte[], byte[]> connection) {
      this.connection = connection;
    }

    void write(Call call) {
      for (int i = 0; i < call.size(); i++) {
        add(call.key(i), call.record(i));
      }
      send();
    }

    /**
     * Begins one SET. WAIT is answered on the master's connection after the SET, so where it is
     * asked for it alone is waited for.
     */
    void begin(Call call) {
      byte[] key = RecordBytes.key(call.key(0));
      RedisFuture<String> set;
      if (waitFor == 0) {
        set = connection.async().set(key, values.of(call.record(0)));
        set.whenComplete((done, failure) -> end(call, failure));
        return;
      }
      var master = connection.getConnection(masterOf(key)).async();
      set = master.set(key, values.of(call.record(0)));
      RedisFuture<Long> wait = master.waitForReplication(waitFor, WAIT_MILLIS);
      set.thenCombine(wait, (done, replicas) -> replicas)
          .whenComplete(
              (replicas, failure) ->
                  end(call, failure == null && replicas < waitFor ? notReplicated() : failure));
    }

    private void end(Call call, @Nullable Throwable failure) {
      if (failure == null) {
        call.done();
      } else {
        call.failed(failure);
      }
    }

    void add(long key, int record) {
      byte[] bytes = RecordBytes.key(key);
      if (waitFor == 0) {
        sent.add(connection.async().set(bytes, values.of(record)));
      } else {
        String master = masterOf(bytes);
        masters.add(master);
        sent.add(connection.getConnection(master).async().set(bytes, values.of(record)));
      }
    }

    void send() {
      try {
        List<RedisFuture<Long>> waits = new ArrayList<>(masters.size());
        for (String master : masters) {
          waits.add(
              connection.getConnection(master).async().waitForReplication(waitFor, WAIT_MILLIS));
        }
        sent.forEach(RedisTrial::await);
        for (RedisFuture<Long> wait : waits) {
          if (await(wait) < waitFor) {
            throw notReplicated();
          }
        }
      } finally {
        sent.clear();
        masters.clear();
      }
    }

    private String masterOf(byte[] key) {
      return connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key)).getNodeId();
    }
  }

  private static IllegalStateException notReplicated() {
    return new IllegalStateException("No replica confirmed the write in time.");
  }

  private static <T> T await(RedisFuture<T> answer) {
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Redis did not answer within " + ANSWER_SECONDS + " s.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Redis was asked.", e);
    }
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(
        records,
        this::scan,
        key -> Optional.ofNullable(own.sync().get(RecordBytes.key(key))).map(values::fields));
  }

  /** SCAN may name a key twice. */
  private void scan(StoredContents.RecordVisitor visitor) {
    client.refreshPartitions();
    Set<Long> seen = new HashSet<>();
    for (RedisClusterNode master : masters()) {
      var node = own.getConnection(master.getNodeId());
      KeyScanCursor<byte[]> cursor = node.sync().scan(ScanArgs.Builder.limit(page));
      while (true) {
        Map<Long, RedisFuture<byte[]>> found = new HashMap<>();
        for (byte[] key : cursor.getKeys()) {
          if (seen.add(RecordBytes.key(key))) {
            found.put(RecordBytes.key(key), node.async().get(key));
          }
        }
        found.forEach((key, value) -> visitor.visit(key, values.fields(await(value))));
        if (cursor.isFinished()) {
          break;
        }
        cursor = node.sync().scan(ScanCursor.of(cursor.getCursor()), ScanArgs.Builder.limit(page));
      }
    }
  }

  /** Comes before or after {@link #close}. */
  @Override
  public void destroy() {
    try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
      for (RedisClusterNode master : masters()) {
        String unused = connection.getConnection(master.getNodeId()).sync().flushall();
      }
    }
  }

  @Override
  public void close() {
    own.close();
  }
}
