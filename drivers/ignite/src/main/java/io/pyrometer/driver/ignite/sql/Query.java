package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One query of a mix. A file of queries has SELECTs, each ended by a semicolon at the end of a
 * line. Comments before one say its name, its weight, and what fills its question marks:
 *
 * <pre>
 * -- name: range
 * -- weight: 2
 * -- params: key, previous+49
 * SELECT id, price FROM StockOrder WHERE id BETWEEN ? AND ?;
 * </pre>
 *
 * @param weight how often it is drawn, relative to the others
 * @param parameters one for each of its question marks
 */
public record Query(String name, double weight, List<Parameter> parameters, String sql) {
  public static final SettingKey<String> SETTING = GridSettings.DECLARED.text("queries");
  private static final String NO_END = "its last query does not end with a semicolon";
  private static final String BUNDLED = "queries.sql";
  private static final Pattern COMMENT =
      Pattern.compile("(?m)^\\s*--\\s*(name|weight|params)\\s*:\\s*(.*?)\\s*$");
  private static final Pattern END = Pattern.compile("(?m);\\s*$");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");
  private static final Pattern READS = Pattern.compile("(?is)\\s*(select|with)\\b.*");

  /** Literals, quoted names and comments, in which a question mark is none. */
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"|--[^\n]*");

  /**
   * The queries of the setting itself, of the file that it names, or Pyrometer's own mix.
   *
   * @throws GridException with one sentence if the file cannot be read or is not of this form
   */
  public static List<Query> of(Settings settings) {
    String file = settings.find(SETTING).orElse("");
    if (file.contains("\n")) {
      return read(SETTING.name(), file);
    }
    try {
      return file.isEmpty()
          ? read("Pyrometer's queries", bundled())
          : read(file, Files.readString(Path.of(file)));
    } catch (IOException unreadable) {
      throw GridException.of(
          "The file of queries '%s' cannot be read: see that it is there and is text in UTF-8.",
          file, unreadable);
    }
  }

  private static String bundled() throws IOException {
    try (InputStream in = Query.class.getResourceAsStream(BUNDLED)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static List<Query> read(String file, String text) {
    List<Query> queries = new ArrayList<>();
    try {
      List<String> statements = List.of(END.split(text, -1));
      for (String statement : statements.subList(0, statements.size() - 1)) {
        queries.add(query(statement, queries));
      }
      require(sql(statements.get(statements.size() - 1)).isEmpty(), NO_END);
      require(!queries.isEmpty(), "it holds no query");
    } catch (IllegalArgumentException wrong) {
      throw GridException.of(
          "The file of queries '%s' cannot be used: %s.", file, wrong.getMessage(), wrong);
    }
    return queries;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static Query query(String statement, List<Query> before) {
    Map<String, String> said = new HashMap<>();
    COMMENT
        .matcher(statement)
        .results()
        .forEach(comment -> said.put(comment.group(1), comment.group(2)));
    String name = said.getOrDefault("name", "query-" + (before.size() + 1));
    String sql = sql(statement);
    require(
        NAME.matcher(name).matches(),
        "'%s' is no name of a query: take small letters, digits and hyphens".formatted(name));
    require(
        before.stream().noneMatch(query -> query.name().equals(name)),
        "two queries are called '%s'".formatted(name));
    require(
        READS.matcher(sql).matches(),
        "'%s' is no SELECT, and queries must only read".formatted(name));
    double weight = Double.parseDouble(said.getOrDefault("weight", "1"));
    require(weight > 0, "the weight of '%s' is not above 0".formatted(name));
    int marks = (int) QUOTED.matcher(sql).replaceAll("").chars().filter(c -> c == '?').count();
    return new Query(name, weight, parameters(name, said.getOrDefault("params", ""), marks), sql);
  }

  /** Without what is said of the query, and without the comments before it. */
  private static String sql(String statement) {
    return COMMENT
        .matcher(statement)
        .replaceAll("")
        .replaceFirst("^(\\s*--[^\n]*(\n|$))*", "")
        .strip();
  }

  /** Where none are given, the first is the drawn key and each further one another key. */
  private static List<Parameter> parameters(String name, String given, int marks) {
    if (given.isEmpty()) {
      return IntStream.range(0, marks)
          .mapToObj(mark -> Parameter.of(mark == 0 ? "key" : "other"))
          .toList();
    }
    List<String> texts = Arrays.stream(given.split(",", -1)).map(String::strip).toList();
    require(
        texts.size() == marks,
        "'%s' has %d question marks and %d params".formatted(name, marks, texts.size()));
    return texts.stream().map(Parameter::of).toList();
  }

  /** How many drawn keys its parameters use; the first is there even if none does. */
  public int keys() {
    return 1 + (int) parameters.stream().filter(Parameter::usesKey).count();
  }

  /**
   * The values of its question marks.
   *
   * @param key the drawn key of an index below {@link #keys()}
   */
  public Object[] arguments(IntToLongFunction key) {
    Object[] values = new Object[parameters.size()];
    int used = 0;
    long previous = 0;
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = parameters.get(i);
      long drawn = key.applyAsLong(parameter.usesKey() ? ++used : 0);
      previous = parameter.value().applyAsLong(drawn, previous);
      values[i] = previous;
    }
    return values;
  }

  /**
   * Value of one question mark of a query.
   *
   * @param usesKey whether it uses a drawn key that no parameter before it uses
   * @param value of the drawn key and the value before it
   */
  record Parameter(boolean usesKey, LongBinaryOperator value) {
    private static final Pattern FORM =
        Pattern.compile("(key|other|previous)(?:\\+(\\d{1,9}))?|(\\d{1,9})\\.\\.(\\d{1,9})");

    /**
     * Reads {@code key}, {@code other}, {@code previous+49} or {@code 1..100}.
     *
     * @throws IllegalArgumentException if the text is no parameter
     */
    static Parameter of(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new IllegalArgumentException(
            "'%s' is no parameter: take key, other or previous, with +N if need be, or LOW..HIGH"
                .formatted(text));
      }
      if (form.group(1) != null) {
        long added = form.group(2) == null ? 0 : Long.parseLong(form.group(2));
        return form.group(1).equals("previous")
            ? new Parameter(false, (key, previous) -> previous + added)
            : new Parameter(form.group(1).equals("other"), (key, previous) -> key + added);
      }
      long low = Long.parseLong(form.group(3));
      long size = Long.parseLong(form.group(4)) - low + 1;
      if (size < 1) {
        throw new IllegalArgumentException(
            "'%s' is no range: its low end is above its high end".formatted(text));
      }
      // The same number for the same key.
      return new Parameter(
          true, (key, previous) -> low + Math.floorMod((key * 0x9E3779B97F4A7C15L) >>> 17, size));
    }
  }
}
