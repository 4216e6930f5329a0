package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.caches;
import static org.apache.ignite.cache.CacheWriteSynchronizationMode.FULL_ASYNC;
import static org.apache.ignite.cache.CacheWriteSynchronizationMode.FULL_SYNC;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.configuration.CacheConfiguration;

/** Guarantees and use of caches. */
final class CacheChecks {
  private static final double WRITE_HEAVY = 0.3;
  private static final double WRITES_A_SECOND = 50;
  private static final double AT_ONCE = 50_000;
  private static final double AT_ONCE_SHARE = 0.3;

  /** Metric of a cache, after its name. */
  static final String ENTRIES = ".OffHeapPrimaryEntriesCount";

  private static final int TRANSACTIONS = 4;
  private static final int PARTITIONS_OF_NODE = 20_000;

  private static final int MANY_SERVERS = 3;

  /** By default Ignite inlines keys of a fixed length as a whole up to here. */
  private static final int DEFAULT_MOST_INLINE_BYTES = 64;

  static final List<Check> ALL =
      List.of(
          where("asynchronous-writes", (facts, cache) -> synchronisation(cache) == FULL_ASYNC),
          where(
              "reads-of-the-primary",
              (facts, cache) ->
                  facts.several()
                      && facts.backups(cache) > 0
                      && !cache.isReadFromBackup()
                      && synchronisation(cache) == FULL_SYNC),
          where(
              "on-heap-entries",
              (facts, cache) ->
                  cache.isOnheapCacheEnabled() && cache.getEvictionPolicyFactory() == null),
          Check.of("cache-groups", CacheChecks::groups),
          Check.of("expiry-on-access", caches(CacheChecks::expiry)),
          Check.of("expiry-at-once", caches(CacheChecks::expiryAtOnce)),
          Check.of("index-inline-size", caches(CacheChecks::inlineSize)),
          Check.of("writes-to-replicated-caches", CacheChecks::replicated),
          Check.of("transactional-single-writes", CacheChecks::transactional));

  /** Checks for what is Ignite's default: their advice comes after all other. */
  static final List<Check> OF_DEFAULTS =
      List.of(
          where(
              "backups",
              (facts, cache) ->
                  !isReplicated(cache)
                      && cache.getBackups() == 0
                      && facts.several()
                      && !facts.isEmpty(cache)),
          where(
              "stale-backup-reads",
              (facts, cache) ->
                  facts.several()
                      && !facts.isEmpty(cache)
                      && facts.backups(cache) > 0
                      && cache.isReadFromBackup()
                      && synchronisation(cache) != FULL_SYNC));

  private CacheChecks() {}

  private static Check where(String name, BiPredicate<Facts, CacheConfiguration<?, ?>> found) {
    return Check.of(
        name,
        caches(
            (facts, cache, result) -> {
              if (found.test(facts, cache)) {
                result.found();
              }
            }));
  }

  private static CacheWriteSynchronizationMode synchronisation(CacheConfiguration<?, ?> cache) {
    return cache.getWriteSynchronizationMode() == null
        ? CacheWriteSynchronizationMode.PRIMARY_SYNC
        : cache.getWriteSynchronizationMode();
  }

  private static void groups(Facts facts, Result result) {
    int partitions =
        facts.caches().stream()
            .filter(cache -> cache.getGroupName() == null)
            .mapToInt(
                cache -> cache.getAffinity() == null ? 1_024 : cache.getAffinity().partitions())
            .sum();
    if (partitions > PARTITIONS_OF_NODE) {
      result
          .found()
          .with("partitions", Value.count(partitions))
          .evidence("partitions", partitions, "all caches");
    }
  }

  private static void expiry(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    Factory<? extends ExpiryPolicy> factory = cache.getExpiryPolicyFactory();
    if (factory != null && factory.create().getExpiryForAccess() != null) {
      result.found().evidence("expiryPolicyFactory", factory.create().getClass().getSimpleName());
    }
  }

  /** Entries of a cache with an expiry policy, of which many are gone at the next sample. */
  private static void expiryAtOnce(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    if (!ClientChecks.expires(cache.getExpiryPolicyFactory())) {
      return;
    }
    List<double[]> ofServers =
        facts.servers().stream()
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
    if (most >= AT_ONCE && most > AT_ONCE_SHARE * greatest) {
      result
          .found()
          .with("entries", Value.count(Math.round(most)))
          .evidence("entries at most", greatest)
          .evidence("fewer at the next sample", most)
          .costs(most / greatest);
    }
  }

  /** An index of text has no length that its inline size must have. */
  private static void inlineSize(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    for (QueryEntity entity : orEmpty(cache.getQueryEntities())) {
      for (QueryIndex index : orEmpty(entity.getIndexes())) {
        Collection<String> fields = index.getFieldNames();
        int needed = fields.stream().mapToInt(field -> inlineBytes(entity, field)).sum();
        int most = cache.getSqlIndexMaxInlineSize();
        int byDefault = Math.min(needed, most < 0 ? DEFAULT_MOST_INLINE_BYTES : most);
        int has = index.getInlineSize() < 0 ? byDefault : index.getInlineSize();
        if (fields.stream().anyMatch(field -> inlineBytes(entity, field) == 0)) {
          result.unjudged("text-index");
        } else if (has < needed) {
          result
              .found()
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
  private static void replicated(Facts facts, Result result) {
    result.requireStatistics(facts, CacheChecks::isReplicated);
    boolean counted = result.unjudged().isEmpty();
    List<CacheConfiguration<?, ?>> judged =
        facts.caches().stream()
            .filter(cache -> counted ? isReplicated(cache) : !facts.isEmpty(cache))
            .toList();
    double copies = facts.messages(ClientChecks.SINGLE_COPY);
    if (facts.servers().size() < MANY_SERVERS
        || facts.messages(SqlChecks.QUERY) > 0
        || !judged.stream().allMatch(CacheChecks::isReplicated)) {
      return;
    }
    for (CacheConfiguration<?, ?> cache : judged) {
      double puts =
          counted
              ? facts.counted(cache, "CachePuts") / facts.servers().size()
              : facts.messages(ClientChecks.SINGLE_PUT);
      double gets =
          counted
              ? facts.counted(cache, "CacheGets")
              : facts.messages(ClientChecks.SINGLE_GET) + facts.growth(ClientChecks.REQUESTS);
      if (puts > WRITES_A_SECOND * facts.seconds()
          && puts > WRITE_HEAVY * (puts + gets)
          && (counted || copies > puts)) {
        result
            .found()
            .with("writes", Value.share(puts / (puts + gets)))
            .of(cache)
            .evidence(counted ? "CachePuts" : "messages with a put of one key", puts)
            .evidence(counted ? "CacheGets" : "messages with a get of one key", gets);
      }
    }
  }

  private static boolean isReplicated(CacheConfiguration<?, ?> cache) {
    return cache.getCacheMode() == CacheMode.REPLICATED;
  }

  /** Check of the transactions that were open when a sample was taken, on their primary servers. */
  private static void transactional(Facts facts, Result result) {
    List<Row> seen = facts.view(Observation.TRANSACTIONS);
    List<CacheConfiguration<?, ?>> transactional =
        facts.caches().stream()
            .filter(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL)
            .toList();
    if (!transactional.isEmpty() && seen.size() < TRANSACTIONS) {
      result.unjudged("few-transactions");
    } else if (seen.stream().allMatch(row -> row.get("implicit").equals("true"))
        && seen.stream().noneMatch(row -> row.get("keysCount").matches("[2-9]|\\d{2,}"))) {
      transactional.forEach(
          cache ->
              result
                  .found()
                  .of(cache)
                  .evidence("transactions seen", seen.size())
                  .evidence("keysCount", "1 or less"));
    }
  }
}
