package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.persistent;
import static io.pyrometer.driver.ignite.doctor.Check.persistentRegions;
import static io.pyrometer.driver.ignite.doctor.Check.regions;
import static io.pyrometer.driver.ignite.doctor.Check.servers;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.protocol.GcLog;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.apache.ignite.internal.IgniteNodeAttributes;

/**
 * Memory and storage of the servers: data regions, heaps, what the system does to them, the
 * write-ahead log and the checkpoints.
 */
final class StorageChecks {
  private static final String STORAGE = "io.datastorage.";

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
          Check.of("memory-of-hosts", StorageChecks::hosts),
          Check.of("region-nearly-full", regions(StorageChecks::nearlyFull)),
          Check.of("page-eviction", regions(StorageChecks::eviction)),
          Check.of("page-replacement", persistentRegions(StorageChecks::replacement)),
          Check.of("heap", servers(StorageChecks::heap)),
          Check.of("collector", servers(StorageChecks::collector)),
          Check.of("pauses", servers(StorageChecks::pauses)),
          Check.of("wal-mode", persistent(StorageChecks::mode)),
          Check.of("wal-segment-size", persistent(StorageChecks::segments)),
          Check.of("wal-fsync-time", persistent(StorageChecks::fsync)),
          Check.of("checkpoint-buffer", persistentRegions(StorageChecks::buffer)),
          Check.of("write-throttling", persistentRegions(StorageChecks::throttling)),
          Check.of("checkpoints-without-pause", persistent(StorageChecks::checkpoints)));

  /** Advice on every server, whatever it does. */
  static final List<Check> OF_SYSTEM =
      List.of(
          Check.of("operating-system", StorageChecks::system),
          Check.of("huge-pages", StorageChecks::hugePages),
          Check.of("region-of-default-size", servers(StorageChecks::defaultSize)));

  private StorageChecks() {}

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

  private static void mode(Look look, Server server) {
    WALMode mode = server.storage().orElseThrow().getWalMode();
    if (mode != WALMode.LOG_ONLY) {
      boolean loses = mode == WALMode.BACKGROUND || mode == WALMode.NONE;
      look.found(loses ? mode.name().toLowerCase(Locale.ROOT) : "");
    }
  }

  /** Segments that are small, or that writes fill within seconds. */
  private static void segments(Look look, Server server) {
    int size = server.storage().orElseThrow().getWalSegmentSize();
    double rate =
        look.seconds() > 0 ? server.growth(STORAGE + "WalWrittenBytes") / look.seconds() : 0;
    double seconds = rate > 0 ? size / rate : Double.POSITIVE_INFINITY;
    if (size < 16 << 20 || seconds < 10) {
      Draft draft = look.found().change("walSegmentSize", size, Math.max(64 << 20, 4 * size));
      if (rate > 0) {
        draft.seconds("lasts", seconds);
      }
    }
  }

  /** Both metrics are of the last minutes; the time is in microseconds. */
  private static void fsync(Look look, Server server) {
    requireCounts(look, server);
    double number = server.last(STORAGE + "WalFsyncTimeNum");
    double millis = number == 0 ? 0 : server.last(STORAGE + "WalFsyncTimeDuration") / number / 1e3;
    if (millis > 20) {
      look.found()
          .seconds("fsync", millis / 1e3)
          .evidence("WalFsyncTimeDuration / WalFsyncTimeNum [ms]", millis);
    }
  }

  private static void requireCounts(Look look, Server server) {
    if (!Boolean.parseBoolean(
        server.configuration().get("DataStorageConfiguration.MetricsEnabled"))) {
      look.unjudged("storage-metrics");
    }
  }

  private static void buffer(Look look, Server server, DataRegionConfiguration region) {
    requireCounts(look, region);
    String metrics = metrics(region);
    double size = server.last(metrics + ".CheckpointBufferSize");
    double used = size == 0 ? 0 : server.greatest(metrics + ".UsedCheckpointBufferSize") / size;
    double throttled = server.growth(metrics + ".TotalThrottlingTime") / 1e3;
    if (used > 0.66 || throttled > 0.01 * look.seconds()) {
      look.found()
          .apart("region", region.getName())
          .seconds("held", throttled)
          .seconds("observed", look.seconds())
          .evidence("UsedCheckpointBufferSize / CheckpointBufferSize", used)
          .evidence("TotalThrottlingTime [s]", throttled)
          .costs(throttled / look.seconds())
          .change("checkpointPageBufferSize", (long) size, (long) (2 * size));
    }
  }

  /** Ignite's own buffer is a quarter of the region, and at most 2 GiB from 8 GiB on. */
  private static void throttling(Look look, Server server, DataRegionConfiguration region) {
    DataStorageConfiguration storage = server.storage().orElseThrow();
    long buffer = region.getCheckpointPageBufferSize();
    if (buffer > 0
        && buffer < Math.min(region.getMaxSize(), 8L << 30) / 8
        && !storage.isWriteThrottlingEnabled()) {
      look.found()
          .apart("region", region.getName())
          .change("checkpointPageBufferSize", buffer, region.getMaxSize() / 4);
    }
  }

  /** The last checkpoint took most of the time between two, or one is in all of several dumps. */
  private static void checkpoints(Look look, Server server) {
    requireCounts(look, server);
    DataStorageConfiguration storage = server.storage().orElseThrow();
    long frequency = storage.getCheckpointFrequency();
    double last = server.last(STORAGE + "LastCheckpointDuration");
    List<ThreadDump> dumps = look.dumps(server);
    if (last > 0.8 * frequency) {
      look.found()
          .costs("share", last / frequency)
          .evidence("LastCheckpointDuration [ms]", last)
          .change("checkpointFrequency", frequency, 3 * frequency);
    } else if (dumps.size() >= 3 && dumps.stream().allMatch(StorageChecks::writes)) {
      look.found("seen")
          .count("dumps", dumps.size())
          .evidence("thread dumps with a checkpoint under way", dumps.size())
          .evidence("maxWalArchiveSize", storage.getMaxWalArchiveSize())
          .costs(1);
    }
  }

  private static boolean writes(ThreadDump dump) {
    return dump.in(".doCheckpoint(").stream()
        .anyMatch(thread -> thread.startsWith("db-checkpoint-thread"));
  }
}
