package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;
import static io.pyrometer.driver.ignite.doctor.Check.ofConfiguration;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.internal.IgniteNodeAttributes;

/** Data regions, the heaps of the servers and what the system does to them. */
final class MemoryChecks {
  private static final double NEARLY_FULL = 0.85;
  private static final double OF_RAM = 0.9;
  private static final double OF_RAM_WITH_FILES = 0.7;
  private static final double GC_SHARE = 0.1;
  private static final double HEAP_FLOOR = 0.85;
  private static final int SWAPPINESS = 10;
  private static final double GIB = 1 << 30;

  /** A JVM counts one survivor space less than -Xmx4g. */
  private static final double LARGE_HEAP = 3.5 * GIB;

  private static final Pattern PAUSE = Pattern.compile("=(\\d+)");

  static final List<Check> ALL =
      List.of(
          ofCluster("memory-of-hosts", Check.MEMORY, MemoryChecks::hosts),
          ofCluster("region-nearly-full", Check.MEMORY, MemoryChecks::nearlyFull),
          ofCluster("page-eviction", Check.MEMORY, MemoryChecks::eviction),
          ofCluster("page-replacement", Check.PERSISTENCE, MemoryChecks::replacement),
          ofCluster("heap", Check.MEMORY, MemoryChecks::heap),
          ofCluster("collector", Check.MEMORY, MemoryChecks::collector),
          ofCluster("pauses", Check.MEMORY, MemoryChecks::pauses),
          ofCluster("operating-system", Check.MEMORY, MemoryChecks::system),
          ofCluster("huge-pages", Check.MEMORY, MemoryChecks::hugePages),
          ofConfiguration("region-of-default-size", Check.MEMORY, MemoryChecks::defaultSize));

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
            .risk(
                "Heaps and data regions may grow to %.0f %% of the memory of their machine.",
                100 * needed / all)
            .evidence("heaps and regions [GiB]", needed / GIB, names)
            .evidence("memory [GiB]", all / GIB, names)
            .cause(
                "The system swaps or ends a process when they do; with persistence it also needs memory for files.")
            .action(
                Needs.SERVERS,
                "Make regions or heaps smaller, or run fewer servers on the machine.");
      }
    }
  }

  private static void nearlyFull(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      for (DataRegionConfiguration region : server.regions()) {
        double used = server.last(metrics(region) + ".TotalUsedSize").orElse(0);
        double share = used / region.getMaxSize();
        if (share > NEARLY_FULL
            && !region.isPersistenceEnabled()
            && region.getPageEvictionMode() == DataPageEvictionMode.DISABLED) {
          double growth = server.growth(metrics(region) + ".TotalUsedSize") / facts.seconds();
          Check.Draft draft =
              result
                  .problem(
                      "Region '%s' of %s is %.0f %% full.",
                      region.getName(), server.name(), 100 * share)
                  .evidence("TotalUsedSize", used, server.name())
                  .evidence("maxSize", region.getMaxSize(), server.name())
                  .cause("A write that finds no page fails, and by default ends the server.")
                  .action(Needs.SERVERS, "Make the region larger, or add servers.")
                  .change("maxSize", region.getMaxSize(), 2 * region.getMaxSize());
          if (growth > 0) {
            draft.impact(
                share,
                "at the present rate it is full in %,.0f s",
                (region.getMaxSize() - used) / growth);
          }
        }
      }
    }
  }

  private static void eviction(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      for (DataRegionConfiguration region : server.regions()) {
        double rate = server.greatest(metrics(region) + ".EvictionRate");
        double used = server.last(metrics(region) + ".TotalUsedSize").orElse(0);
        boolean full = used >= (region.getEvictionThreshold() - 0.02) * region.getMaxSize();
        if (region.getPageEvictionMode() != DataPageEvictionMode.DISABLED && (rate > 0 || full)) {
          result
              .problem(
                  "%s drops records of region '%s' to make room.", server.name(), region.getName())
              .evidence(
                  "EvictionRate",
                  region.isMetricsEnabled() ? rate : "not counted (metricsEnabled)",
                  server.name())
              .evidence("TotalUsedSize / maxSize", used / region.getMaxSize(), server.name())
              .cause(
                  "The data do not fit into the region, and "
                      + region.getPageEvictionMode()
                      + " removes pages of records.")
              .action(
                  Needs.SERVERS,
                  "Make the region larger or add servers, unless the cache may forget.")
              .change("maxSize", region.getMaxSize(), 2 * region.getMaxSize());
        }
      }
    }
  }

  private static void replacement(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      for (DataRegionConfiguration region : server.regions()) {
        requireCounts(region, result);
        double replaced = server.growth(metrics(region) + ".PagesReplaced");
        double read = server.growth(metrics(region) + ".PagesRead");
        if (region.isPersistenceEnabled() && replaced > 0) {
          result
              .problem(
                  "%s reads pages of region '%s' from disk and puts others out for them.",
                  server.name(), region.getName())
              .evidence("PagesReplaced [1/s]", replaced / facts.seconds(), server.name())
              .evidence("PagesRead [1/s]", read / facts.seconds(), server.name())
              .cause("The data that are in use do not fit into the region.")
              .action(Needs.SERVERS, "Make the region larger or add servers.")
              .change("maxSize", region.getMaxSize(), 2 * region.getMaxSize());
        }
      }
    }
  }

  static void requireCounts(DataRegionConfiguration region, Result result) {
    if (region.isPersistenceEnabled() && !region.isMetricsEnabled()) {
      result.notMade("region '" + region.getName() + "' does not count its pages (metricsEnabled)");
    }
  }

  /** Ignite divides the time of collections by the number of CPUs. */
  private static void heap(Facts facts, Result result) {
    String load = "sys.GcCpuLoad";
    for (Server server : facts.servers()) {
      double gc = server.mean(load) * server.cpus();
      double max = server.greatest("sys.memory.heap.max");
      double floor = max == 0 ? 0 : server.least("sys.memory.heap.used") / max;
      boolean onDemand =
          Optional.ofNullable(facts.logs().get(server.name()))
              .filter(JvmChecks::collectsOnDemand)
              .isPresent();
      if ((gc > GC_SHARE && !onDemand) || floor > HEAP_FLOOR) {
        result
            .problem("The heap of %s is too small.", server.name())
            .evidence("sys.GcCpuLoad × CPUs", gc, server.name())
            .evidence("least sys.memory.heap.used / max", floor, server.name())
            .impact(
                gc,
                "%.0f %% of the time goes into collections, %.0f to %.0f %% in %d samples",
                100 * gc,
                100 * server.least(load) * server.cpus(),
                100 * server.greatest(load) * server.cpus(),
                server.values(load).length)
            .cause("The collector runs often and frees little.")
            .action(Needs.SERVERS, "Give the JVM twice the heap: -Xmx%.0fm.", 2 * max / (1 << 20))
            .comparison(
                "node-heap",
                Check.text("%.0fm", max / (1 << 20)),
                Check.text("%.0fm", 2 * max / (1 << 20)));
      }
    }
  }

  private static void collector(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      String flags = server.jvmFlags();
      double heap = server.greatest("sys.memory.heap.max");
      boolean serial = flags.contains("-XX:+UseSerialGC");
      boolean parallel = flags.contains("-XX:+UseParallelGC");
      if (heap >= LARGE_HEAP && (serial || parallel)) {
        String name = serial ? "UseSerialGC" : "UseParallelGC";
        result
            .risk(
                "%s collects a heap of %.0f GiB while all threads stand still.",
                server.name(), heap / GIB)
            .evidence("JVM flag", "-XX:+" + name, server.name())
            .cause(
                "A full collection of the "
                    + (serial ? "serial" : "parallel")
                    + " collector pauses for about a second per GiB of live objects, and a node that pauses longer than the failure detection timeout is dropped.")
            .action(Needs.SERVERS, "Use -XX:+UseG1GC, the collector that Ignite recommends.")
            .comparison("node-jvm-args", "-XX:+" + name, "-XX:+UseG1GC");
      }
    }
  }

  private static void pauses(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      double pauses = server.growth("ignite.longJVMPausesCount");
      double millis = server.growth("ignite.longJVMPausesTotalDuration");
      double longest = longest(String.valueOf(last(server, "ignite.longJVMPauseLastEvents")));
      double timeout = milliseconds(server, "FailureDetectionTimeout");
      if (pauses > 0 && millis / 1e3 > 0.05 * facts.seconds()) {
        result
            .problem(
                "The JVM of %s stood still for %.1f s of %.0f s.",
                server.name(), millis / 1e3, facts.seconds())
            .evidence("longJVMPausesCount", pauses, server.name())
            .impact(
                millis / 1e3 / facts.seconds(),
                "%.0f %% of the time",
                millis / 10 / facts.seconds())
            .cause("Collections, swapping, or a machine whose CPUs others use.")
            .action(
                Needs.SERVERS,
                "Look into the GC log first; then heap, swap and CPU limits of the process.");
      } else if (timeout > 0 && longest > timeout / 2) {
        result
            .risk(
                "The JVM of %s once stood still for %.1f s; after %.1f s others drop it.",
                server.name(), longest / 1e3, timeout / 1e3)
            .evidence("longJVMPauseLastEvents [ms]", longest, server.name())
            .evidence("failureDetectionTimeout [ms]", timeout, server.name())
            .cause("Collections, swapping, or a machine whose CPUs others use.")
            .action(
                Needs.SERVERS, "Shorten the pauses, or make the failure detection timeout longer.")
            .change("failureDetectionTimeout", (long) timeout, (long) (3 * longest));
      }
    }
  }

  private static Object last(Server server, String metric) {
    return server.samples().get(server.samples().size() - 1).getOrDefault(metric, "");
  }

  static double milliseconds(Server server, String property) {
    String value = server.configuration().getOrDefault(property, "");
    return value.matches("\\d+") ? Double.parseDouble(value) : 0;
  }

  /** Of a map of ends and lengths as text: {1795607815351=620}. */
  private static double longest(String events) {
    Matcher lengths = PAUSE.matcher(events);
    double longest = 0;
    while (lengths.find()) {
      longest = Math.max(longest, Double.parseDouble(lengths.group(1)));
    }
    return longest;
  }

  private static void system(Facts facts, Result result) {
    Map<String, String> host = facts.host();
    if (host.isEmpty()) {
      result.notMade("the servers run on other machines");
      return;
    }
    requireOneHost(facts, result);
    boolean persistent = facts.servers().stream().anyMatch(Server::persistent);
    int swappiness = Integer.parseInt(host.getOrDefault("vm.swappiness", "0"));
    if (persistent && swappiness > SWAPPINESS) {
      result
          .advice("The system may swap memory of the servers for file buffers.")
          .evidence("vm.swappiness", swappiness, "this machine")
          .cause(
              "With persistence the servers fill the page cache, and the kernel makes room for it by swapping.")
          .action(Needs.NOTHING, "Set it to 10 or less: sysctl -w vm.swappiness=10.");
    }
    String reclaim = host.getOrDefault("vm.zone_reclaim_mode", "0");
    if (!reclaim.equals("0")) {
      result
          .risk("The system reclaims memory of a NUMA node while others have free memory.")
          .evidence("vm.zone_reclaim_mode", reclaim, "this machine")
          .cause("A server then waits for memory that is there.")
          .action(Needs.NOTHING, "Set it to 0: sysctl -w vm.zone_reclaim_mode=0.");
    }
  }

  private static void requireOneHost(Facts facts, Result result) {
    if (facts.servers().stream().map(Server::host).distinct().count() > 1) {
      result.notMade("some servers run on other machines");
    }
  }

  private static void hugePages(Facts facts, Result result) {
    String pages = facts.host().getOrDefault("transparent_hugepage", "");
    requireOneHost(facts, result);
    if (pages.isEmpty()) {
      result.notMade("the servers run on other machines");
    } else if (pages.contains("[always]")) {
      result
          .advice("The system makes huge pages of the servers' memory without being asked.")
          .evidence("transparent_hugepage", pages, "this machine")
          .cause("Its work on them (khugepaged, compaction) adds pauses.")
          .action(
              Needs.SERVERS,
              "Set it to madvise, and use -XX:+UseTransparentHugePages where a JVM gains from them.");
    }
  }

  private static void defaultSize(Facts facts, Result result) {
    for (Server server : facts.servers()) {
      if (!facts.live() && server.storage().isEmpty()) {
        result
            .advice("No size of the data region is configured.")
            .evidence("dataStorageConfiguration", "none", server.name())
            .cause(
                "The default region then takes up to 20 % of the machine's memory, whatever else runs there.")
            .action(Needs.SERVERS, "Set maxSize of the default data region.");
      }
    }
  }
}
