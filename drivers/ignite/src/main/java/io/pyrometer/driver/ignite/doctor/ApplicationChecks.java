package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.message.Value;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.configuration.CacheConfiguration;

/** Nodes of the application, and the queries and types that it leaves in the servers. */
final class ApplicationChecks {
  /** Samples with a running scan, of those that were taken. */
  private static final double OFTEN = 0.5;

  private static final int SCHEMAS = 20;
  private static final int CURSORS = 20;
  private static final double CURSOR_SECONDS = 3;
  private static final Comparator<Row> BY_DURATION =
      Comparator.comparingDouble(ApplicationChecks::seconds);
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final double NEAR_ENTRIES = 10_000;
  private static final double NEAR_SHARE = 0.5;
  private static final double HEAP = 0.85;
  private static final double MOSTLY = 0.75;
  private static final String HEAP_USED = "sys.memory.heap.used";

  /** Threads of a client node that call listeners and complete futures. */
  private static final List<String> CALLBACKS = List.of("sys-stripe-", "callback-#", "sys-#");

  static final List<Check> ALL =
      List.of(
          Check.of("silent-client", ApplicationChecks::silent),
          Check.of("scan-queries", ApplicationChecks::scans),
          Check.of("blocked-listeners", ApplicationChecks::listeners),
          Check.of("client-memory", ApplicationChecks::memory),
          Check.of("near-caches", ApplicationChecks::near),
          Check.of("open-cursors", ApplicationChecks::cursors),
          Check.of("binary-schemas", ApplicationChecks::schemas),
          Check.of("recorded-events", Check.servers(ApplicationChecks::events)));

  private ApplicationChecks() {}

  private static void silent(Facts facts, Result result) {
    facts
        .around()
        .silentClients()
        .forEach(name -> result.found().of("clients", name).evidence("answers within 5 s", 0));
  }

  private static void scans(Facts facts, Result result) {
    double samples =
        facts.servers().stream().mapToDouble(server -> server.samples().size()).max().orElse(0);
    facts.view(Observation.SCANS).stream()
        .filter(row -> !row.get("filter").isEmpty() && !row.get("filter").equals("null"))
        .collect(Collectors.groupingBy(row -> row.get("cacheName")))
        .forEach(
            (cache, rows) -> {
              double seen =
                  rows.stream().map(row -> row.get(Observation.SAMPLE)).distinct().count();
              if (seen >= OFTEN * samples) {
                result
                    .found()
                    .of("caches", cache)
                    .evidence(
                        "scans seen in " + Check.text("%.0f", samples) + " samples", rows.size())
                    .evidence("filter", rows.get(0).get("filter").replaceFirst("[@$].*", ""))
                    .costs(Math.min(1, seen / samples));
              }
            });
  }

  private static void listeners(Facts facts, Result result) {
    for (Server client : facts.around().clients()) {
      CALLBACKS.stream()
          .filter(pool -> facts.standing(client, pool).isPresent())
          .findFirst()
          .ifPresent(
              pool ->
                  LoadChecks.waits(
                      facts.standing(client, pool).orElseThrow(),
                      result.found().of("clients", client.name()),
                      pool));
    }
  }

  private static void memory(Facts facts, Result result) {
    for (Server client : facts.around().clients()) {
      double max = client.greatest("sys.memory.heap.max");
      double gc = client.mean(MemoryChecks.GC_LOAD) * client.cpus();
      if (max > 0
          && client.shareAbove(HEAP_USED, HEAP * max) >= MOSTLY
          && gc > MemoryChecks.SOME_GC) {
        double used = client.mean(HEAP_USED) / max;
        result
            .found()
            .of("clients", client.name())
            .with("share", Value.share(used))
            .evidence("sys.memory.heap.max [MiB]", max / (1 << 20))
            .evidence("sys.memory.heap.used / max, mean", used)
            .evidence("sys.GcCpuLoad × CPUs, mean", gc)
            .costs(used);
      }
    }
  }

  private static void near(Facts facts, Result result) {
    for (Server client : facts.around().clients()) {
      for (CacheConfiguration<?, ?> cache : facts.caches()) {
        String name = "cache." + cache.getName();
        double near = client.last(name + Observation.NEAR_ENTRIES);
        double all = facts.last(name + CacheChecks.ENTRIES);
        if (near >= NEAR_ENTRIES && near > NEAR_SHARE * all) {
          result
              .found()
              .of(cache)
              .with("entries", Value.count(Math.round(near)))
              .with("client", Value.name(client.name()))
              .evidence("entries of the near cache", near, client.name())
              .evidence("entries of the cache", all);
        }
      }
    }
  }

  /** Queries of a node that are registered as running and have rows to give. */
  private static void cursors(Facts facts, Result result) {
    List<Row> open =
        facts.view(Observation.RUNNING).stream()
            .collect(Collectors.groupingBy(row -> row.get("queryId")))
            .values()
            .stream()
            .filter(sights -> sights.size() > 1)
            .map(sights -> Collections.max(sights, BY_DURATION))
            .filter(last -> seconds(last) > CURSOR_SECONDS)
            .toList();
    if (open.size() >= CURSORS) {
      Row longest = Collections.max(open, BY_DURATION);
      result
          .found()
          .with("queries", Value.count(open.size()))
          .with("longest", Value.seconds(seconds(longest)))
          .evidence("statement", SqlChecks.shown(longest.get("sql")), "SQL_QUERIES")
          .evidence("node", longest.server(), "SQL_QUERIES");
    }
  }

  private static double seconds(Row query) {
    return query.amount("duration") / 1e3;
  }

  /** The view lists the identifiers of the schemas. */
  private static void schemas(Facts facts, Result result) {
    facts.view(Observation.METADATA).stream()
        .filter(row -> numbers(row.get("schemasIds")) > SCHEMAS)
        .collect(Collectors.toMap(row -> row.get("typeName"), row -> row, (one, same) -> one))
        .forEach(
            (type, row) ->
                result
                    .found()
                    .of("types", type)
                    .with("schemas", Value.count(numbers(row.get("schemasIds"))))
                    .evidence("schemas", numbers(row.get("schemasIds")), "BINARY_METADATA"));
  }

  private static void events(Facts facts, Server server, Result result) {
    long recorded = numbers(server.configuration().getOrDefault("IncludeEventTypes", ""));
    if (recorded > 0) {
      result
          .found()
          .with("events", Value.count(recorded))
          .evidence("includeEventTypes", recorded, server.name());
    }
  }

  private static long numbers(String list) {
    return NUMBER.matcher(list).results().count();
  }
}
