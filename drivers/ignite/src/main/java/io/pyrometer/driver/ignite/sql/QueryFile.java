package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of queries: SELECTs, each ended by a semicolon at the end of a line. Comments before one
 * say its name, its weight, and what fills its question marks:
 *
 * <pre>
 * -- name: range
 * -- weight: 2
 * -- params: key, previous+49
 * SELECT id, price FROM StockOrder WHERE id BETWEEN ? AND ?;
 * </pre>
 */
public final class QueryFile {
  public static final SettingKey<String> SETTING =
      SettingKey.text("queries", Scope.LOAD)
          .meaning(
              "File of SELECTs with their names, weights and parameters; Pyrometer's own, for"
                  + " the record stock-order, if absent.");
  private static final String BUNDLED = "queries.sql";
  private static final Pattern COMMENT =
      Pattern.compile("--\\s*(name|weight|params)\\s*:\\s*(.*?)\\s*");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");
  private static final Pattern READS = Pattern.compile("(?is)\\s*(select|with)\\b.*");

  /** Literals, quoted names and comments, in which a question mark is none. */
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"|--[^\n]*");

  private final String file;
  private final List<Query> queries = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final StringBuilder sql = new StringBuilder();
  private String name = "";
  private double weight = 1;
  private String parameters = "";

  private QueryFile(String file) {
    this.file = file;
  }

  /**
   * The queries of the file that the settings name, or Pyrometer's own mix.
   *
   * @throws GridException with one sentence if the file cannot be read or is not of this form
   */
  public static List<Query> of(Settings settings) {
    String file = settings.find(SETTING).orElse("");
    try {
      return file.isEmpty()
          ? read("Pyrometer's queries", bundled())
          : read(file, Files.readString(Path.of(file)));
    } catch (IOException unreadable) {
      throw new GridException(
          "The file of queries '%s' cannot be read: see that it is there and is text in UTF-8."
              .formatted(file),
          unreadable);
    }
  }

  private static String bundled() throws IOException {
    try (InputStream in = QueryFile.class.getResourceAsStream(BUNDLED)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static List<Query> read(String file, String text) {
    QueryFile reader = new QueryFile(file);
    text.lines().forEach(reader::line);
    if (!reader.sql.toString().isBlank()) {
      throw reader.refused("its last query does not end with a semicolon");
    }
    if (reader.queries.isEmpty()) {
      throw reader.refused("it holds no query");
    }
    return reader.queries;
  }

  private void line(String line) {
    Matcher comment = COMMENT.matcher(line.strip());
    if (comment.matches()) {
      switch (comment.group(1)) {
        case "name" -> name = comment.group(2);
        case "weight" -> weight = weight(comment.group(2));
        default -> parameters = comment.group(2);
      }
      return;
    }
    if (!line.isBlank() && !(sql.isEmpty() && line.strip().startsWith("--"))) {
      sql.append(line).append('\n');
    }
    if (line.stripTrailing().endsWith(";")) {
      end();
    }
  }

  private double weight(String text) {
    try {
      double read = Double.parseDouble(text);
      if (read > 0 && Double.isFinite(read)) {
        return read;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw refused("the weight '%s' is no number above 0".formatted(text));
  }

  private void end() {
    String text = sql.toString().strip().replaceFirst(";$", "").strip();
    String called = name.isEmpty() ? "query-" + (queries.size() + 1) : name;
    if (!NAME.matcher(called).matches()) {
      throw refused(
          "'%s' is no name of a query: take small letters, digits and hyphens".formatted(called));
    }
    if (!names.add(called)) {
      throw refused("two queries are called '%s'".formatted(called));
    }
    if (!READS.matcher(text).matches()) {
      throw refused("'%s' is no SELECT, and queries must only read".formatted(called));
    }
    queries.add(new Query(called, weight, parameters(called, marks(text)), text));
    sql.setLength(0);
    name = "";
    weight = 1;
    parameters = "";
  }

  private static int marks(String text) {
    return (int) QUOTED.matcher(text).replaceAll("").chars().filter(c -> c == '?').count();
  }

  /** Where none are given, the first is the drawn key and each further one another key. */
  private List<Parameter> parameters(String called, int marks) {
    if (parameters.isEmpty()) {
      return Stream.concat(
              Stream.of(Parameter.KEY), Collections.nCopies(marks, Parameter.OTHER).stream())
          .limit(marks)
          .toList();
    }
    List<Parameter> given;
    try {
      given =
          Arrays.stream(parameters.split(",", -1)).map(text -> Parameter.of(text.strip())).toList();
    } catch (GridException wrong) {
      throw refused("of '%s' %s".formatted(called, wrong.getMessage()).replaceFirst("\\.$", ""));
    }
    if (given.size() != marks) {
      throw refused(
          "'%s' has %d question marks and %d params".formatted(called, marks, given.size()));
    }
    if (given.get(0).kind() == Parameter.Kind.PREVIOUS) {
      throw refused("the first of the params of '%s' has none before it".formatted(called));
    }
    return given;
  }

  private GridException refused(String why) {
    return new GridException("The file of queries '%s' cannot be used: %s.".formatted(file, why));
  }
}
