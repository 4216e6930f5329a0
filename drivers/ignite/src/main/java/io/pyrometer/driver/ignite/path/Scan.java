package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/** Fetches all records by a scan query and looks at them here, without making objects of them. */
final class Scan {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "scan",
              "A scan query brings all records to the client, page by page.",
              SettingDescription.integer(
                  "page", Scope.LOAD, 1_024, 1, 1_000_000, "Records of a page of a query.")),
          Scan::open);

  private Scan() {}

  private static AccessPath open(Surroundings surroundings, LoadThread lane) {
    IgniteCache<Long, Object> cache = surroundings.binaryCache();
    int page = surroundings.settings().integer("page");
    return new WholeSet("scan", surroundings, highest -> scan(cache, page, highest));
  }

  private static void scan(IgniteCache<Long, Object> cache, int page, Highest highest) {
    ScanQuery<Long, Object> query = new ScanQuery<>();
    query.setPageSize(page);
    try (QueryCursor<Cache.Entry<Long, Object>> cursor = cache.query(query)) {
      cursor.forEach(entry -> highest.see(entry.getValue()));
    }
  }
}
