package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;

/** Nodes of the application, and the queries and types that it leaves in the servers. */
final class ApplicationChecks {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final String HEAP_USED = "sys.memory.heap.used";

  /** Threads of a client node that call listeners and complete futures. */
  private static final List<String> CALLBACKS = List.of("sys-stripe-", "callback-#", "sys-#");

  static final List<Check> ALL =
      List.of(
          Check.of("silent-client", ApplicationChecks::silent),
          Check.of("scan-queries", ApplicationChecks::scans),
          Check.of("blocked-listeners", clients(ApplicationChecks::listeners)),
          Check.of("client-memory", clients(ApplicationChecks::memory)),
          Check.of("near-caches", ApplicationChecks::near),
          Check.of("open-cursors", ApplicationChecks::cursors),
          Check.of("binary-schemas", ApplicationChecks::schemas),
          Check.of("recorded-events", Check.servers(ApplicationChecks::events)));

  private ApplicationChecks() {}

  private static Consumer<Look> clients(BiConsumer<Look, Server> body) {
    return Check.each("clients", look -> look.around().clients(), Server::name, body);
  }

  private static void silent(Look look) {
    for (String name : look.around().silentClients()) {
      look.found().of("clients", name).evidence("answers within 5 s", 0);
    }
  }

  /** Scans with a filter that run in half of the samples or more. */
  private static void scans(Look look) {
    long samples =
        look.servers().stream().mapToLong(server -> server.samples().size()).max().orElse(0);
    look.view(Observation.SCANS).stream()
        .filter(row -> !row.get("filter").isEmpty() && !row.get("filter").equals("null"))
        .collect(Collectors.groupingBy(row -> row.get("cacheName")))
        .forEach(
            (cache, rows) -> {
              double seen =
                  rows.stream().map(row -> row.get(Observation.SAMPLE)).distinct().count();
              if (2 * seen >= samples) {
                look.found()
                    .of("caches", cache)
                    .evidence("scans seen in " + samples + " samples", rows.size())
                    .evidence("filter", rows.get(0).get("filter").replaceFirst("[@$].*", ""))
                    .costs(seen / samples);
              }
            });
  }

  private static void listeners(Look look, Server client) {
    CALLBACKS.stream()
        .flatMap(pool -> look.standing(client, pool).stream())
        .limit(1)
        .forEach(found -> LoadChecks.waits(found, look.found()));
  }

  private static void memory(Look look, Server client) {
    double max = client.maxHeap();
    double gc = client.mean(MemoryChecks.GC_LOAD) * client.cpus();
    double used = client.mean(HEAP_USED) / max;
    if (max > 0 && client.shareAbove(HEAP_USED, 0.85 * max) >= 0.75 && gc > MemoryChecks.SOME_GC) {
      look.found()
          .costs("share", used)
          .evidence("sys.memory.heap.max [MiB]", max / (1 << 20))
          .evidence("sys.memory.heap.used / max, mean", used)
          .evidence("sys.GcCpuLoad × CPUs, mean", gc);
    }
  }

  private static void near(Look look) {
    for (Server client : look.around().clients()) {
      for (CacheConfiguration<?, ?> cache : look.caches()) {
        String name = "cache." + cache.getName();
        double near = client.last(name + Observation.NEAR_ENTRIES);
        double all = look.last(name + CacheChecks.ENTRIES);
        if (near >= 10_000 && near > all / 2) {
          look.found()
              .of("caches", cache.getName())
              .count("entries", near)
              .name("client", client.name())
              .evidence("entries of the near cache", near, client.name())
              .evidence("entries of the cache", all);
        }
      }
    }
  }

  /** Queries of a node that are registered as running and have rows to give. */
  private static void cursors(Look look) {
    Comparator<Row> byDuration = Comparator.comparingDouble(Row::seconds);
    List<Row> open =
        look.view(Observation.RUNNING).stream()
            .collect(Collectors.groupingBy(row -> row.get("queryId")))
            .values()
            .stream()
            .filter(sights -> sights.size() > 1)
            .map(sights -> Collections.max(sights, byDuration))
            .filter(last -> last.seconds() > 3)
            .toList();
    if (open.size() >= 20) {
      Row longest = Collections.max(open, byDuration);
      look.found()
          .count("queries", open.size())
          .seconds("longest", longest.seconds())
          .evidence("statement", SqlChecks.shown(longest.get("sql")), "SQL_QUERIES")
          .evidence("node", longest.server(), "SQL_QUERIES");
    }
  }

  /** The view lists the identifiers of the schemas. */
  private static void schemas(Look look) {
    for (Row row : look.view(Observation.METADATA)) {
      int schemas = numbers(row.get("schemasIds"));
      if (schemas > 20) {
        look.found()
            .of("types", row.get("typeName"))
            .count("schemas", schemas)
            .evidence("schemas", schemas, "BINARY_METADATA");
      }
    }
  }

  private static void events(Look look, Server server) {
    int recorded = numbers(server.configuration().getOrDefault("IncludeEventTypes", ""));
    if (recorded > 0) {
      look.found().count("events", recorded).evidence("includeEventTypes", recorded);
    }
  }

  private static int numbers(String list) {
    return (int) NUMBER.matcher(list).results().count();
  }
}
