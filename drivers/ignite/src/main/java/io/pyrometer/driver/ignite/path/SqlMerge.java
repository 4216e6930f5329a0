package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.TypeNames;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.SettingDescription;
import java.util.Collections;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Writes records by SQL MERGE and waits for it: one a statement, or many rows a statement. */
final class SqlMerge {
  static final PathDefinition ONE = kind("sql-merge", "SQL MERGE, one record per statement.");
  static final PathDefinition BATCH =
      kind("sql-merge-batch", "SQL MERGE, many rows per statement.", PathSettings.batch(100));

  private final int batch;
  private final IgniteCache<Long, Object> cache;
  private final Object[][] fields;
  private final String head;
  private final String row;
  private final String full;

  private SqlMerge(PathContext context, int batch) {
    this.batch = batch;
    cache = context.binaryCache();
    fields = context.stock().fields();
    RecordShape shape = context.records().shape();
    head =
        shape.fields().stream()
            .map(FieldShape::name)
            .collect(
                Collectors.joining(
                    "\", \"",
                    "MERGE INTO \"" + TypeNames.table(shape) + "\" (_KEY, \"",
                    "\") VALUES "));
    row = "(?" + ", ?".repeat(shape.fields().size()) + ")";
    full = head + rows(batch);
  }

  private static PathDefinition kind(String name, String summary, SettingDescription... settings) {
    return new PathDefinition(
        write(name, settings.length == 0 ? Guarantee.OF_ONE : Guarantee.OF_MANY, summary, settings),
        context -> {
          int batch = settings.length == 0 ? 1 : context.settings().get(PathSettings.BATCH);
          return FunctionPath.writing("merge", batch, new SqlMerge(context, batch)::call);
        },
        PathDefinition.Cache.SQL);
  }

  private void call(Call call) {
    cache.query(statement(call.size()).setArgs(arguments(call))).getAll();
  }

  /** By default Ignite writes the rows of one statement one by one. */
  private SqlFieldsQuery statement(int rows) {
    String text = rows == batch ? full : head + rows(rows);
    return new SqlFieldsQuery(text).setUpdateBatchSize(rows);
  }

  private String rows(int rows) {
    return String.join(", ", Collections.nCopies(rows, row));
  }

  private Object[] arguments(Call call) {
    int width = fields[0].length + 1;
    Object[] arguments = new Object[call.size() * width];
    for (int i = 0; i < call.size(); i++) {
      Object[] record = fields[call.record(i)];
      arguments[i * width] = call.key(i);
      System.arraycopy(record, 0, arguments, i * width + 1, record.length);
    }
    return arguments;
  }
}
