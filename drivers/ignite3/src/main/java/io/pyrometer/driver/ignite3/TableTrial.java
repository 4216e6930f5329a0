package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.compute.BroadcastJobTarget;
import org.apache.ignite.compute.JobDescriptor;
import org.apache.ignite.lang.Cursor;
import org.apache.ignite.lang.IgniteException;
import org.apache.ignite.sql.ResultSet;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.table.Tuple;
import org.apache.ignite.table.criteria.CriteriaQueryOptions;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/** One trial: a table of its own with a column for each field. */
final class TableTrial extends MapTrial<Tuple, Tuple> {
  private final IgniteClient client;
  private final String table;
  private final Columns columns;
  private final KeyValueView<Tuple, Tuple> view;

  TableTrial(IgniteClient client, String table, TrialSpec trial, Records records, Columns columns) {
    super(trial, records, 500, Columns::key, columns);
    this.client = client;
    this.table = table;
    this.columns = columns;
    this.view =
        Objects.requireNonNull(client.tables().table(table), "The creator made the table.")
            .keyValueView();
  }

  @Override
  public Map<String, String> configuration() {
    return configuration(client, table);
  }

  static Map<String, String> configuration(IgniteClient client, String table) {
    Map<String, String> facts = new TreeMap<>();
    try (ResultSet<SqlRow> zones =
        client
            .sql()
            .execute(
                null,
                "SELECT Z.PARTITIONS, Z.REPLICAS, Z.CONSISTENCY_MODE FROM SYSTEM.ZONES Z"
                    + " JOIN SYSTEM.TABLES T ON T.ZONE_ID = Z.ZONE_ID WHERE T.TABLE_NAME = ?",
                table)) {
      SqlRow zone = zones.next();
      facts.put("cache.partitions", String.valueOf(zone.intValue(0)));
      facts.put("cache.replicas", String.valueOf(zone.intValue(1)));
      facts.put("cache.consistency-mode", zone.stringValue(2));
    }
    return facts;
  }

  @Override
  public AccessPath path(LoadThread thread) {
    return switch (path) {
      case "put" -> put(this::write);
      case "put-async" -> putAsync((key, row) -> view.putAsync(null, key, row));
      case "put-all" -> putAll(this::load);
      case "streamer" -> streamer();
      case "get" -> get(this::read);
      case "get-all" -> getAll(keys -> view.getAll(null, keys));
      case "sql-aggregate" -> aggregate();
      case "compute" -> compute();
      case "update-sql" -> update();
      case "mixed" ->
          mixed("put", this::read, this::write)
              .getAll(keys -> view.getAll(null, keys))
              .putAll(this::load)
              .remove(key -> view.remove(null, key))
              .open();
      default -> throw unknownPath();
    };
  }

  private void write(Tuple key, Tuple row) {
    view.put(null, key, row);
  }

  @Override
  protected @Nullable Tuple read(Tuple key) {
    return view.get(null, key);
  }

  @Override
  protected void load(Map<Tuple, Tuple> batch) {
    view.putAll(null, batch);
  }

  private FunctionPath streamer() {
    Stream stream = new Stream(view, page);
    return FunctionPath.writing(
            path, settings.get(PathSettings.BATCH), call -> stream.add(batch(call, values())))
        .flushing(stream::drain)
        .closing(stream);
  }

  private FunctionPath aggregate() {
    String query =
        highest().names().stream()
            .map(name -> ", MAX(" + Columns.column(name) + ")")
            .collect(Collectors.joining("", "SELECT COUNT(*)", " FROM " + table));
    return wholeSet(
        highest ->
            client
                .transactions()
                .runInTransaction(
                    transaction -> {
                      aggregate(highest, transaction, query);
                    }));
  }

  private void aggregate(HighestFields highest, Transaction transaction, String query) {
    try (ResultSet<SqlRow> answer = client.sql().execute(transaction, query)) {
      SqlRow row = answer.next();
      double[] found = new double[highest.names().size()];
      for (int i = 0; i < found.length; i++) {
        found[i] = ((Number) row.value(i + 1)).doubleValue();
      }
      highest.merge(row.longValue(0), found);
    }
  }

  private FunctionPath compute() {
    List<String> fields = highest().names().stream().map(Columns::column).toList();
    String query = PartitionJob.query(table, fields);
    JobDescriptor<String, byte[]> job =
        JobDescriptor.<String, byte[]>builder(PartitionJob.class.getName()).build();
    return wholeSet(
        highest -> {
          for (byte[] partition :
              client.compute().execute(BroadcastJobTarget.table(table), job, query)) {
            DoubleBuffer found = ByteBuffer.wrap(partition).asDoubleBuffer();
            long count = (long) found.get();
            if (count > 0) {
              double[] values = new double[found.remaining()];
              found.get(values);
              highest.merge(count, values);
            }
          }
        });
  }

  private FunctionPath update() {
    int field = Update.field(records.shape(), settings);
    String statement =
        "UPDATE %s SET %s = ? WHERE %s = ?".formatted(table, columns.name(field), Columns.KEY);
    return FunctionPath.writing(
        path,
        1,
        call -> {
          Object value = columns.value(call.record(0), field);
          try (ResultSet<SqlRow> answer =
              client.sql().execute(null, statement, value, call.key(0))) {
            FunctionPath.requireFound(call.key(0), answer.affectedRows() == 1);
          }
        });
  }

  /**
   * In a transaction: without one a client may read a state before the writes of others. Key by key
   * from the primary replicas where a transaction is refused, as after a server was killed: writes
   * that were interrupted keep their locks for a while, and a get without a transaction takes none.
   */
  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    Set<Long> visited = new HashSet<>();
    StoredContents.RecordVisitor once =
        (key, fields) -> {
          // A transaction may be tried again.
          if (visited.add(key)) {
            visitor.visit(key, fields);
          }
        };
    try {
      client
          .transactions()
          .runInTransaction(
              transaction -> {
                scan(transaction, once);
              });
    } catch (IgniteException refused) {
      readEach(once);
    }
  }

  private void scan(Transaction transaction, StoredContents.RecordVisitor visitor) {
    CriteriaQueryOptions pages = CriteriaQueryOptions.builder().pageSize(page).build();
    try (Cursor<Map.Entry<Tuple, Tuple>> all = view.query(transaction, null, null, pages)) {
      while (all.hasNext()) {
        Map.Entry<Tuple, Tuple> entry = all.next();
        visitor.visit(entry.getKey().longValue(Columns.KEY), columns.fields(entry.getValue()));
      }
    }
  }

  /** The records with the keys of the trial; others could only be found by a scan. */
  private void readEach(StoredContents.RecordVisitor visitor) {
    for (long key = 0; key < settings.get(CoreSettings.RECORDS); key++) {
      Tuple row = view.get(null, Columns.key(key));
      if (row != null) {
        visitor.visit(key, columns.fields(row));
      }
    }
  }

  @Override
  public void destroy() {
    client.sql().execute(null, "DROP TABLE IF EXISTS " + table).close();
  }
}
