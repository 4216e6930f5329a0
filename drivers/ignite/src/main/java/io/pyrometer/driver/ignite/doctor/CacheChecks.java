package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.caches;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
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
  private static final double COUNTED = 1_000;
  private static final double AT_ONCE = 50_000;
  private static final double AT_ONCE_SHARE = 0.3;

  /** Metric of a cache, after its name. */
  static final String ENTRIES = ".OffHeapPrimaryEntriesCount";

  private static final int TRANSACTIONS = 4;
  private static final int PARTITIONS_OF_NODE = 20_000;

  /** Ignite's number of GridDhtAtomicSingleUpdateRequest. */
  private static final int SINGLE_COPY = -36;

  private static final int DEFAULT_INLINE_BYTES = 10;

  static final List<Check> ALL =
      List.of(
          Check.of("asynchronous-writes", caches(CacheChecks::asynchronousWrites)),
          Check.of("reads-of-the-primary", caches(CacheChecks::primaryReads)),
          Check.of("on-heap-entries", caches(CacheChecks::onHeap)),
          Check.of("cache-groups", CacheChecks::groups),
          Check.of("expiry-on-access", caches(CacheChecks::expiry)),
          Check.of("expiry-at-once", caches(CacheChecks::expiryAtOnce)),
          Check.of("index-inline-size", caches(CacheChecks::inlineSize)),
          Check.of("writes-to-replicated-caches", CacheChecks::replicated),
          Check.of("transactional-single-writes", CacheChecks::transactional));

  /** Checks for what is Ignite's default: their advice comes after all other. */
  static final List<Check> OF_DEFAULTS =
      List.of(
          Check.of("backups", caches(CacheChecks::backups)),
          Check.of("stale-backup-reads", caches(CacheChecks::staleReads)));

  private CacheChecks() {}

  private static void staleReads(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    if (facts.several()
        && !facts.isEmpty(cache)
        && facts.backups(cache) > 0
        && cache.isReadFromBackup()
        && synchronisation(cache) != CacheWriteSynchronizationMode.FULL_SYNC) {
      result
          .found()
          .evidence("writeSynchronizationMode", synchronisation(cache))
          .evidence("readFromBackup", true);
    }
  }

  private static void asynchronousWrites(
      Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    if (synchronisation(cache) == CacheWriteSynchronizationMode.FULL_ASYNC) {
      result.found().evidence("writeSynchronizationMode", "FULL_ASYNC");
    }
  }

  private static CacheWriteSynchronizationMode synchronisation(CacheConfiguration<?, ?> cache) {
    return cache.getWriteSynchronizationMode() == null
        ? CacheWriteSynchronizationMode.PRIMARY_SYNC
        : cache.getWriteSynchronizationMode();
  }

  private static void backups(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    boolean partitioned =
        cache.getCacheMode() == null || cache.getCacheMode() == CacheMode.PARTITIONED;
    if (partitioned && cache.getBackups() == 0 && facts.several() && !facts.isEmpty(cache)) {
      result.found().evidence("backups", 0);
    }
  }

  private static void primaryReads(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    if (facts.several()
        && facts.backups(cache) > 0
        && !cache.isReadFromBackup()
        && synchronisation(cache) == CacheWriteSynchronizationMode.FULL_SYNC) {
      result
          .found()
          .evidence("readFromBackup", false)
          .evidence("writeSynchronizationMode", "FULL_SYNC");
    }
  }

  private static void onHeap(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    if (cache.isOnheapCacheEnabled() && cache.getEvictionPolicyFactory() == null) {
      result.found().evidence("onheapCacheEnabled", true).evidence("evictionPolicyFactory", "none");
    }
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
    double[] entries =
        facts.servers().stream()
            .map(server -> server.values("cache." + cache.getName() + ENTRIES))
            .reduce(CacheChecks::sum)
            .orElseGet(() -> new double[0]);
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

  private static double[] sum(double[] one, double[] other) {
    return IntStream.range(0, Math.min(one.length, other.length))
        .mapToDouble(i -> one[i] + other[i])
        .toArray();
  }

  /** An index of text has no length that its inline size must have. */
  private static void inlineSize(Facts facts, CacheConfiguration<?, ?> cache, Result result) {
    for (QueryEntity entity : orEmpty(cache.getQueryEntities())) {
      for (QueryIndex index : orEmpty(entity.getIndexes())) {
        OptionalInt needed = inlineBytes(entity, index);
        int has = index.getInlineSize() < 0 ? DEFAULT_INLINE_BYTES : index.getInlineSize();
        if (needed.isEmpty()) {
          result.unjudged("text-index");
        } else if (has < needed.getAsInt()) {
          result
              .found()
              .with("has", Value.bytes(has))
              .with("needed", Value.bytes(needed.getAsInt()))
              .of(
                  "indexes",
                  index.getName() == null
                      ? String.join("_", index.getFieldNames())
                      : index.getName())
              .evidence("inlineSize", has, cache.getName())
              .evidence("fields", String.join(", ", index.getFieldNames()), cache.getName())
              .change("inlineSize", index.getInlineSize(), needed.getAsInt());
        }
      }
    }
  }

  private static <T> Collection<T> orEmpty(Collection<T> values) {
    return values == null ? List.of() : values;
  }

  /**
   * Bytes of keys whose types have a fixed length, each with one byte of its type; empty for
   * others.
   */
  private static OptionalInt inlineBytes(QueryEntity entity, QueryIndex index) {
    int bytes = 0;
    for (String field : index.getFieldNames()) {
      int own =
          switch (String.valueOf(entity.getFields().get(field))) {
            case "java.lang.Long", "long", "java.lang.Double", "double", "java.sql.Date" -> 9;
            case "java.lang.Integer", "int", "java.lang.Float", "float" -> 5;
            case "java.util.UUID", "java.sql.Timestamp" -> 17;
            default -> 0;
          };
      if (own == 0) {
        return OptionalInt.empty();
      }
      bytes += own;
    }
    return OptionalInt.of(bytes);
  }

  private static void replicated(Facts facts, Result result) {
    result.requireStatistics(facts, cache -> cache.getCacheMode() == CacheMode.REPLICATED);
    if (result.unjudged().isPresent()) {
      replicatedByMessages(facts, result);
      return;
    }
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      double puts = facts.counted(cache, "CachePuts") / facts.servers().size();
      double gets = facts.counted(cache, "CacheGets");
      if (cache.getCacheMode() == CacheMode.REPLICATED
          && facts.servers().size() > 2
          && puts > COUNTED
          && puts > WRITE_HEAVY * (puts + gets)) {
        result
            .found()
            .with("writes", Value.share(puts / (puts + gets)))
            .of(cache)
            .evidence("CachePuts", puts)
            .evidence("CacheGets", gets);
      }
    }
  }

  /** Without statistics the caches of messages are not known: all must be replicated. */
  private static void replicatedByMessages(Facts facts, Result result) {
    double puts = facts.messages(ClientChecks.SINGLE_PUT);
    double copies = facts.messages(SINGLE_COPY);
    double gets = facts.messages(ClientChecks.SINGLE_GET);
    List<CacheConfiguration<?, ?>> used =
        facts.caches().stream().filter(cache -> !facts.isEmpty(cache)).toList();
    if (used.stream().allMatch(cache -> cache.getCacheMode() == CacheMode.REPLICATED)
        && facts.servers().size() > 2
        && puts > COUNTED
        && copies > puts
        && puts > WRITE_HEAVY * (puts + gets)) {
      used.forEach(
          cache ->
              result
                  .found()
                  .with("writes", Value.share(puts / (puts + gets)))
                  .of(cache)
                  .evidence("messages with a put of one key", puts)
                  .evidence("messages with a copy of one key", copies));
    }
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
