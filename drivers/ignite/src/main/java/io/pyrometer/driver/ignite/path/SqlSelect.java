package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.query;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.AnswerCheck;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.driver.ignite.sql.QueryFile;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Executes the SELECTs of a file, each an operation of its own, and takes all their rows. */
final class SqlSelect {
  private static final SettingKey<Boolean> DISTRIBUTED_JOINS =
      GridSettings.DECLARED.flag("distributed-joins");

  static final IgnitePath DEFINITION =
      new IgnitePath("sql-select", SqlSelect::open, IgnitePath.Cache.TABLES);

  private SqlSelect() {}

  private static FunctionPath open(IgniteTrial trial) {
    Settings settings = trial.settings();
    boolean distributed =
        settings.get(GridSettings.SQL_ENGINE).equals("h2")
            && !settings.get(Details.COLLOCATED)
            && settings.get(DISTRIBUTED_JOINS);
    IgniteCache<?, ?> cache = trial.binaryCache();
    BiFunction<String, Object[], List<List<?>>> execute =
        (sql, arguments) ->
            cache
                .query(
                    new SqlFieldsQuery(sql)
                        .setSchema(trial.cacheName)
                        .setDistributedJoins(distributed)
                        .setArgs(arguments)
                        .setPageSize(PageSize.of(trial.records(), SqlFieldsQuery.DFLT_PAGE_SIZE)))
                .getAll();
    List<Query> queries = QueryFile.of(settings);
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
