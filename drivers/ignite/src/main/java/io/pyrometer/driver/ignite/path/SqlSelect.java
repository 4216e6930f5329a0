package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.query;

import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.AnswerCheck;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.driver.ignite.sql.QueryFile;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Asks the SELECTs of a file, each an operation of its own, and takes all their rows. */
final class SqlSelect implements AccessPath {
  private static final SettingKey<Boolean> DISTRIBUTED_JOINS =
      SettingKey.flag("distributed-joins", Scope.LOAD, true)
          .meaning(
              "Whether a join of the engine h2 fetches rows from other nodes; without it, it"
                  + " misses those that are not collocated.")
          .needs("collocated", "false");

  static final PathDefinition DEFINITION =
      new PathDefinition(
          query(
                  "sql-select",
                  "SELECTs of a file over the records and a table of details, one after the other.",
                  QueryFile.SETTING.description(),
                  Details.COLLOCATED.description(),
                  DISTRIBUTED_JOINS.description())
              .asPlainest(),
          SqlSelect::new,
          PathDefinition.Cache.TABLES);

  private final PathContext context;
  private final IgniteCache<?, ?> cache;
  private final List<Query> queries;
  private final boolean distributed;

  private SqlSelect(PathContext context) {
    this.context = context;
    this.cache = context.binaryCache();
    this.queries = QueryFile.of(context.settings());
    this.distributed =
        context.settings().get(GridSettings.SQL_ENGINE).equals("h2")
            && !context.settings().get(Details.COLLOCATED)
            && context.settings().get(DISTRIBUTED_JOINS);
  }

  @Override
  public int window() {
    return 1;
  }

  @Override
  public int recordsPerCall() {
    return queries.stream().mapToInt(Query::keys).max().orElse(1);
  }

  @Override
  public List<String> operations() {
    return queries.stream().map(Query::name).toList();
  }

  @Override
  public double weight(int operation) {
    return queries.get(operation).weight();
  }

  @Override
  public void call(Call call) {
    Query query = queries.get(call.operation());
    List<List<?>> unused = execute(query.sql(), query.arguments(call::key));
    call.done();
  }

  private List<List<?>> execute(String sql, Object[] arguments) {
    return cache
        .query(
            new SqlFieldsQuery(sql)
                .setSchema(context.cacheName())
                .setDistributedJoins(distributed)
                .setArgs(arguments)
                .setPageSize(PageSize.of(context.records(), SqlFieldsQuery.DFLT_PAGE_SIZE)))
        .getAll();
  }

  @Override
  public QueryAnswers compareAnswers(List<long[]> keys) {
    return new AnswerCheck(this::execute, context.records(), context.allRecords())
        .of(queries, keys);
  }
}
