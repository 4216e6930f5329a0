package io.pyrometer.driver.ignite.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** A file of performance statistics of one node, as Ignite writes it. */
final class StatisticsFile {
  /** The first record of every node, in milliseconds since 1970. */
  static final long BEGIN = 1_700_000_000_000L;

  private static final int SQL_FIELDS = 3;

  final UUID node;
  private final ByteBuffer buffer;

  StatisticsFile(int node, int capacity) {
    this.node = new UUID(node, node);
    this.buffer = ByteBuffer.allocate(capacity).order(ByteOrder.nativeOrder());
  }

  private StatisticsFile begin(OperationType type) {
    buffer.put((byte) type.ordinal());
    return this;
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.put((byte) 0).putInt(bytes.length).put(bytes);
  }

  StatisticsFile cache(int id, String name) {
    begin(OperationType.CACHE_START).text(name);
    buffer.putInt(id);
    return this;
  }

  /** Calls at equal distances within some seconds from the first record on. */
  StatisticsFile calls(OperationType type, int cache, int count, double seconds, double millis) {
    for (int i = 0; i < count; i++) {
      begin(type).buffer.putInt(cache);
      buffer.putLong(BEGIN + (long) (1e3 * seconds * i / count)).putLong((long) (1e6 * millis));
    }
    return this;
  }

  StatisticsFile transaction(int cache, double millis, boolean committed) {
    begin(committed ? OperationType.TX_COMMIT : OperationType.TX_ROLLBACK);
    buffer.putInt(1).putInt(cache).putLong(BEGIN).putLong((long) (1e6 * millis));
    return this;
  }

  /** Executions at equal distances within some seconds. */
  StatisticsFile queries(String sql, int count, double seconds, double millis) {
    for (int i = 0; i < count; i++) {
      begin(OperationType.QUERY).text(sql);
      buffer.put((byte) SQL_FIELDS).putLong(i).putLong(BEGIN + (long) (1e3 * seconds * i / count));
      buffer.putLong((long) (1e6 * millis)).put((byte) 1);
    }
    return this;
  }

  /** Pages that the node read for a query of another one. */
  StatisticsFile reads(UUID origin, int pages) {
    begin(OperationType.QUERY_READS).buffer.put((byte) SQL_FIELDS);
    buffer.putLong(origin.getMostSignificantBits()).putLong(origin.getLeastSignificantBits());
    buffer.putLong(0).putLong(pages).putLong(0);
    return this;
  }

  /** Rows that a query of its own returned; the text of the action may be spelt elsewhere. */
  StatisticsFile rows(int query, int rows, boolean spelt) {
    String action = "Fetched on reducer";
    begin(OperationType.QUERY_ROWS);
    if (spelt) {
      text(action);
    } else {
      buffer.put((byte) 1).putInt(action.hashCode());
    }
    buffer.put((byte) SQL_FIELDS);
    buffer.putLong(node.getMostSignificantBits()).putLong(node.getLeastSignificantBits());
    buffer.putLong(query).putLong(rows);
    return this;
  }

  StatisticsFile checkpoint(int startMillis, int millis) {
    begin(OperationType.CHECKPOINT);
    for (int phase = 0; phase < 10; phase++) {
      buffer.putLong(0);
    }
    buffer.putLong(millis).putLong(BEGIN + startMillis).putInt(1).putInt(1).putInt(1);
    return this;
  }

  /** A scan of a cache, whose start is not a time since 1970. */
  StatisticsFile scan(String cache, double millis) {
    begin(OperationType.QUERY).text(cache);
    buffer.put((byte) GridCacheQueryType.SCAN.ordinal()).putLong(1).putLong(29_470_000_000_000L);
    buffer.putLong((long) (1e6 * millis)).put((byte) 1);
    return this;
  }

  StatisticsFile throttled(int millis) {
    begin(OperationType.PAGES_WRITE_THROTTLE).buffer.putLong(BEGIN + millis).putLong(millis);
    return this;
  }

  Path write(Path folder) throws IOException {
    return write(folder, buffer.position());
  }

  /** Write without what follows the first bytes. */
  Path write(Path folder, int bytes) throws IOException {
    Files.createDirectories(folder);
    return Files.write(
        folder.resolve("node-" + node + ".prf"), Arrays.copyOf(buffer.array(), bytes));
  }

  int bytes() {
    return buffer.position();
  }
}
