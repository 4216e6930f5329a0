package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.Collections;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Writes records by SQL MERGE and waits for it: one a statement, or many rows a statement. */
final class SqlMerge {
  static final IgnitePath ONE = path("sql-merge");
  static final IgnitePath BATCH = path("sql-merge-batch");

  private final IgniteCache<Long, Object> cache;
  private final Object[][] fields;
  private final String head;
  private final String row;

  private SqlMerge(IgniteTrial trial) {
    cache = trial.binaryCache();
    fields = trial.stock.fields();
    RecordShape shape = trial.records().shape();
    String columns =
        shape.fields().stream().map(FieldShape::name).collect(Collectors.joining("\", \""));
    head = "MERGE INTO \"%s\" (_KEY, \"%s\") VALUES ".formatted(RecordClass.table(shape), columns);
    row = "(?" + ", ?".repeat(shape.fields().size()) + ")";
  }

  private static IgnitePath path(String name) {
    return new IgnitePath(
        name,
        trial -> {
          int batch = trial.recordsPerCall();
          SqlMerge merge = new SqlMerge(trial);
          String full = merge.statement(batch);
          return FunctionPath.writing(
              trial.operation(),
              batch,
              call -> merge.call(call, call.size() == batch ? full : merge.statement(call.size())));
        },
        IgnitePath.Cache.SQL);
  }

  private String statement(int rows) {
    return head + String.join(", ", Collections.nCopies(rows, row));
  }

  /** By default Ignite writes the rows of one statement one by one. */
  private void call(Call call, String statement) {
    int width = fields[0].length + 1;
    Object[] arguments = new Object[call.size() * width];
    for (int i = 0; i < call.size(); i++) {
      Object[] record = fields[call.record(i)];
      arguments[i * width] = call.key(i);
      System.arraycopy(record, 0, arguments, i * width + 1, record.length);
    }
    cache
        .query(new SqlFieldsQuery(statement).setUpdateBatchSize(call.size()).setArgs(arguments))
        .getAll();
  }
}
