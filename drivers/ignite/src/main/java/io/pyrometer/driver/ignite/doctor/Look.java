package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;

/** The look of one check at the facts. Metrics are those of all servers together. */
final class Look extends Check.Result {
  final Facts facts;

  Look(Check check, Facts facts) {
    super(check);
    this.facts = facts;
  }

  /** This look, whose next diagnoses are of one of the objects of a kind. */
  Look on(String objects, String one) {
    setObject(objects, one);
    return this;
  }

  List<Server> servers() {
    return facts.servers();
  }

  boolean anyServer(Predicate<Server> which) {
    return servers().stream().anyMatch(which);
  }

  List<CacheConfiguration<?, ?>> caches() {
    return facts.caches();
  }

  /** The length of the observation. */
  double seconds() {
    return facts.seconds();
  }

  Facts.Surroundings around() {
    return facts.around();
  }

  List<Facts.Row> view(String name) {
    return facts.views().getOrDefault(name, List.of());
  }

  List<ThreadDump> dumps(Server node) {
    return facts.dumps().getOrDefault(node.name(), List.of());
  }

  /** Where many threads of a pool of a node, which have all started, wait in code of the user's. */
  Optional<ThreadDump.Standing> standing(Server node, String pool) {
    return ThreadDump.standing(dumps(node), pool, true, 0, ThreadDump.MANY);
  }

  double sum(ToDoubleFunction<Server> value) {
    return servers().stream().mapToDouble(value).sum();
  }

  /** By how much a counter grew. */
  double growth(String metric) {
    return sum(server -> server.growth(metric));
  }

  /** The last value of a metric. */
  double last(String metric) {
    return sum(server -> server.last(metric));
  }

  /** A metric of all caches. */
  double counted(String metric) {
    return caches().stream().mapToDouble(cache -> counted(cache, metric)).sum();
  }

  double counted(CacheConfiguration<?, ?> cache, String metric) {
    return growth("cache." + cache.getName() + "." + metric);
  }

  /** Records written, each counted once whatever its backups. */
  double records() {
    return caches().stream()
        .mapToDouble(cache -> counted(cache, "CachePuts") / (1 + backups(cache)))
        .sum();
  }

  /**
   * Messages that servers received of a type, by Ignite's number of it; counted without statistics.
   */
  double messages(int type) {
    return growth("communication.tcp.receivedMessagesByType." + type);
  }

  /** Buffers of data streamers that servers have taken. */
  double buffers() {
    return growth(ThreadPool.STREAMER.metric("TotalCompletedTasksCount"));
  }

  /** Jobs and calls of services that servers have executed. */
  double jobs() {
    return Stream.of(ThreadPool.PUBLIC, ThreadPool.SERVICES)
        .mapToDouble(pool -> growth(pool.metric("CompletedTaskCount")))
        .sum();
  }

  /** The copies of an entry beside the first one. */
  int backups(CacheConfiguration<?, ?> cache) {
    return cache.getCacheMode() == CacheMode.REPLICATED ? servers().size() - 1 : cache.getBackups();
  }

  /**
   * Returns whether there may be copies on other servers; a file does not say how many servers
   * there are.
   */
  boolean several() {
    return !facts.live() || servers().size() > 1;
  }

  /** The caches that support transactions. */
  List<CacheConfiguration<?, ?>> transactional() {
    return caches().stream()
        .filter(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL)
        .toList();
  }

  boolean isEmpty(CacheConfiguration<?, ?> cache) {
    String entries = "cache." + cache.getName() + CacheChecks.ENTRIES;
    return sum(server -> server.last(entries, 1)) == 0;
  }

  /**
   * Returns whether caches count their operations; the check cannot judge where one does not, and
   * has entries.
   */
  boolean isCounted(Predicate<CacheConfiguration<?, ?>> which) {
    List<String> uncounted =
        caches().stream()
            .filter(which)
            .filter(cache -> !cache.isStatisticsEnabled() && !isEmpty(cache))
            .filter(cache -> counted(cache, "CacheGets") + counted(cache, "CachePuts") == 0)
            .map(CacheConfiguration::getName)
            .toList();
    if (!uncounted.isEmpty()) {
      unjudged("statistics", "caches", Value.names(uncounted));
    }
    return uncounted.isEmpty();
  }
}
