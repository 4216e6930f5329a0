package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.Collectors;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.compute.BroadcastJobTarget;
import org.apache.ignite.compute.JobDescriptor;
import org.apache.ignite.lang.Cursor;
import org.apache.ignite.lang.IgniteException;
import org.apache.ignite.sql.ResultSet;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.table.DataStreamerItem;
import org.apache.ignite.table.DataStreamerOptions;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.table.Tuple;
import org.apache.ignite.table.criteria.CriteriaQueryOptions;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/** One trial: a table of its own with a column for each field. */
final class TableTrial implements TrialSession {
  private static final int MAX_PAGE_RECORDS = 500;

  private final IgniteClient client;
  private final String table;
  private final String path;
  private final Settings settings;
  private final Records records;
  private final Columns columns;
  private final KeyValueView<Tuple, Tuple> view;
  private final int page;

  TableTrial(
      IgniteClient client,
      String table,
      String path,
      Settings settings,
      Records records,
      Columns columns) {
    this.client = client;
    this.table = table;
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.columns = columns;
    this.page = PageSize.of(records, MAX_PAGE_RECORDS);
    this.view =
        Objects.requireNonNull(client.tables().table(table), "The creator made the table.")
            .keyValueView();
  }

  @Override
  public Map<String, String> configuration() {
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
  public void fill(long from, long to) {
    Map<Tuple, Tuple> batch = new HashMap<>();
    for (long key = from; key < to; key++) {
      batch.put(Columns.key(key), columns.row((int) (key % records.size())));
      if (batch.size() == page || key == to - 1) {
        view.putAll(null, batch);
        batch.clear();
      }
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    HighestFields highest = new HighestFields(records.shape(), settings);
    return switch (path) {
      case "put" -> FunctionPath.writing(path, 1, this::put);
      case "put-async" ->
          FunctionPath.completing(
              path,
              settings.get(PathSettings.IN_FLIGHT),
              call -> view.putAsync(null, key(call), columns.row(call.record(0))));
      case "put-all" ->
          FunctionPath.writing(
              path, settings.get(PathSettings.BATCH), call -> view.putAll(null, batch(call)));
      case "streamer" -> FunctionPath.writing(path, settings.get(PathSettings.BATCH), this::stream);
      case "get" ->
          FunctionPath.reading(path, 1, highest, call -> see(highest, view.get(null, key(call))));
      case "get-all" ->
          FunctionPath.reading(
              path,
              settings.get(PathSettings.BATCH),
              highest,
              call -> view.getAll(null, keys(call)).values().forEach(row -> see(highest, row)));
      case "sql-aggregate" -> aggregate(highest);
      case "compute" -> compute(highest);
      case "update-sql" -> update();
      case "mixed" ->
          FunctionPath.mixed("put", key -> view.get(null, Columns.key(key)) != null, this::put);
      default -> throw new GridException("Ignite 3 has no access path '%s'.".formatted(path));
    };
  }

  private static Tuple key(Call call) {
    return Columns.key(call.key(0));
  }

  private void put(Call call) {
    view.put(null, key(call), columns.row(call.record(0)));
  }

  private Map<Tuple, Tuple> batch(Call call) {
    Map<Tuple, Tuple> batch = new HashMap<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      batch.put(Columns.key(call.key(i)), columns.row(call.record(i)));
    }
    return batch;
  }

  private static List<Tuple> keys(Call call) {
    List<Tuple> keys = new ArrayList<>(call.size());
    for (int i = 0; i < call.size(); i++) {
      keys.add(Columns.key(call.key(i)));
    }
    return keys;
  }

  private void see(HighestFields highest, @Nullable Tuple row) {
    if (row != null) {
      highest.see(columns.fields(row));
    }
  }

  private void stream(Call call) throws Exception {
    CompletableFuture<Void> done;
    try (SubmissionPublisher<DataStreamerItem<Map.Entry<Tuple, Tuple>>> publisher =
        new SubmissionPublisher<>(Runnable::run, Math.max(call.size(), page))) {
      done =
          view.streamData(
              publisher,
              DataStreamerOptions.builder()
                  .pageSize(page)
                  .perPartitionParallelOperations(1)
                  .build());
      batch(call).forEach((key, row) -> publisher.submit(DataStreamerItem.of(Map.entry(key, row))));
    }
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new GridException("The data streamer failed: " + Ignite3Server.root(e), e);
    }
  }

  private AccessPath aggregate(HighestFields highest) {
    String query =
        highest.names().stream()
            .map(name -> ", MAX(" + Columns.column(name) + ")")
            .collect(Collectors.joining("", "SELECT COUNT(*)", " FROM " + table));
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest,
        call ->
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

  private AccessPath compute(HighestFields highest) {
    List<String> fields = highest.names().stream().map(Columns::column).toList();
    String query = PartitionJob.query(table, fields);
    JobDescriptor<String, byte[]> job =
        JobDescriptor.<String, byte[]>builder(PartitionJob.class.getName()).build();
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest,
        call -> {
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

  private AccessPath update() {
    int field = Update.field(records.shape(), settings);
    String statement =
        "UPDATE %s SET %s = ? WHERE %s = ?".formatted(table, columns.name(field), Columns.KEY);
    return FunctionPath.writing(
        path,
        1,
        call -> {
          try (ResultSet<SqlRow> answer =
              client
                  .sql()
                  .execute(null, statement, columns.value(call.record(0), field), call.key(0))) {
            if (answer.affectedRows() != 1) {
              throw new IllegalStateException(
                  "Key " + call.key(0) + " was filled in but is absent.");
            }
          }
        });
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
        key -> Optional.ofNullable(view.get(null, Columns.key(key))).map(columns::fields));
  }

  /**
   * In a transaction: without one a client may read a state before the writes of others. Key by key
   * from the primary replicas where a transaction is refused, as after a server was killed: writes
   * that were interrupted keep their locks for a while, and a get without a transaction takes none.
   */
  private void scan(StoredContents.RecordVisitor visitor) {
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
      read(once);
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
  private void read(StoredContents.RecordVisitor visitor) {
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

  @Override
  public void close() {}
}
