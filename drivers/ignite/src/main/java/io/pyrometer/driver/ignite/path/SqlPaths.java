package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.AnswerCheck;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Paths that write, aggregate and query by SQL. */
final class SqlPaths {
  private static final SettingKey<Boolean> DISTRIBUTED_JOINS =
      GridSettings.DECLARED.flag("distributed-joins");

  private SqlPaths() {}

  /** Writes one record a statement, or many rows a statement. */
  static FunctionPath merge(IgniteTrial trial) {
    IgniteCache<Long, Object> cache = trial.binaryCache();
    Object[][] fields = trial.stock.fields();
    RecordShape shape = trial.records().shape();
    String columns =
        shape.fields().stream().map(FieldShape::name).collect(Collectors.joining("\", \""));
    String head =
        "MERGE INTO \"%s\" (_KEY, \"%s\") VALUES ".formatted(RecordClass.table(shape), columns);
    String row = "(?" + ", ?".repeat(shape.fields().size()) + ")";
    int batch = trial.recordsPerCall();
    String full = head + String.join(", ", Collections.nCopies(batch, row));
    return FunctionPath.writing(
        trial.operation(),
        batch,
        call -> {
          String statement =
              call.size() == batch
                  ? full
                  : head + String.join(", ", Collections.nCopies(call.size(), row));
          // By default Ignite writes the rows of one statement one by one.
          cache
              .query(
                  new SqlFieldsQuery(statement)
                      .setUpdateBatchSize(call.size())
                      .setArgs(arguments(call, fields)))
              .getAll();
        });
  }

  private static Object[] arguments(Call call, Object[][] fields) {
    int width = fields[0].length + 1;
    Object[] arguments = new Object[call.size() * width];
    for (int i = 0; i < call.size(); i++) {
      Object[] record = fields[call.record(i)];
      arguments[i * width] = call.key(i);
      System.arraycopy(record, 0, arguments, i * width + 1, record.length);
    }
    return arguments;
  }

  static FunctionPath aggregate(IgniteTrial trial) {
    IgniteCache<Long, Object> cache = trial.binaryCache();
    String columns =
        trial.highest().names().stream()
            .map(field -> ", MAX(\"" + field + "\")")
            .collect(Collectors.joining("", "SELECT COUNT(*)", " FROM "));
    SqlFieldsQuery query =
        new SqlFieldsQuery(columns + '"' + RecordClass.table(trial.records().shape()) + '"');
    return trial.wholeSet(
        highest -> {
          List<?> row = cache.query(query).getAll().get(0);
          long count = ((Number) row.get(0)).longValue();
          if (count > 0) {
            highest.merge(
                count,
                row.stream().skip(1).mapToDouble(each -> ((Number) each).doubleValue()).toArray());
          }
        });
  }

  /** Executes the SELECTs of a file, each an operation of its own, and takes all their rows. */
  static FunctionPath select(IgniteTrial trial) {
    Settings settings = trial.settings();
    boolean distributed =
        settings.get(GridSettings.SQL_ENGINE).equals("h2")
            && !settings.get(Details.COLLOCATED)
            && settings.get(DISTRIBUTED_JOINS);
    IgniteCache<?, ?> cache = trial.binaryCache();
    int page = PageSize.of(trial.records(), SqlFieldsQuery.DFLT_PAGE_SIZE);
    BiFunction<String, Object[], List<List<?>>> execute =
        (sql, arguments) -> {
          SqlFieldsQuery query = new SqlFieldsQuery(sql).setSchema(trial.cacheName);
          query.setDistributedJoins(distributed).setArgs(arguments).setPageSize(page);
          return cache.query(query).getAll();
        };
    List<Query> queries = Query.of(settings);
    return FunctionPath.queries(
            queries.stream().map(Query::name).toList(),
            operation -> queries.get(operation).weight(),
            queries.stream().mapToInt(Query::keys).max().orElse(1),
            call -> {
              Query query = queries.get(call.operation());
              List<List<?>> unused = execute.apply(query.sql(), query.arguments(call::key));
            })
        .comparing(
            keys ->
                new AnswerCheck(execute, trial.records(), trial.allRecords()).of(queries, keys));
  }
}
