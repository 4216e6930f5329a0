package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.jspecify.annotations.Nullable;

/** Statements that servers have executed. */
final class SqlChecks {
  private static final int VARIANTS = 50;
  private static final int MAX_SHOWN = 200;
  private static final String LITERAL = "'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b";

  /** A table and its alias; what is no table's name is left out by those that there are. */
  private static final Pattern TABLE =
      Pattern.compile(
          "(?:\\bfrom|\\bjoin|,)\\s+(?:\"?\\w+\"?\\.)?\"?(\\w+)\"?"
              + "(?:\\s+(?:as\\s+)?(?!(?:on|using|where|join|inner|left|right|cross|group|order)\\b)(\\w+))?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern EQUALITY =
      Pattern.compile("(\\w+)\\.\"?(\\w+)\"?\\s*=\\s*(\\w+)\\.\"?(\\w+)\"?");

  static final List<Check> ALL =
      List.of(
          ofCluster("sql-literals", Check.SQL, SqlChecks::literals),
          ofCluster("non-collocated-join", Check.SQL, SqlChecks::joins));

  private SqlChecks() {}

  private static void literals(Facts facts, Result result) {
    Map<String, Long> variants =
        facts.view(Observation.STATEMENTS).stream()
            .map(row -> row.get("sql"))
            .distinct()
            .collect(
                Collectors.groupingBy(sql -> sql.replaceAll(LITERAL, "?"), Collectors.counting()));
    variants.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= VARIANTS)
        .ifPresent(
            most ->
                result
                    .advice("%d SQL statements differ in their literals alone.", most.getValue())
                    .evidence("statement", most.getKey(), "SQL_QUERIES_HISTORY")
                    .cause("Each is parsed and planned anew.")
                    .action(
                        Needs.CLIENTS,
                        "Use parameters (?), so that the plan is found in the cache."));
  }

  /**
   * Finds joins of partitioned tables of which no condition makes their affinity keys equal. The
   * text alone is judged: whether distributed joins were on is not in the history.
   */
  private static void joins(Facts facts, Result result) {
    Set<String> replicated =
        facts.caches().stream()
            .filter(cache -> cache.getCacheMode() == CacheMode.REPLICATED)
            .map(CacheConfiguration::getName)
            .collect(Collectors.toSet());
    Map<String, Row> tables = new HashMap<>();
    facts.view(Observation.TABLES).stream()
        .filter(row -> !replicated.contains(row.get("cacheName")))
        .forEach(row -> tables.put(upper(row.get("tableName")), row));
    Set<Set<String>> found = new HashSet<>();
    for (Row statement : facts.several() ? facts.view(Observation.STATEMENTS) : List.<Row>of()) {
      String sql = statement.get("sql").replaceAll("\\s+", " ");
      pairs(sql, tables)
          .forEach(
              (pair, collocated) -> {
                if (!collocated && pair.size() > 1 && found.add(pair)) {
                  Check.Draft draft =
                      result
                          .problem("A join does not use the affinity keys of its tables.")
                          .cause(
                              "Each server joins the rows that it holds itself, so that rows are missing; with distributed joins none is, but servers send each other messages for every join.")
                          .action(
                              Needs.CACHE,
                              "Give the tables the join's columns as affinity keys, or replicate the smaller one.");
                  for (String name : pair.stream().sorted().toList()) {
                    Row table = tables.getOrDefault(name, statement);
                    draft.evidence(
                        "affinity key of " + name,
                        table.get("affinityKeyColumn"),
                        table.get("cacheName"));
                  }
                  draft.evidence(
                      "statement",
                      sql.substring(0, Math.min(MAX_SHOWN, sql.length())),
                      statement.server());
                }
              });
    }
  }

  /** The pairs of tables that conditions join, and whether one of these is of affinity keys. */
  private static Map<Set<String>, Boolean> pairs(String sql, Map<String, Row> tables) {
    Map<String, String> names = new HashMap<>();
    Matcher table = TABLE.matcher(sql);
    while (table.find()) {
      String name = upper(table.group(1));
      if (tables.containsKey(name)) {
        names.put(name, name);
        if (table.group(2) != null) {
          names.put(upper(table.group(2)), name);
        }
      }
    }
    Map<Set<String>, Boolean> pairs = new HashMap<>();
    Matcher equality = EQUALITY.matcher(sql);
    while (equality.find()) {
      String one = names.get(upper(equality.group(1)));
      String other = names.get(upper(equality.group(3)));
      if (one != null && other != null) {
        boolean collocated =
            isAffinityKey(tables.get(one), equality.group(2))
                && isAffinityKey(tables.get(other), equality.group(4));
        pairs.merge(Set.copyOf(List.of(one, other)), collocated, Boolean::logicalOr);
      }
    }
    return pairs;
  }

  private static boolean isAffinityKey(@Nullable Row table, String column) {
    return table != null
        && (column.equalsIgnoreCase(table.get("affinityKeyColumn"))
            || (table.get("affinityKeyColumn").equals("_KEY")
                && column.equalsIgnoreCase(table.get("keyAlias"))));
  }

  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }
}
