package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Golden files of wording, one a module: each template of its message file with sample values.
 * Other tests name ids and values. {@code -Dpyrometer.golden=true} writes them anew.
 */
class WordingTest {
  private static final String MESSAGES = Messages.FILE;
  private static final Pattern CONVERSION = Pattern.compile("%(?:(\\d+)\\$)?[-,.\\d]*([a-z])|%%");

  private static final Pattern NAME = Pattern.compile("\\{([^{}|]+)");

  @ParameterizedTest
  @CsvSource({
    "core/coordinator, " + MESSAGES,
    "core/experiment, io/pyrometer/experiment/mistakes.properties",
    "core/journal, " + MESSAGES,
    "core/load, " + MESSAGES,
    "core/worker, " + MESSAGES,
    "plugins/chaos, " + MESSAGES,
    "plugins/jmh-caches, " + MESSAGES,
    "plugins/scenario, " + MESSAGES
  })
  void theMessagesOfAModuleReadAsTheyDid(String module, String file) throws IOException {
    Path resources = Path.of("../..", module, "src");
    Path golden = resources.resolve("test/resources/messages.golden");
    String rendered = String.join("\n", rendered(resources.resolve("main/resources/" + file)));
    if (Boolean.getBoolean("pyrometer.golden")) {
      Files.writeString(golden, rendered + "\n");
    }
    assertThat(golden)
        .as("regenerate it: ./mvnw test -pl core/cli -Dtest=WordingTest -Dpyrometer.golden=true")
        .hasContent(rendered);
  }

  private static List<String> rendered(Path file) throws IOException {
    Properties templates = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      templates.load(in);
    }
    Messages messages;
    try (Reader in = Files.newBufferedReader(file)) {
      messages = Messages.read(in);
    }
    List<String> lines = new ArrayList<>();
    for (String key : new TreeSet<>(templates.stringPropertyNames())) {
      boolean format = key.endsWith(".phrase") || file.endsWith("mistakes.properties");
      String text =
          format
              ? formatted(templates.getProperty(key))
              : messages.text(key, named(templates.getProperty(key))).orElseThrow();
      lines.add(key + ": " + text);
    }
    return lines;
  }

  private static Map<String, Value> named(String template) {
    Map<String, Value> values = new HashMap<>();
    NAME.matcher(template)
        .results()
        .map(name -> name.group(1))
        .forEach(name -> values.put(name, Value.name("<" + name + ">")));
    return values;
  }

  /** A template of {@link String#format} with letters for texts, 12,345 and 1.5 for numbers. */
  @SuppressWarnings("AnnotateFormatMethod")
  private static String formatted(String template) {
    List<Object> values = new ArrayList<>();
    for (MatchResult each : CONVERSION.matcher(template).results().toList()) {
      if (each.group(2) != null) {
        int place = each.group(1) == null ? values.size() : Integer.parseInt(each.group(1)) - 1;
        while (values.size() <= place) {
          values.add(String.valueOf((char) ('A' + values.size())));
        }
        switch (each.group(2)) {
          case "d" -> values.set(place, 12_345);
          case "f" -> values.set(place, 1.5);
          default -> {}
        }
      }
    }
    return values.isEmpty() ? template : String.format(Locale.ROOT, template, values.toArray());
  }
}
