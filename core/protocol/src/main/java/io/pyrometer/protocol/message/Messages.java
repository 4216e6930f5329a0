package io.pyrometer.protocol.message;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words of findings, by id. A message file holds for each id a sentence, {@code id.remedy}
 * (what to do) and {@code id.meaning} (two sentences for the manual); faults also have {@code
 * id.cause} and {@code id.loses}, and {@code NAME.phrase} is text that is no finding. A template
 * has named values, as {@code {rate}}; counted nouns, as {@code {trials|trial}} or {@code
 * {queries|query|queries}}, which print the count and the noun, or of a list the noun and the
 * names; and optional parts in square brackets, which are left out where a value in them is absent.
 */
public final class Messages {
  /** The message file of a module. */
  public static final String FILE = "META-INF/pyrometer/messages.properties";

  private static final List<String> PARTS =
      List.of(".remedy", ".meaning", ".cause", ".loses", ".phrase");
  private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
  private static final Pattern VALUE =
      Pattern.compile("\\{([^{}|]+)(?:\\|([^{}|]+))?(?:\\|([^{}|]+))?}");

  /** Longer lists are counted. */
  private static final int MOST_NAMES = 3;

  private final Properties templates;

  private Messages(Properties templates) {
    this.templates = templates;
  }

  private static final class Bundled {
    private static final Messages ALL = all();
  }

  /** Messages of all modules on the class path, and of the drivers of the distribution. */
  public static Messages bundled() {
    return Bundled.ALL;
  }

  private static Messages all() {
    Path drivers = Path.of(System.getProperty("pyrometer.dist", "target/dist"), "drivers");
    Properties all = new Properties();
    try {
      for (URL file : Collections.list(Messages.class.getClassLoader().getResources(FILE))) {
        try (Reader in = new InputStreamReader(file.openStream(), StandardCharsets.UTF_8)) {
          all.load(in);
        }
      }
      if (Files.isDirectory(drivers)) {
        // Beside the descriptions of drivers, whose classes the coordinator never loads.
        try (DirectoryStream<Path> found = Files.newDirectoryStream(drivers)) {
          for (Path folder : found) {
            Path file = folder.resolve("messages.properties");
            if (Files.isRegularFile(file)) {
              try (Reader in = Files.newBufferedReader(file)) {
                all.load(in);
              }
            }
          }
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new Messages(all);
  }

  /** Messages of one message file. */
  public static Messages read(Reader file) throws IOException {
    Properties read = new Properties();
    read.load(file);
    return new Messages(read);
  }

  /** The ids of all findings. */
  public SortedSet<String> ids() {
    SortedSet<String> ids = new TreeSet<>(templates.stringPropertyNames());
    ids.removeIf(key -> PARTS.stream().anyMatch(key::endsWith));
    return ids;
  }

  /** The template of a key as the file has it; empty where it has none. */
  public Optional<String> template(String key) {
    return Optional.ofNullable(templates.getProperty(key));
  }

  /**
   * The text of any key with typed values; empty where no file has the key.
   *
   * @throws IllegalArgumentException if a value that is not optional is missing: a mistake of the
   *     program
   */
  public Optional<String> text(String key, Map<String, Value> values) {
    return template(key).map(template -> fill(key, template, values));
  }

  /**
   * The words of a failure, in the form of {@link String#format}: {@code id.phrase} of the bundled
   * message files; the id where none has it.
   */
  public static String format(String id) {
    return bundled().template(id + ".phrase").orElse(id + ".");
  }

  /** The words of a failure with its values, whose numbers are those of {@link Locale#ROOT}. */
  public static String format(String id, @Nullable Object... values) {
    return String.format(Locale.ROOT, format(id), values);
  }

  private static String fill(String id, String template, Map<String, Value> values) {
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
            found ->
                Matcher.quoteReplacement(
                    shown(found, Objects.requireNonNull(values.get(found.group(1))))));
  }

  /** A value, with its noun where it is counted. */
  private static String shown(MatchResult found, Value value) {
    String singular = found.group(2);
    if (singular == null) {
      return value.text();
    }
    String plural = found.group(3) == null ? singular + "s" : found.group(3);
    List<?> names = value.value() instanceof List<?> list ? list : List.of();
    String noun = value.value().equals(1.0) || names.size() == 1 ? singular : plural;
    return names.isEmpty()
        ? value.text() + " " + noun
        : names.size() <= MOST_NAMES
            ? noun + " " + value.text()
            : "%d %s (such as %s)".formatted(names.size(), noun, names.get(0));
  }

  private static List<String> missing(String text, Map<String, Value> values) {
    return VALUE
        .matcher(text)
        .results()
        .map(value -> value.group(1))
        .filter(name -> !values.containsKey(name))
        .toList();
  }
}
