package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.QueryIndex;
import org.apache.ignite.configuration.CacheConfiguration;

/** What caches promise, and how they are used. */
final class CacheChecks {
  private static final double WRITE_HEAVY = 0.3;
  private static final double COUNTED = 1_000;
  private static final int TRANSACTIONS = 4;
  private static final int PARTITIONS_OF_NODE = 20_000;
  private static final int DEFAULT_INLINE_BYTES = 10;

  static final List<Check> ALL =
      List.of(
          ofConfiguration("stale-backup-reads", Check.GENERAL, CacheChecks::staleReads),
          ofConfiguration("asynchronous-writes", Check.GENERAL, CacheChecks::asynchronousWrites),
          ofConfiguration("backups", Check.GENERAL, CacheChecks::backups),
          ofConfiguration("reads-of-the-primary", Check.GENERAL, CacheChecks::primaryReads),
          ofConfiguration("on-heap-entries", Check.MEMORY, CacheChecks::onHeap),
          ofConfiguration("cache-groups", Check.GENERAL, CacheChecks::groups),
          ofConfiguration("expiry-on-access", Check.GENERAL, CacheChecks::expiry),
          ofConfiguration("index-inline-size", Check.SQL, CacheChecks::inlineSize),
          ofCluster("writes-to-replicated-caches", Check.GENERAL, CacheChecks::replicated),
          ofCluster("transactional-single-writes", Check.VIEWS, CacheChecks::transactional));

  private CacheChecks() {}

  private static void staleReads(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      if (facts.several()
          && facts.backups(cache) > 0
          && cache.isReadFromBackup()
          && synchronisation(cache) != CacheWriteSynchronizationMode.FULL_SYNC) {
        result
            .risk(
                "Reads of cache '%s' may return values older than acknowledged writes.",
                cache.getName())
            .evidence("writeSynchronizationMode", synchronisation(cache), cache.getName())
            .evidence("readFromBackup", true, cache.getName())
            .cause(
                "A write is acknowledged before all backups have it, and a node that holds a backup reads from it.")
            .action(
                Needs.CACHE,
                "Read from the primary, or let writes wait for all copies (FULL_SYNC).")
            .change("readFromBackup", true, false)
            .comparison("read-from-backup", true, false);
      }
    }
  }

  private static void asynchronousWrites(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      if (synchronisation(cache) == CacheWriteSynchronizationMode.FULL_ASYNC) {
        result
            .risk(
                "Writes to cache '%s' are acknowledged before a server has them.", cache.getName())
            .evidence("writeSynchronizationMode", "FULL_ASYNC", cache.getName())
            .cause(
                "A write that fails afterwards is lost without an exception, and a read that follows may not see it.")
            .action(Needs.CACHE, "Let writes wait for the primary at least (PRIMARY_SYNC).")
            .change("writeSynchronizationMode", "FULL_ASYNC", "PRIMARY_SYNC")
            .comparison("synchronisation", "FULL_ASYNC", "PRIMARY_SYNC");
      }
    }
  }

  private static CacheWriteSynchronizationMode synchronisation(CacheConfiguration<?, ?> cache) {
    return cache.getWriteSynchronizationMode() == null
        ? CacheWriteSynchronizationMode.PRIMARY_SYNC
        : cache.getWriteSynchronizationMode();
  }

  private static void backups(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      boolean partitioned =
          cache.getCacheMode() == null || cache.getCacheMode() == CacheMode.PARTITIONED;
      if (partitioned && cache.getBackups() == 0 && facts.several()) {
        result
            .risk("Cache '%s' loses entries when a server fails.", cache.getName())
            .evidence("backups", 0, cache.getName())
            .cause("Each entry is stored once.")
            .action(Needs.CACHE, "Keep a backup; each write then costs a message more.")
            .change("backups", 0, 1)
            .comparison("backups", 0, 1);
      }
    }
  }

  private static void primaryReads(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      if (facts.several()
          && facts.backups(cache) > 0
          && !cache.isReadFromBackup()
          && synchronisation(cache) == CacheWriteSynchronizationMode.FULL_SYNC) {
        result
            .advice("Servers do not read their own backups of cache '%s'.", cache.getName())
            .evidence("readFromBackup", false, cache.getName())
            .evidence("writeSynchronizationMode", "FULL_SYNC", cache.getName())
            .cause(
                "With FULL_SYNC backups are as new as the primary, so that this protects from nothing.")
            .action(Needs.CACHE, "Allow reads from backups.")
            .change("readFromBackup", false, true)
            .comparison("read-from-backup", false, true);
      }
    }
  }

  private static void onHeap(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      if (cache.isOnheapCacheEnabled() && cache.getEvictionPolicyFactory() == null) {
        result
            .risk(
                "Cache '%s' also keeps its entries on the heap, without a limit.", cache.getName())
            .evidence("onheapCacheEnabled", true, cache.getName())
            .evidence("evictionPolicyFactory", "none", cache.getName())
            .cause("An on-heap cache without an eviction policy grows with the data.")
            .action(
                Needs.CACHE,
                "Give it an eviction policy, or switch it off: records are read off-heap without it.")
            .change("onheapCacheEnabled", true, false);
      }
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
          .risk("The caches outside of cache groups have %,d partitions together.", partitions)
          .evidence("partitions", partitions, "all caches")
          .cause(
              "Every partition has trees and page lists of its own, and is negotiated at each change of the topology.")
          .action(Needs.CACHE, "Put caches of the same affinity into one cache group.");
    }
  }

  private static void expiry(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      Factory<? extends ExpiryPolicy> factory = cache.getExpiryPolicyFactory();
      if (factory != null && factory.create().getExpiryForAccess() != null) {
        result
            .advice("Every read of cache '%s' writes the entry's time to live.", cache.getName())
            .evidence(
                "expiryPolicyFactory", factory.create().getClass().getSimpleName(), cache.getName())
            .cause(
                "An expiry policy that counts from the last access updates the entry on its primary and its backups.")
            .action(Needs.CACHE, "Count from creation or update if the data allow it.")
            .loses("entries in use no longer outlive their time");
      }
    }
  }

  private static void inlineSize(Facts facts, Result result) {
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      for (QueryEntity entity : orEmpty(cache.getQueryEntities())) {
        for (QueryIndex index : orEmpty(entity.getIndexes())) {
          OptionalInt needed = inlineBytes(entity, index);
          int has = index.getInlineSize() < 0 ? DEFAULT_INLINE_BYTES : index.getInlineSize();
          if (needed.isPresent() && has < needed.getAsInt()) {
            result
                .advice(
                    "Index '%s' of cache '%s' stores the first %d bytes of its keys; they have %d or more.",
                    index.getName() == null
                        ? String.join("_", index.getFieldNames())
                        : index.getName(),
                    cache.getName(),
                    has,
                    needed.getAsInt())
                .evidence("inlineSize", has, cache.getName())
                .evidence("fields", String.join(", ", index.getFieldNames()), cache.getName())
                .cause("A comparison that these bytes do not decide reads the whole record.")
                .action(Needs.CACHE, "Make the inline size as large as the usual key.")
                .change("inlineSize", index.getInlineSize(), needed.getAsInt());
          }
        }
      }
    }
  }

  private static <T> Collection<T> orEmpty(Collection<T> values) {
    return values == null ? List.of() : values;
  }

  /** Of keys whose types have a fixed length, each with one byte of its type; empty for others. */
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
    facts
        .uncounted(cache -> cache.getCacheMode() == CacheMode.REPLICATED)
        .ifPresent(result::notMade);
    for (CacheConfiguration<?, ?> cache : facts.caches()) {
      double puts = facts.counted(cache, "CachePuts") / facts.servers().size();
      double gets = facts.counted(cache, "CacheGets");
      if (cache.getCacheMode() == CacheMode.REPLICATED
          && facts.servers().size() > 2
          && puts > COUNTED
          && puts > WRITE_HEAVY * (puts + gets)) {
        result
            .problem(
                "%.0f %% of the operations of the replicated cache '%s' are writes.",
                100 * puts / (puts + gets), cache.getName())
            .evidence("CachePuts", puts, cache.getName())
            .evidence("CacheGets", gets, cache.getName())
            .cause("Each of them is carried out by all " + facts.servers().size() + " servers.")
            .action(Needs.CACHE, "Use a partitioned cache with a backup.")
            .change("cacheMode", "REPLICATED", "PARTITIONED")
            .loses("joins with this cache are no longer local on every server")
            .comparison("cache-mode", "REPLICATED", "PARTITIONED");
      }
    }
  }

  /** Of the transactions that were open when a sample was taken, on their primary servers. */
  private static void transactional(Facts facts, Result result) {
    List<Row> seen = facts.view(Observation.TRANSACTIONS);
    boolean transactional =
        facts.caches().stream()
            .anyMatch(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL);
    if (transactional && seen.size() < TRANSACTIONS) {
      result.notMade("too few transactions were open when samples were taken");
    }
    boolean single =
        seen.size() >= TRANSACTIONS
            && seen.stream().allMatch(row -> row.get("implicit").equals("true"))
            && seen.stream().noneMatch(row -> row.get("keysCount").matches("[2-9]|\\d{2,}"));
    facts.caches().stream()
        .filter(cache -> single && cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL)
        .forEach(
            cache ->
                result
                    .advice("No transaction that was seen changes more than one entry.")
                    .evidence("transactions seen", seen.size(), cache.getName())
                    .evidence("keysCount", "1 or less", cache.getName())
                    .cause(
                        "A transaction of one write costs the locks and messages of a transaction,"
                            + " and a write to an atomic cache is atomic without them.")
                    .action(
                        Needs.CACHE,
                        "Use an atomic cache if nothing reads and writes within one transaction.")
                    .change("atomicityMode", "TRANSACTIONAL", "ATOMIC")
                    .loses("transactions on this cache")
                    .comparison("atomicity", "TRANSACTIONAL", "ATOMIC"));
  }
}
