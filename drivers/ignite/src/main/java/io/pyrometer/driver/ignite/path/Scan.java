package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/** Fetches all records by a scan query and looks at them here, without making objects of them. */
final class Scan {
  private static final SettingKey<Integer> PAGE =
      SettingKey.integer(
          SettingDescription.integer(
              "page",
              Scope.LOAD,
              1_024,
              1,
              1_000_000,
              "Records of a page of a query, at most 1 MB of them."));

  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read(
              "scan",
              "A scan query brings all records to the client, page by page.",
              PAGE.description()),
          Scan::open);

  private Scan() {}

  private static AccessPath open(PathContext context, LoadThread lane) {
    IgniteCache<Long, Object> cache = context.binaryCache();
    int page = PageSize.of(context.records(), context.settings().get(PAGE));
    return new AggregatePath("scan", context, highest -> scan(cache, page, highest));
  }

  private static void scan(IgniteCache<Long, Object> cache, int page, Maxima highest) {
    ScanQuery<Long, Object> query = new ScanQuery<>();
    query.setPageSize(page);
    try (QueryCursor<Cache.Entry<Long, Object>> cursor = cache.query(query)) {
      cursor.forEach(entry -> highest.see(entry.getValue()));
    }
  }
}
