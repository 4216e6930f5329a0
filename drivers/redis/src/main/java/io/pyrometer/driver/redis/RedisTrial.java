package io.pyrometer.driver.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One trial: the cluster's only data set, emptied by the agent that creates it. */
final class RedisTrial extends MapTrial<byte[], byte[]> {
  private static final long WAIT_MILLIS = 1_000;
  private static final long ANSWER_SECONDS = 5;

  private final RedisClusterClient client;
  private final int waitFor;
  private final StatefulRedisClusterConnection<byte[], byte[]> own;

  RedisTrial(RedisClusterClient client, TrialSpec trial, Records records) {
    super(trial, records, 1_000, RecordBytes::key, new RecordBytes(records));
    this.client = client;
    this.waitFor =
        settings.get(RedisDriver.ACKNOWLEDGED_BY).equals("all")
            ? settings.get(RedisDriver.BACKUPS)
            : 0;
    this.own = client.connect(ByteArrayCodec.INSTANCE);
  }

  @Override
  protected Map<byte[], byte[]> newBatch(int size) {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  @Override
  protected byte @Nullable [] read(byte[] key) {
    return own.sync().get(key);
  }

  @Override
  protected void load(Map<byte[], byte[]> batch) {
    Connection connection = new Connection(own);
    batch.forEach(connection::add);
    connection.send();
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("cluster.processes", String.valueOf(own.getPartitions().getPartitions().size()));
    facts.put("writes.wait-for-replicas", String.valueOf(waitFor));
    try (var text = client.connect(StringCodec.UTF8)) {
      for (RedisClusterNode master : masters()) {
        RedisClusterCommands<String, String> node = text.getConnection(master.getNodeId()).sync();
        Map<String, String> own = RedisServer.configuration(node);
        String replicas =
            node.info("replication")
                .lines()
                .filter(line -> line.startsWith("connected_slaves:"))
                .findFirst()
                .orElse(":?")
                .split(":", 2)[1]
                .strip();
        own.put("cache.backups", replicas);
        own.forEach(
            (name, value) -> facts.merge(name, value, (a, b) -> a.equals(b) ? a : a + " and " + b));
      }
    }
    return facts;
  }

  private List<RedisClusterNode> masters() {
    return RedisSession.masters(own.getPartitions());
  }

  @Override
  public AccessPath path(LoadThread thread) {
    // WAIT holds a connection up, so each load thread has its own.
    StatefulRedisClusterConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE);
    return new Connection(connection).open().closing(connection);
  }

  /** Sends GETs, and SETs followed on each master by one WAIT where replicas are waited for. */
  private final class Connection {
    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final List<RedisFuture<?>> sent = new ArrayList<>();
    private final Set<String> masters = new HashSet<>();

    private Connection(StatefulRedisClusterConnection<byte[], byte[]> connection) {
      this.connection = connection;
    }

    private void write(byte[] key, byte[] value) {
      add(key, value);
      send();
    }

    private void remove(byte[] key) {
      send(key, redis -> redis.del(key));
      send();
    }

    private FunctionPath open() {
      RedisAdvancedClusterCommands<byte[], byte[]> commands = connection.sync();
      return switch (path) {
        case "set" -> put(this::write);
        case "set-async" ->
            FunctionPath.asynchronous(path, settings.get(PathSettings.IN_FLIGHT), 1, this::begin);
        case "set-pipeline" -> writeEach();
        case "get" -> get(commands::get);
        case "get-pipeline" -> readEach();
        case "mixed" -> mixed("set", commands::get, this::write).remove(this::remove).open();
        default -> throw unknownPath();
      };
    }

    private FunctionPath writeEach() {
      return FunctionPath.writing(
          path,
          settings.get(PathSettings.BATCH),
          call -> {
            for (int i = 0; i < call.size(); i++) {
              add(RecordBytes.key(call.key(i)), form.of(call.record(i)));
            }
            send();
          });
    }

    private FunctionPath readEach() {
      HighestFields highest = highest();
      return FunctionPath.reading(
          path,
          settings.get(PathSettings.BATCH),
          highest::take,
          call -> {
            List<RedisFuture<byte[]>> found = new ArrayList<>(call.size());
            for (int i = 0; i < call.size(); i++) {
              found.add(connection.async().get(RecordBytes.key(call.key(i))));
            }
            for (RedisFuture<byte[]> each : found) {
              byte[] record = await(each);
              if (record != null) {
                see(highest, record);
              }
            }
          });
    }

    /**
     * Begins one SET. WAIT is answered on the master's connection after the SET, so where it is
     * asked for it alone is waited for.
     */
    private void begin(Call call) {
      byte[] key = RecordBytes.key(call.key(0));
      RedisFuture<String> set;
      if (waitFor == 0) {
        set = connection.async().set(key, form.of(call.record(0)));
        set.whenComplete((done, failure) -> FunctionPath.end(call, failure));
        return;
      }
      var master = connection.getConnection(masterOf(key)).async();
      set = master.set(key, form.of(call.record(0)));
      RedisFuture<Long> wait = master.waitForReplication(waitFor, WAIT_MILLIS);
      set.thenCombine(wait, (done, replicas) -> replicas)
          .whenComplete(
              (replicas, failure) ->
                  FunctionPath.end(
                      call, failure == null && replicas < waitFor ? notReplicated() : failure));
    }

    void add(byte[] key, byte[] value) {
      send(key, redis -> redis.set(key, value));
    }

    private void send(
        byte[] key, Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<?>> command) {
      if (waitFor == 0) {
        sent.add(command.apply(connection.async()));
      } else {
        String master = masterOf(key);
        masters.add(master);
        sent.add(command.apply(connection.getConnection(master).async()));
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

  private static <T extends @Nullable Object> T await(RedisFuture<T> answer) {
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

  /** SCAN may name a key twice. */
  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
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
        found.forEach((key, value) -> visitor.visit(key, form.fields(await(value))));
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
