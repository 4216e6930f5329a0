package io.pyrometer.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The part of EDN (github.com/edn-format/edn) that histories of Jepsen use. Values are {@link
 * Long}, {@link Double}, {@link Boolean}, {@link String}, {@link Keyword}, {@link #NIL}, and {@link
 * List}, {@link Set} and {@link Map} of them; symbols become keywords, and the tags of tagged
 * values are ignored.
 */
public final class Edn {
  /** The value {@code nil}. */
  public static final Object NIL =
      new Object() {
        @Override
        public String toString() {
          return "nil";
        }
      };

  private static final String DELIMITERS = "()[]{}\";";

  private final String text;
  private int at;

  /** A name such as {@code :invoke}, without the colon. */
  public record Keyword(String name) {}

  private Edn(String text) {
    this.text = text;
  }

  /**
   * All values of a text, one after another.
   *
   * @throws IllegalArgumentException with one sentence if the text is no EDN
   */
  public static List<Object> readAll(String text) {
    Edn reader = new Edn(text);
    List<Object> values = new ArrayList<>();
    reader.skipBlank();
    while (reader.at < text.length()) {
      values.add(reader.value());
      reader.skipBlank();
    }
    return values;
  }

  private void skipBlank() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == ';') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(next) || next == ',') {
        at++;
      } else if (text.startsWith("#_", at)) {
        at += 2;
        Object unused = value();
      } else {
        return;
      }
    }
  }

  private Object value() {
    skipBlank();
    char next = peek();
    return switch (next) {
      case '(' -> sequence(')');
      case '[' -> sequence(']');
      case '{' -> map();
      case '"' -> string();
      case '#' -> dispatch();
      case ')', ']', '}' -> throw invalid("an unexpected '" + next + "'");
      default -> atom();
    };
  }

  private char peek() {
    if (at >= text.length()) {
      throw invalid("an unexpected end");
    }
    return text.charAt(at);
  }

  private IllegalArgumentException invalid(String what) {
    long line =
        1 + text.substring(0, Math.min(at, text.length())).chars().filter(c -> c == '\n').count();
    return new IllegalArgumentException("Invalid EDN: %s in line %d.".formatted(what, line));
  }

  private List<Object> sequence(char end) {
    at++;
    List<Object> values = new ArrayList<>();
    skipBlank();
    while (peek() != end) {
      values.add(value());
      skipBlank();
    }
    at++;
    return List.copyOf(values);
  }

  private Map<Object, Object> map() {
    List<Object> flat = sequence('}');
    if (flat.size() % 2 != 0) {
      throw invalid("a map with a key without a value");
    }
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < flat.size(); i += 2) {
      map.put(flat.get(i), flat.get(i + 1));
    }
    return map;
  }

  private Object dispatch() {
    at++;
    if (peek() == '{') {
      return new LinkedHashSet<>(sequence('}'));
    }
    Object unused = atom();
    return value();
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    at++;
    while (peek() != '"') {
      char next = text.charAt(at++);
      if (next == '\\') {
        char escaped = peek();
        at++;
        next =
            switch (escaped) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> escaped;
            };
      }
      string.append(next);
    }
    at++;
    return string.toString();
  }

  private Object atom() {
    int from = at;
    while (at < text.length()
        && !Character.isWhitespace(text.charAt(at))
        && text.charAt(at) != ','
        && DELIMITERS.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String token = text.substring(from, at);
    switch (token) {
      case "nil" -> {
        return NIL;
      }
      case "true" -> {
        return true;
      }
      case "false" -> {
        return false;
      }
      case "" -> throw invalid("an unexpected '" + peek() + "'");
      default -> {}
    }
    if (token.startsWith(":")) {
      return new Keyword(token.substring(1));
    }
    char first = token.charAt(token.length() > 1 && "+-".indexOf(token.charAt(0)) >= 0 ? 1 : 0);
    if (!Character.isDigit(first)) {
      return new Keyword(token);
    }
    try {
      return Long.parseLong(token.endsWith("N") ? token.substring(0, token.length() - 1) : token);
    } catch (NumberFormatException noInteger) {
      return number(token);
    }
  }

  private Double number(String token) {
    try {
      return Double.parseDouble(
          token.endsWith("M") ? token.substring(0, token.length() - 1) : token);
    } catch (NumberFormatException noNumber) {
      throw invalid("'" + token + "', which is no number,");
    }
  }

  /** The text of a value. */
  public static String print(Object value) {
    if (value instanceof Keyword keyword) {
      return ":" + keyword.name();
    }
    if (value instanceof String string) {
      return '"'
          + string
              .replace("\\", "\\\\")
              .replace("\"", "\\\"")
              .replace("\n", "\\n")
              .replace("\t", "\\t")
              .replace("\r", "\\r")
          + '"';
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> print(entry.getKey()) + " " + print(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof Set<?> set) {
      return set.stream().map(Edn::print).collect(Collectors.joining(" ", "#{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Edn::print).collect(Collectors.joining(" ", "[", "]"));
    }
    return String.valueOf(value);
  }
}
