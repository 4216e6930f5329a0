package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.PrimaryEntries;
import io.pyrometer.driver.ignite.data.RecordClass;
import java.util.List;
import java.util.stream.Collectors;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.cache.query.SqlFieldsQuery;

/** Paths whose every call covers all records. */
final class WholeSetPaths {
  private static final int PAGE = 1_024;

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          new IgnitePath("scan", WholeSetPaths::scan),
          new IgnitePath("sql-aggregate", WholeSetPaths::sql, IgnitePath.Cache.SQL),
          // Each server makes no objects of the entries, and only its highest values travel.
          new IgnitePath(
              "compute",
              trial ->
                  trial.wholeSet(
                      PrimaryEntries.highest(trial.ignite(), trial.cacheName, trial.highest()))));

  private WholeSetPaths() {}

  private static FunctionPath scan(IgniteTrial trial) {
    IgniteCache<Long, Object> cache = trial.binaryCache();
    int page = PageSize.of(trial.records(), PAGE);
    return trial.wholeSet(
        highest -> {
          ScanQuery<Long, Object> query = new ScanQuery<>();
          query.setPageSize(page);
          try (QueryCursor<Cache.Entry<Long, Object>> cursor = cache.query(query)) {
            cursor.forEach(entry -> trial.see(highest, entry.getValue()));
          }
        });
  }

  private static FunctionPath sql(IgniteTrial trial) {
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
}
