package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.caches;
import static org.apache.ignite.cache.CacheWriteSynchronizationMode.FULL_ASYNC;
import static org.apache.ignite.cache.CacheWriteSynchronizationMode.FULL_SYNC;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.cache.configuration.Factory;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/** Guarantees and use of caches, and how their data are spread over the servers. */
final class CacheChecks {
  /** Metric of a cache, after its name. */
  static final String ENTRIES = ".OffHeapPrimaryEntriesCount";

  /** By default Ignite inlines keys of a fixed length as a whole up to here. */
  private static final int DEFAULT_MOST_INLINE_BYTES = 64;

  static final List<Check> ALL =
      List.of(
          where("asynchronous-writes", (look, cache) -> synchronisation(cache) == FULL_ASYNC),
          where(
              "reads-of-the-primary",
              (look, cache) ->
                  look.several()
                      && look.backups(cache) > 0
                      && !cache.isReadFromBackup()
                      && synchronisation(cache) == FULL_SYNC),
          where(
              "on-heap-entries",
              (look, cache) ->
                  cache.isOnheapCacheEnabled() && cache.getEvictionPolicyFactory() == null),
          Check.of("cache-groups", CacheChecks::groups),
          Check.of("expiry-on-access", caches(CacheChecks::expiry)),
          Check.of("expiry-at-once", caches(CacheChecks::expiryAtOnce)),
          Check.of("index-inline-size", caches(CacheChecks::inlineSize)),
          Check.of("writes-to-replicated-caches", CacheChecks::replicated),
          Check.of("transactional-single-writes", CacheChecks::transactional));

  static final List<Check> OF_SKEW =
      List.of(
          Check.of("skewed-entries", caches(CacheChecks::skewedEntries)),
          Check.of("skewed-memory", CacheChecks::skewedMemory));

  /** Checks for what is Ignite's default: their advice comes after all other. */
  static final List<Check> OF_DEFAULTS =
      List.of(
          where(
              "backups",
              (look, cache) ->
                  !isReplicated(cache)
                      && cache.getBackups() == 0
                      && look.several()
                      && !look.isEmpty(cache)),
          where(
              "stale-backup-reads",
              (look, cache) ->
                  look.several()
                      && !look.isEmpty(cache)
                      && look.backups(cache) > 0
                      && cache.isReadFromBackup()
                      && synchronisation(cache) != FULL_SYNC));

  private CacheChecks() {}

  private static Check where(String name, BiPredicate<Look, CacheConfiguration<?, ?>> found) {
    return Check.of(
        name,
        caches(
            (look, cache) -> {
              if (found.test(look, cache)) {
                look.found();
              }
            }));
  }

  private static CacheWriteSynchronizationMode synchronisation(CacheConfiguration<?, ?> cache) {
    return cache.getWriteSynchronizationMode() == null
        ? CacheWriteSynchronizationMode.PRIMARY_SYNC
        : cache.getWriteSynchronizationMode();
  }

  private static boolean isReplicated(CacheConfiguration<?, ?> cache) {
    return cache.getCacheMode() == CacheMode.REPLICATED;
  }

  private static AffinityFunction affinity(CacheConfiguration<?, ?> cache) {
    return cache.getAffinity() == null ? new RendezvousAffinityFunction() : cache.getAffinity();
  }

  /** By default the policy is one of eternal entries. */
  static boolean expires(CacheConfiguration<?, ?> cache) {
    Factory<? extends ExpiryPolicy> factory = cache.getExpiryPolicyFactory();
    if (factory == null) {
      return false;
    }
    Duration created = factory.create().getExpiryForCreation();
    return created == null || !created.isEternal();
  }

  private static void groups(Look look) {
    int partitions =
        look.caches().stream()
            .filter(cache -> cache.getGroupName() == null)
            .mapToInt(cache -> affinity(cache).partitions())
            .sum();
    if (partitions > 20_000) {
      look.found().count("partitions", partitions).evidence("partitions", partitions, "all caches");
    }
  }

  private static void expiry(Look look, CacheConfiguration<?, ?> cache) {
    Factory<? extends ExpiryPolicy> factory = cache.getExpiryPolicyFactory();
    if (factory != null && factory.create().getExpiryForAccess() != null) {
      look.found().evidence("expiryPolicyFactory", factory.create().getClass().getSimpleName());
    }
  }

  /** Entries of a cache with an expiry policy, of which many are gone at the next sample. */
  private static void expiryAtOnce(Look look, CacheConfiguration<?, ?> cache) {
    List<double[]> ofServers =
        look.servers().stream()
            .map(server -> server.values("cache." + cache.getName() + ENTRIES))
            .toList();
    double[] entries =
        IntStream.range(0, ofServers.stream().mapToInt(each -> each.length).min().orElse(0))
            .mapToDouble(i -> ofServers.stream().mapToDouble(each -> each[i]).sum())
            .toArray();
    double most =
        IntStream.range(1, entries.length)
            .mapToDouble(i -> entries[i - 1] - entries[i])
            .max()
            .orElse(0);
    double greatest = DoubleStream.of(entries).max().orElse(0);
    if (expires(cache) && most >= 50_000 && most > 0.3 * greatest) {
      look.found()
          .count("entries", most)
          .evidence("entries at most", greatest)
          .evidence("fewer at the next sample", most)
          .costs(most / greatest);
    }
  }

  /** An index of text has no length that its inline size must have. */
  private static void inlineSize(Look look, CacheConfiguration<?, ?> cache) {
    for (QueryEntity entity : orEmpty(cache.getQueryEntities())) {
      for (QueryIndex index : orEmpty(entity.getIndexes())) {
        Collection<String> fields = index.getFieldNames();
        int needed = fields.stream().mapToInt(field -> inlineBytes(entity, field)).sum();
        int most = cache.getSqlIndexMaxInlineSize();
        int byDefault = Math.min(needed, most < 0 ? DEFAULT_MOST_INLINE_BYTES : most);
        int has = index.getInlineSize() < 0 ? byDefault : index.getInlineSize();
        if (fields.stream().anyMatch(field -> inlineBytes(entity, field) == 0)) {
          look.unjudged("text-index");
        } else if (has < needed) {
          look.found()
              .with("has", Value.bytes(has))
              .with("needed", Value.bytes(needed))
              .of("indexes", index.getName() == null ? String.join("_", fields) : index.getName())
              .evidence("fields", String.join(", ", fields), cache.getName())
              .change("inlineSize", index.getInlineSize(), needed);
        }
      }
    }
  }

  private static <T> Collection<T> orEmpty(Collection<T> values) {
    return values == null ? List.of() : values;
  }

  /** Bytes of a key whose type has a fixed length, with one byte of its type; 0 for others. */
  private static int inlineBytes(QueryEntity entity, String field) {
    return switch (String.valueOf(entity.getFields().get(field))) {
      case "java.lang.Long", "long", "java.lang.Double", "double", "java.sql.Date" -> 9;
      case "java.lang.Integer", "int", "java.lang.Float", "float" -> 5;
      case "java.util.UUID", "java.sql.Timestamp" -> 17;
      default -> 0;
    };
  }

  /** Without statistics the caches of messages are not known: all must be replicated. */
  private static void replicated(Look look) {
    boolean counted = look.isCounted(CacheChecks::isReplicated);
    List<CacheConfiguration<?, ?>> judged =
        look.caches().stream()
            .filter(cache -> counted ? isReplicated(cache) : !look.isEmpty(cache))
            .toList();
    double copies = look.messages(ClientChecks.SINGLE_COPY);
    if (look.servers().size() < 3
        || look.messages(SqlChecks.QUERY) > 0
        || !judged.stream().allMatch(CacheChecks::isReplicated)) {
      return;
    }
    for (CacheConfiguration<?, ?> cache : judged) {
      double puts =
          counted
              ? look.counted(cache, "CachePuts") / look.servers().size()
              : look.messages(ClientChecks.SINGLE_PUT);
      double gets =
          counted
              ? look.counted(cache, "CacheGets")
              : look.messages(ClientChecks.SINGLE_GET) + look.growth(ClientChecks.REQUESTS);
      double writes = puts / (puts + gets);
      if (puts > 50 * look.seconds() && writes > 0.3 && (counted || copies > puts)) {
        look.found()
            .share("writes", writes)
            .of("caches", cache.getName())
            .evidence(counted ? "CachePuts" : "messages with a put of one key", puts)
            .evidence(counted ? "CacheGets" : "messages with a get of one key", gets);
      }
    }
  }

  /** Check of the transactions that were open when a sample was taken, on their primary servers. */
  private static void transactional(Look look) {
    List<Row> seen = look.view(Observation.TRANSACTIONS);
    List<CacheConfiguration<?, ?>> transactional = look.transactional();
    if (!transactional.isEmpty() && seen.size() < 4) {
      look.unjudged("few-transactions");
    } else if (seen.stream().allMatch(row -> row.is("implicit"))
        && seen.stream().noneMatch(row -> row.amount("keysCount") > 1)) {
      for (CacheConfiguration<?, ?> cache : transactional) {
        look.found()
            .of("caches", cache.getName())
            .evidence("transactions seen", seen.size())
            .evidence("keysCount", "1 or less");
      }
    }
  }

  /**
   * Check of the skew against chance: of P partitions that are placed at random on N servers, the
   * numbers on a server vary by √(N/P), the sample's standard deviation by the mean of a
   * multinomial distribution. Three times as much has another cause. With fewer than 16 partitions
   * for each server they vary by a quarter or more.
   */
  private static void skewedEntries(Look look, CacheConfiguration<?, ?> cache) {
    String metric = "cache." + cache.getName() + ENTRIES;
    if (look.anyServer(server -> server.values(metric).length == 0)) {
      look.unjudged("entries", "cache", Value.name(cache.getName()));
      return;
    } else if (expires(cache)) {
      look.unjudged("expiry", "caches", Value.names(List.of(cache.getName())));
      return;
    } else if (!isSkewed(look, cache)) {
      return;
    }
    double[] entries = entries(look, cache);
    AffinityFunction affinity = affinity(cache);
    int partitions = affinity.partitions();
    double byChance = Math.sqrt((double) entries.length / partitions);
    Draft found;
    if (variation(entries) <= 3 * byChance) {
      boolean few = partitions < 16 * entries.length;
      int more = Math.min(CacheConfiguration.MAX_PARTITIONS_COUNT, Math.max(1_024, 4 * partitions));
      found =
          look.draft(few ? Severity.PROBLEM : Severity.ADVICE, "partitions")
              .count("partitions", partitions)
              .share("variation", byChance)
              .change("partitions", partitions, more);
    } else if (affinity instanceof RendezvousAffinityFunction) {
      found = look.found();
    } else {
      found = look.found("function").name("function", affinity.getClass().getName());
    }
    unequal(found, look, "OffHeapPrimaryEntriesCount", entries).evidence("partitions", partitions);
  }

  private static double[] entries(Look look, CacheConfiguration<?, ?> cache) {
    return look.servers().stream()
        .mapToDouble(server -> server.last("cache." + cache.getName() + ENTRIES))
        .toArray();
  }

  private static boolean isSkewed(Look look, CacheConfiguration<?, ?> cache) {
    double[] entries = entries(look, cache);
    return entries.length > 1
        && !isReplicated(cache)
        && !expires(cache)
        && mean(entries) > 10_000
        && variation(entries) > 0.1;
  }

  /** A diagnosis of values of the servers of which one is larger. */
  private static Draft unequal(Draft draft, Look look, String what, double[] values) {
    double most = DoubleStream.of(values).max().orElse(0);
    String ofServers =
        IntStream.range(0, values.length)
            .mapToObj(i -> Check.text("%s: %,.0f", look.servers().get(i).name(), values[i]))
            .collect(Collectors.joining(", "));
    return draft
        .with("most", Value.ratio(most / mean(values)))
        .evidence(what, ofServers)
        .costs(1 - mean(values) / most);
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElse(0);
  }

  private static double variation(double[] values) {
    double mean = mean(values);
    double squares = DoubleStream.of(values).map(n -> (n - mean) * (n - mean)).sum();
    return Math.sqrt(squares / Math.max(1, values.length - 1)) / mean;
  }

  /** Check of servers that hold all the same caches; one with more entries is another check's. */
  private static void skewedMemory(Look look) {
    if (look.caches().stream().anyMatch(CacheChecks::isOnSomeServers)) {
      look.unjudged("node-filter");
      return;
    }
    double[] mebibytes =
        look.servers().stream()
            .mapToDouble(
                server ->
                    server.regions().stream()
                        .map(region -> StorageChecks.metrics(region) + ".TotalUsedSize")
                        .mapToDouble(metric -> server.last(metric) / (1 << 20))
                        .sum())
            .toArray();
    if (mebibytes.length > 1
        && mean(mebibytes) > 32
        && variation(mebibytes) > 0.2
        && look.caches().stream().noneMatch(cache -> isSkewed(look, cache))) {
      unequal(look.found(), look, "TotalUsedSize [MiB]", mebibytes);
    }
  }

  private static boolean isOnSomeServers(CacheConfiguration<?, ?> cache) {
    return cache.getNodeFilter() != null
        && !(cache.getNodeFilter() instanceof CacheConfiguration.IgniteAllNodesPredicate);
  }
}
