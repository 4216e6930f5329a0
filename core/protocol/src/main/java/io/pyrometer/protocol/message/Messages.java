package io.pyrometer.protocol.message;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of findings, by id. A message file holds for each id a sentence, {@code id.remedy} (what
 * to do) and {@code id.meaning} (two sentences for the manual). A template has named values, as
 * {@code {rate}}; counted nouns, as {@code {trials|trial}} or {@code {queries|query|queries}}, which
 * print the count and the noun; and optional parts in square brackets, which are left out where a
 * value in them is absent.
 */
public final class Messages {
  /** The message file of a module. */
  public static final String FILE = "META-INF/pyrometer/messages.properties";

  private static final String REMEDY = ".remedy";
  private static final String MEANING = ".meaning";
  private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern VALUE = Pattern.compile("\\{([^{}|]+)(?:\\|([^{}|]+))?(?:\\|([^{}|]+))?}");

  private final Properties templates;

  private Messages(Properties templates) {
    this.templates = templates;
  }

  private static final class Bundled {
    private static final Messages ALL = ofClassPath();
  }

  /** Those of all modules on the class path. */
  public static Messages bundled() {
    return Bundled.ALL;
  }

  private static Messages ofClassPath() {
    Properties all = new Properties();
    try {
      for (URL file : Collections.list(Messages.class.getClassLoader().getResources(FILE))) {
        try (Reader in = new InputStreamReader(file.openStream(), StandardCharsets.UTF_8)) {
          all.putAll(read(in).templates);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new Messages(all);
  }

  /** Those of one message file. */
  public static Messages read(Reader file) throws IOException {
    Properties read = new Properties();
    read.load(file);
    return new Messages(read);
  }

  /** The ids of all findings. */
  public SortedSet<String> ids() {
    SortedSet<String> ids = new TreeSet<>(templates.stringPropertyNames());
    ids.removeIf(key -> key.endsWith(REMEDY) || key.endsWith(MEANING));
    return ids;
  }

  /** The template of a key as the file has it; empty where it has none. */
  public Optional<String> template(String key) {
    return Optional.ofNullable(templates.getProperty(key));
  }

  /**
   * The sentence of a finding.
   *
   * @throws IllegalArgumentException if no file has the id, or a value that is not optional is
   *     missing: a mistake of the program
   */
  public String sentence(String id, Function<String, Optional<String>> values, Counts counts) {
    return fill(
        id,
        template(id).orElseThrow(() -> new IllegalArgumentException("No message has the id " + id)),
        values,
        counts);
  }

  /** The same of typed values. */
  public String sentence(String id, Map<String, Value> values) {
    return sentence(id, shown(values), counted(values));
  }

  /** The action that settles a finding; empty where there is none. */
  public Optional<String> remedy(
      String id, Function<String, Optional<String>> values, Counts counts) {
    return template(id + REMEDY).map(template -> fill(id, template, values, counts));
  }

  /** The same of typed values. */
  public Optional<String> remedy(String id, Map<String, Value> values) {
    return remedy(id, shown(values), counted(values));
  }

  /** The explanation of a finding for the manual. */
  public Optional<String> meaning(String id) {
    return template(id + MEANING);
  }

  /** Whether a named count is one, which decides the form of its noun. */
  @FunctionalInterface
  public interface Counts {
    boolean isOne(String name);
  }

  private static Function<String, Optional<String>> shown(Map<String, Value> values) {
    return name -> Optional.ofNullable(values.get(name)).map(Value::text);
  }

  /** Counts among typed values. */
  public static Counts counted(Map<String, Value> values) {
    return name ->
        Optional.ofNullable(values.get(name))
            .filter(value -> value.value() instanceof Double number && number == 1)
            .isPresent();
  }

  private static String fill(
      String id, String template, Function<String, Optional<String>> values, Counts counts) {
    String chosen =
        OPTIONAL
            .matcher(template)
            .replaceAll(
                part ->
                    Matcher.quoteReplacement(
                        missing(part.group(1), values).isEmpty() ? part.group(1) : ""));
    List<String> missing = missing(chosen, values);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("The message " + id + " lacks its values " + missing);
    }
    return VALUE
        .matcher(chosen)
        .replaceAll(
            value ->
                Matcher.quoteReplacement(
                    values.apply(value.group(1)).orElseThrow() + noun(value, counts)));
  }

  private static String noun(java.util.regex.MatchResult value, Counts counts) {
    String singular = value.group(2);
    if (singular == null) {
      return "";
    }
    String plural = value.group(3) == null ? singular + "s" : value.group(3);
    return " " + (counts.isOne(value.group(1)) ? singular : plural);
  }

  private static List<String> missing(String text, Function<String, Optional<String>> values) {
    return VALUE
        .matcher(text)
        .results()
        .map(value -> value.group(1))
        .filter(name -> values.apply(name).isEmpty())
        .toList();
  }
}
