package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.read;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.driver.ignite.data.PrimaryMaxima;
import io.pyrometer.driver.ignite.data.TypeNames;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.cluster.ClusterGroup;

/** Paths whose every call covers all records. */
final class WholeSetPaths {
  private static final SettingKey<Integer> PAGE =
      SettingKey.integer("page", Scope.LOAD, 1_024, 1, 1_000_000)
          .meaning("Records of a page of a query, at most 1 MB of them.");

  static final PathDefinition SCAN =
      definition(
          read(
              "scan",
              "A scan query brings all records to the client, page by page.",
              PAGE.description()),
          PathDefinition.Cache.ANY,
          WholeSetPaths::scan);

  static final PathDefinition SQL =
      definition(
          read("sql-aggregate", "SELECT MAX(…) over the cache's SQL table."),
          PathDefinition.Cache.SQL,
          WholeSetPaths::sql);

  /** Each server makes no objects of the entries, and only its highest values travel. */
  static final PathDefinition COMPUTE =
      definition(
          read("compute", "A job on every server scans the server's own primary partitions.")
              .sendingClasses(),
          PathDefinition.Cache.ANY,
          WholeSetPaths::compute);

  private WholeSetPaths() {}

  /**
   * @param opening makes what shows all records to the maxima, or merges what it knows of them
   */
  private static PathDefinition definition(
      PathDescription description,
      PathDefinition.Cache cache,
      Function<PathContext, Consumer<Maxima>> opening) {
    return new PathDefinition(
        description,
        context -> {
          Consumer<Maxima> pass = opening.apply(context);
          Maxima highest = new Maxima(context.aggregated());
          return FunctionPath.wholeSet(
              description.name(),
              context.allRecords(),
              highest::take,
              call -> pass.accept(highest));
        },
        cache);
  }

  private static Consumer<Maxima> scan(PathContext context) {
    IgniteCache<Long, Object> cache = context.binaryCache();
    int page = PageSize.of(context.records(), context.settings().get(PAGE));
    return highest -> {
      ScanQuery<Long, Object> query = new ScanQuery<>();
      query.setPageSize(page);
      try (QueryCursor<Cache.Entry<Long, Object>> cursor = cache.query(query)) {
        cursor.forEach(entry -> highest.see(entry.getValue()));
      }
    };
  }

  private static Consumer<Maxima> sql(PathContext context) {
    IgniteCache<Long, Object> cache = context.binaryCache();
    String highestOf =
        Arrays.stream(context.aggregated())
            .map(field -> ", MAX(\"" + field + "\")")
            .collect(Collectors.joining());
    String table = TypeNames.table(context.records().shape());
    SqlFieldsQuery query =
        new SqlFieldsQuery("SELECT COUNT(*)" + highestOf + " FROM \"" + table + "\"");
    return highest -> {
      List<?> row = cache.query(query).getAll().get(0);
      if (((Number) row.get(0)).longValue() > 0) {
        highest.merge(row.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
      }
    };
  }

  private static Consumer<Maxima> compute(PathContext context) {
    ClusterGroup nodes = context.ignite().cluster().forDataNodes(context.cacheName());
    IgniteCompute servers = context.ignite().compute(nodes);
    PrimaryMaxima job = new PrimaryMaxima(context.cacheName(), context.aggregated());
    return highest -> servers.broadcast(job).forEach(highest::merge);
  }
}
