package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.driver.ignite.data.TypeNames;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.PathDescription;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Asks for the highest values in SQL. */
final class SqlAggregate {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read("sql-aggregate", "SELECT MAX(…) over the cache's SQL table."),
          SqlAggregate::open,
          PathDefinition.Cache.SQL);

  private SqlAggregate() {}

  private static AccessPath open(PathContext context, LoadThread lane) {
    IgniteCache<Long, Object> cache = context.binaryCache();
    String highestOf =
        Arrays.stream(context.aggregated())
            .map(field -> ", MAX(\"" + field + "\")")
            .collect(Collectors.joining());
    String table = TypeNames.table(context.records().shape());
    SqlFieldsQuery query =
        new SqlFieldsQuery("SELECT COUNT(*)" + highestOf + " FROM \"" + table + "\"");
    return new AggregatePath("sql-aggregate", context, highest -> ask(cache, query, highest));
  }

  private static void ask(IgniteCache<Long, Object> cache, SqlFieldsQuery query, Maxima highest) {
    List<?> row = cache.query(query).getAll().get(0);
    if (((Number) row.get(0)).longValue() > 0) {
      highest.merge(row.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
    }
  }
}
