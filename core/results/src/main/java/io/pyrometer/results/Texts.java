package io.pyrometer.results;

import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Texts of pages that are no findings, from the message file: {@code KEY.phrase}. Sections and
 * tables have their title, lead and reason for absent figures under their key.
 */
public final class Texts {
  private Texts() {}

  /**
   * The text of a key.
   *
   * @param values named 0, 1 and so on in the text
   * @throws IllegalArgumentException if no file has the key: a mistake of the program
   */
  public static String of(String key, Object... values) {
    Map<String, Value> named = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      named.put(String.valueOf(i), Value.name(String.valueOf(values[i])));
    }
    return Messages.bundled()
        .text(key + ".phrase", named)
        .orElseThrow(() -> new IllegalArgumentException("No message has the key " + key));
  }

  /** A section with the title {@code KEY.title}; its id is the last segment of the key. */
  public static Section section(String key, Figure... figures) {
    return section(key, of(key + ".lead"), List.of(figures));
  }

  /** A section with a lead of its own. */
  public static Section section(String key, String lead, List<Figure> figures) {
    return new Section(key.substring(key.lastIndexOf('.') + 1), of(key + ".title"), lead, figures);
  }

  /** A table whose absent figures are explained by {@code KEY.absent}. */
  public static <R> MetricTable<R> table(String key) {
    return new MetricTable<>(of(key + ".absent"));
  }
}
