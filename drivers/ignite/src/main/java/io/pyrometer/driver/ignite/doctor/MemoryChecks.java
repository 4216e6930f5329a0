package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.regions;
import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.internal.IgniteNodeAttributes;

/** Data regions, the heaps of the servers and what the system does to them. */
final class MemoryChecks {
  /** Metric of the pages of their primary index that the caches of a group read from disk. */
  static final String READ_OF_GROUP = "io.statistics.hashIndexes.%s.HASH_PK.PHYSICAL_READS_LEAF";

  private static final double PAGES_READ = 1;
  private static final double MUCH_MORE = 1.2;

  /** With a smaller share of a JVM's pauses, collections are not what paused it. */
  private static final double OF_PAUSES = 0.2;

  private static final double NEARLY_FULL = 0.8;
  private static final double OF_RAM = 0.9;
  private static final double OF_RAM_WITH_FILES = 0.7;
  static final String GC_LOAD = "sys.GcCpuLoad";
  private static final double GC_SHARE = 0.1;

  /** Without collections, a full heap is one of garbage that nobody had to collect yet. */
  static final double SOME_GC = 0.01;

  private static final double HEAP_FLOOR = 0.85;
  private static final int MAX_SWAPPINESS = 10;
  private static final String SWAPPINESS = "vm.swappiness";
  private static final String RECLAIM = "vm.zone_reclaim_mode";
  private static final double GIB = 1 << 30;

  /** A JVM counts one survivor space less than -Xmx4g. */
  private static final double LARGE_HEAP = 3.5 * GIB;

  /** In a map of ends and lengths as text, {@code {1795607815351=620}}, a length. */
  private static final Pattern PAUSE = Pattern.compile("=(\\d+)");

  static final List<Check> ALL =
      List.of(
          Check.of("memory-of-hosts", MemoryChecks::hosts),
          Check.of("region-nearly-full", regions(MemoryChecks::nearlyFull)),
          Check.of("page-eviction", regions(MemoryChecks::eviction)),
          Check.of("page-replacement", regions(MemoryChecks::replacement)),
          Check.of("heap", MemoryChecks::heap),
          Check.of("collector", servers(MemoryChecks::collector)),
          Check.of("pauses", servers(MemoryChecks::pauses)));

  /** Advice on every server, whatever it does. */
  static final List<Check> OF_SYSTEM =
      List.of(
          Check.of("operating-system", MemoryChecks::system),
          Check.of("huge-pages", MemoryChecks::hugePages),
          Check.of("region-of-default-size", servers(MemoryChecks::defaultSize)));

  private MemoryChecks() {}

  /** The registry of a region's metrics. */
  static String metrics(DataRegionConfiguration region) {
    return "io.dataregion." + region.getName();
  }

  private static void hosts(Facts facts, Result result) {
    Map<String, List<Server>> hosts =
        facts.servers().stream().collect(Collectors.groupingBy(Server::host));
    for (List<Server> there : hosts.values()) {
      double needed =
          there.stream()
              .mapToDouble(
                  server ->
                      server.greatest("sys.memory.heap.max")
                          + server.regions().stream()
                              .mapToDouble(DataRegionConfiguration::getMaxSize)
                              .sum())
              .sum();
      Object ram = there.get(0).attributes().get(IgniteNodeAttributes.ATTR_PHY_RAM);
      double all = ram instanceof Number number ? number.doubleValue() : 0;
      double limit = there.stream().anyMatch(Server::persistent) ? OF_RAM_WITH_FILES : OF_RAM;
      if (all > 0 && needed > limit * all) {
        String names = there.stream().map(Server::name).collect(Collectors.joining(", "));
        result
            .found()
            .with("share", Value.share(needed / all))
            .of("servers", names)
            .evidence("heaps and regions [GiB]", needed / GIB)
            .evidence("memory [GiB]", all / GIB);
      }
    }
  }

  private static Check.Draft tooSmall(
      DataRegionConfiguration region, Result result, String variant) {
    return result
        .found(variant)
        .apart("region", region.getName())
        .change("maxSize", region.getMaxSize(), 2 * region.getMaxSize());
  }

  private static void nearlyFull(
      Facts facts, Server server, DataRegionConfiguration region, Result result) {
    double used = server.last(metrics(region) + ".TotalUsedSize");
    double share = used / region.getMaxSize();
    if (share > NEARLY_FULL
        && !region.isPersistenceEnabled()
        && region.getPageEvictionMode() == DataPageEvictionMode.DISABLED) {
      double growth = server.growth(metrics(region) + ".TotalUsedSize") / facts.seconds();
      double left = region.getMaxSize() - used;
      Check.Draft draft =
          tooSmall(region, result, "")
              .with("share", Value.share(share))
              .evidence("TotalUsedSize", used);
      if (growth > 0) {
        draft.with("full", Value.seconds(left / growth)).costs(share);
      }
    }
  }

  private static void eviction(
      Facts facts, Server server, DataRegionConfiguration region, Result result) {
    double rate = server.greatest(metrics(region) + ".EvictionRate");
    double used = server.last(metrics(region) + ".TotalUsedSize");
    boolean full = used >= (region.getEvictionThreshold() - 0.02) * region.getMaxSize();
    if (region.getPageEvictionMode() != DataPageEvictionMode.DISABLED && (rate > 0 || full)) {
      tooSmall(region, result, "")
          .evidence(
              "EvictionRate", region.isMetricsEnabled() ? rate : "not counted (metricsEnabled)")
          .evidence("pageEvictionMode", region.getPageEvictionMode())
          .evidence("TotalUsedSize / maxSize", used / region.getMaxSize());
    }
  }

  private static void replacement(
      Facts facts, Server server, DataRegionConfiguration region, Result result) {
    requireCounts(region, result);
    double replaced = server.growth(metrics(region) + ".PagesReplaced");
    double read = server.growth(metrics(region) + ".PagesRead");
    if (region.isPersistenceEnabled() && replaced > 0) {
      tooSmall(region, result, "")
          .rate("PagesReplaced", replaced / facts.seconds())
          .evidence("PagesRead [1/s]", read / facts.seconds());
    } else if (region.isPersistenceEnabled() && !region.isMetricsEnabled()) {
      readAgain(facts, server, region, result);
    }
  }

  /** Pages of indexes that are read from disk are counted whatever the region's metrics. */
  private static void readAgain(
      Facts facts, Server server, DataRegionConfiguration region, Result result) {
    double stored = server.last(metrics(region) + ".TotalAllocatedSize");
    double read =
        facts.caches().stream()
            .filter(cache -> isIn(server, region, cache))
            .map(Facts::group)
            .distinct()
            .mapToDouble(group -> server.growth(READ_OF_GROUP.formatted(group)))
            .sum();
    if (stored > region.getMaxSize() && read > PAGES_READ * facts.seconds()) {
      tooSmall(region, result, "counted")
          .rate("PHYSICAL_READS_LEAF", read / facts.seconds())
          .evidence("TotalAllocatedSize", stored);
    } else if (stored > MUCH_MORE * region.getMaxSize()) {
      tooSmall(region, result, "stored")
          .with("stored", Value.bytes(stored))
          .with("size", Value.bytes((double) region.getMaxSize()))
          .evidence("TotalAllocatedSize", stored);
    }
  }

  private static boolean isIn(
      Server server, DataRegionConfiguration region, CacheConfiguration<?, ?> cache) {
    String name = cache.getDataRegionName();
    return name == null ? server.regions().get(0).equals(region) : name.equals(region.getName());
  }

  static void requireCounts(DataRegionConfiguration region, Result result) {
    if (region.isPersistenceEnabled() && !region.isMetricsEnabled()) {
      result.unjudged("region-metrics", "region", Value.name(region.getName()));
    }
  }

  /** Ignite divides the time of collections by the number of CPUs. */
  private static void heap(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      double gc = server.mean(GC_LOAD) * server.cpus();
      double max = server.greatest("sys.memory.heap.max");
      double floor = max == 0 ? 0 : server.least("sys.memory.heap.used") / max;
      boolean onDemand =
          Optional.ofNullable(facts.logs().get(server.name()))
              .filter(JvmChecks::collectsOnDemand)
              .isPresent();
      if ((gc > GC_SHARE && !onDemand) || (floor > HEAP_FLOOR && gc > SOME_GC)) {
        String megabytes = Check.text("%.0fm", max / (1 << 20));
        String twice = Check.text("%.0fm", 2 * max / (1 << 20));
        result
            .found()
            .costs("share", gc)
            .of(server)
            .evidence("sys.GcCpuLoad × CPUs", gc)
            .evidence("least sys.memory.heap.used / max", floor)
            .change("-Xmx", megabytes, twice)
            .comparison("node-heap", megabytes, twice);
      }
    }
  }

  private static void collector(Facts facts, Server server, Result result) {
    double heap = server.greatest("sys.memory.heap.max");
    for (String flag : List.of("-XX:+UseSerialGC", "-XX:+UseParallelGC")) {
      if (heap >= LARGE_HEAP && server.jvmFlags().contains(flag)) {
        result
            .found()
            .with("heap", Value.bytes(heap))
            .change("JVM flag", flag, "-XX:+UseG1GC")
            .comparison("node-jvm-args", flag, "-XX:+UseG1GC");
      }
    }
  }

  private static void pauses(Facts facts, Server server, Result result) {
    double pauses = server.growth("ignite.longJVMPausesCount");
    double millis = server.growth("ignite.longJVMPausesTotalDuration");
    String events = String.valueOf(server.lastSample().get("ignite.longJVMPauseLastEvents"));
    double longest =
        PAUSE
            .matcher(events)
            .results()
            .mapToDouble(pause -> Double.parseDouble(pause.group(1)))
            .max()
            .orElse(0);
    String limit = server.configuration().getOrDefault("FailureDetectionTimeout", "");
    double timeout = limit.matches("\\d+") ? Double.parseDouble(limit) : 0;
    if (pauses > 0 && millis / 1e3 > 0.05 * facts.seconds()) {
      double collecting = server.mean("sys.GcCpuLoad") * server.cpus() * facts.seconds();
      result
          .found(1e3 * collecting < OF_PAUSES * millis ? "stopped" : "")
          .with("paused", Value.seconds(millis / 1e3))
          .with("observed", Value.seconds(facts.seconds()))
          .evidence("longJVMPausesCount", pauses)
          .evidence("time of collections [s]", collecting)
          .costs(millis / 1e3 / facts.seconds());
    } else if (timeout > 0 && longest > timeout / 2) {
      result
          .found("once")
          .with("paused", Value.seconds(longest / 1e3))
          .with("timeout", Value.seconds(timeout / 1e3))
          .evidence("longJVMPauseLastEvents [ms]", longest)
          .change("failureDetectionTimeout", (long) timeout, (long) (3 * longest));
    }
  }

  private static void system(Facts facts, Result result) {
    requireOneHost(facts, result);
    int swappiness = Integer.parseInt(facts.host().getOrDefault(SWAPPINESS, "0"));
    if (facts.servers().stream().anyMatch(Server::persistent) && swappiness > MAX_SWAPPINESS) {
      result
          .found("swappiness")
          .evidence(SWAPPINESS, swappiness, "this machine")
          .change(SWAPPINESS, swappiness, MAX_SWAPPINESS);
    }
    String reclaim = facts.host().getOrDefault(RECLAIM, "0");
    if (!reclaim.equals("0")) {
      result
          .found("zone-reclaim")
          .evidence(RECLAIM, reclaim, "this machine")
          .change(RECLAIM, reclaim, 0);
    }
  }

  private static void hugePages(Facts facts, Result result) {
    requireOneHost(facts, result);
    String pages = facts.host().getOrDefault("transparent_hugepage", "");
    if (pages.contains("[always]")) {
      result.found().evidence("transparent_hugepage", pages, "this machine");
    }
  }

  private static void requireOneHost(Facts facts, Result result) {
    if (facts.host().isEmpty()
        || facts.servers().stream().map(Server::host).distinct().count() > 1) {
      result.unjudged("other-machines");
    }
  }

  private static void defaultSize(Facts facts, Server server, Result result) {
    if (!facts.live() && server.storage().isEmpty()) {
      result.found().evidence("dataStorageConfiguration", "none");
    }
  }
}
