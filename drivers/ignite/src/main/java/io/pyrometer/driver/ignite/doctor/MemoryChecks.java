package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.persistentRegions;
import static io.pyrometer.driver.ignite.doctor.Check.regions;
import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.message.Value;
import java.util.List;
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

  static final String GC_LOAD = "sys.GcCpuLoad";

  /** Without collections, a full heap is one of garbage that nobody had to collect yet. */
  static final double SOME_GC = 0.01;

  private static final int MAX_SWAPPINESS = 10;
  private static final double GIB = 1 << 30;

  /** In a map of ends and lengths as text, {@code {1795607815351=620}}, a length. */
  private static final Pattern PAUSE = Pattern.compile("=(\\d+)");

  static final List<Check> ALL =
      List.of(
          Check.of("memory-of-hosts", MemoryChecks::hosts),
          Check.of("region-nearly-full", regions(MemoryChecks::nearlyFull)),
          Check.of("page-eviction", regions(MemoryChecks::eviction)),
          Check.of("page-replacement", persistentRegions(MemoryChecks::replacement)),
          Check.of("heap", servers(MemoryChecks::heap)),
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

  private static void hosts(Look look) {
    for (List<Server> there :
        look.servers().stream().collect(Collectors.groupingBy(Server::host)).values()) {
      double needed =
          there.stream().mapToDouble(server -> server.maxHeap() + regionBytes(server)).sum();
      Object ram = there.get(0).attributes().get(IgniteNodeAttributes.ATTR_PHY_RAM);
      double all = ram instanceof Number number ? number.doubleValue() : 0;
      double limit = there.stream().anyMatch(Server::persistent) ? 0.7 : 0.9;
      if (all > 0 && needed > limit * all) {
        look.found()
            .share("share", needed / all)
            .of("servers", there.stream().map(Server::name).collect(Collectors.joining(", ")))
            .evidence("heaps and regions [GiB]", needed / GIB)
            .evidence("memory [GiB]", all / GIB);
      }
    }
  }

  private static double regionBytes(Server server) {
    return server.regions().stream().mapToDouble(DataRegionConfiguration::getMaxSize).sum();
  }

  private static Draft tooSmall(DataRegionConfiguration region, Look look, String variant) {
    return look.found(variant)
        .apart("region", region.getName())
        .change("maxSize", region.getMaxSize(), 2 * region.getMaxSize());
  }

  private static void nearlyFull(Look look, Server server, DataRegionConfiguration region) {
    String metric = metrics(region) + ".TotalUsedSize";
    double used = server.last(metric);
    double share = used / region.getMaxSize();
    if (share > 0.8
        && !region.isPersistenceEnabled()
        && region.getPageEvictionMode() == DataPageEvictionMode.DISABLED) {
      double growth = server.growth(metric) / look.seconds();
      Draft draft =
          tooSmall(region, look, "").share("share", share).evidence("TotalUsedSize", used);
      if (growth > 0) {
        draft.seconds("full", (region.getMaxSize() - used) / growth).costs(share);
      }
    }
  }

  private static void eviction(Look look, Server server, DataRegionConfiguration region) {
    double rate = server.greatest(metrics(region) + ".EvictionRate");
    double used = server.last(metrics(region) + ".TotalUsedSize");
    boolean full = used >= (region.getEvictionThreshold() - 0.02) * region.getMaxSize();
    if (region.getPageEvictionMode() != DataPageEvictionMode.DISABLED && (rate > 0 || full)) {
      tooSmall(region, look, "")
          .evidence(
              "EvictionRate", region.isMetricsEnabled() ? rate : "not counted (metricsEnabled)")
          .evidence("pageEvictionMode", region.getPageEvictionMode())
          .evidence("TotalUsedSize / maxSize", used / region.getMaxSize());
    }
  }

  private static void replacement(Look look, Server server, DataRegionConfiguration region) {
    requireCounts(look, region);
    double replaced = server.growth(metrics(region) + ".PagesReplaced");
    double read = server.growth(metrics(region) + ".PagesRead");
    if (replaced > 0) {
      tooSmall(region, look, "")
          .rate("PagesReplaced", replaced / look.seconds())
          .evidence("PagesRead [1/s]", read / look.seconds());
    } else if (!region.isMetricsEnabled()) {
      readAgain(look, server, region);
    }
  }

  /** Pages of indexes that are read from disk are counted whatever the region's metrics. */
  private static void readAgain(Look look, Server server, DataRegionConfiguration region) {
    double stored = server.last(metrics(region) + ".TotalAllocatedSize");
    double read =
        look.caches().stream()
            .filter(cache -> isIn(server, region, cache))
            .map(Facts::group)
            .distinct()
            .mapToDouble(group -> server.growth(READ_OF_GROUP.formatted(group)))
            .sum();
    if (stored > region.getMaxSize() && read > look.seconds()) {
      tooSmall(region, look, "counted")
          .rate("PHYSICAL_READS_LEAF", read / look.seconds())
          .evidence("TotalAllocatedSize", stored);
    } else if (stored > 1.2 * region.getMaxSize()) {
      tooSmall(region, look, "stored")
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

  static void requireCounts(Look look, DataRegionConfiguration region) {
    if (!region.isMetricsEnabled()) {
      look.unjudged("region-metrics", "region", Value.name(region.getName()));
    }
  }

  /** Ignite divides the time of collections by the number of CPUs. */
  private static void heap(Look look, Server server) {
    double gc = server.mean(GC_LOAD) * server.cpus();
    double max = server.maxHeap();
    double floor = max == 0 ? 0 : server.least("sys.memory.heap.used") / max;
    GcLog log = look.facts.logs().get(server.name());
    boolean onDemand = log != null && JvmChecks.collectsOnDemand(log);
    if ((gc > 0.1 && !onDemand) || (floor > 0.85 && gc > SOME_GC)) {
      String megabytes = Check.text("%.0fm", max / (1 << 20));
      String twice = Check.text("%.0fm", 2 * max / (1 << 20));
      look.found()
          .costs("share", gc)
          .evidence("sys.GcCpuLoad × CPUs", gc)
          .evidence("least sys.memory.heap.used / max", floor)
          .change("-Xmx", megabytes, twice)
          .comparison("node-heap", megabytes, twice);
    }
  }

  /** Heaps of 4 GiB; a JVM counts one survivor space less than -Xmx4g. */
  private static void collector(Look look, Server server) {
    double heap = server.maxHeap();
    for (String flag : List.of("-XX:+UseSerialGC", "-XX:+UseParallelGC")) {
      if (heap >= 3.5 * GIB && server.jvmFlags().contains(flag)) {
        look.found()
            .with("heap", Value.bytes(heap))
            .change("JVM flag", flag, "-XX:+UseG1GC")
            .comparison("node-jvm-args", flag, "-XX:+UseG1GC");
      }
    }
  }

  /** With a small share of a JVM's pauses, collections are not what paused it. */
  private static void pauses(Look look, Server server) {
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
    if (pauses > 0 && millis / 1e3 > 0.05 * look.seconds()) {
      double collecting = server.mean(GC_LOAD) * server.cpus() * look.seconds();
      look.found(1e3 * collecting < 0.2 * millis ? "stopped" : "")
          .seconds("paused", millis / 1e3)
          .seconds("observed", look.seconds())
          .evidence("longJVMPausesCount", pauses)
          .evidence("time of collections [s]", collecting)
          .costs(millis / 1e3 / look.seconds());
    } else if (timeout > 0 && longest > timeout / 2) {
      look.found("once")
          .seconds("paused", longest / 1e3)
          .seconds("timeout", timeout / 1e3)
          .evidence("longJVMPauseLastEvents [ms]", longest)
          .change("failureDetectionTimeout", (long) timeout, (long) (3 * longest));
    }
  }

  private static void system(Look look) {
    int swappiness = Integer.parseInt(hostSetting(look, "vm.swappiness"));
    if (look.anyServer(Server::persistent) && swappiness > MAX_SWAPPINESS) {
      look.found("swappiness")
          .evidence("vm.swappiness", swappiness, "this machine")
          .change("vm.swappiness", swappiness, MAX_SWAPPINESS);
    }
    String reclaim = hostSetting(look, "vm.zone_reclaim_mode");
    if (!reclaim.equals("0")) {
      look.found("zone-reclaim")
          .evidence("vm.zone_reclaim_mode", reclaim, "this machine")
          .change("vm.zone_reclaim_mode", reclaim, 0);
    }
  }

  private static void hugePages(Look look) {
    String pages = hostSetting(look, "transparent_hugepage");
    if (pages.contains("[always]")) {
      look.found().evidence("transparent_hugepage", pages, "this machine");
    }
  }

  /** A setting of this machine's system; 0 where it is not known, or not that of all servers. */
  private static String hostSetting(Look look, String name) {
    if (look.facts.host().isEmpty()
        || look.servers().stream().map(Server::host).distinct().count() > 1) {
      look.unjudged("other-machines");
    }
    return look.facts.host().getOrDefault(name, "0");
  }

  private static void defaultSize(Look look, Server server) {
    if (!look.facts.live() && server.storage().isEmpty()) {
      look.found().evidence("dataStorageConfiguration", "none");
    }
  }
}
