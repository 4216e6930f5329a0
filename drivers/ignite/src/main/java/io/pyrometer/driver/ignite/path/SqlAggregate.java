package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.driver.ignite.data.Types;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Asks for the highest values in SQL. */
final class SqlAggregate {
  static final Kind KIND =
      new Kind(
          Described.aggregate("sql-aggregate", "SELECT MAX(…) over the cache's SQL table."),
          SqlAggregate::open,
          Kind.Cache.SQL);

  private SqlAggregate() {}

  private static AccessPath open(Surroundings surroundings, LoadThread lane) {
    IgniteCache<Long, Object> cache = surroundings.binaryCache();
    String highestOf =
        Arrays.stream(surroundings.aggregated())
            .map(field -> ", MAX(\"" + field + "\")")
            .collect(Collectors.joining());
    String table = Types.table(surroundings.records().shape());
    SqlFieldsQuery query =
        new SqlFieldsQuery("SELECT COUNT(*)" + highestOf + " FROM \"" + table + "\"");
    return new WholeSet("sql-aggregate", surroundings, highest -> ask(cache, query, highest));
  }

  private static void ask(IgniteCache<Long, Object> cache, SqlFieldsQuery query, Highest highest) {
    List<?> row = cache.query(query).getAll().get(0);
    if (((Number) row.get(0)).longValue() > 0) {
      highest.merge(row.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
    }
  }
}
