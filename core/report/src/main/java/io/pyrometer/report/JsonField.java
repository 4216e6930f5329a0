package io.pyrometer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value of a JSON file that someone else wrote, with its place in it. Its methods return a field
 * of an object; they throw a {@link BadDataException} that names file and field if it is absent or
 * of another type. Lists and maps may be absent: they are empty then.
 *
 * @param name its path from the top of the file; empty for the whole file
 */
record JsonField(Path file, String name, JsonNode node) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The content of a file. */
  static JsonField read(Path file) {
    try {
      return new JsonField(file, "", JSON.readTree(Files.readAllBytes(file)));
    } catch (JsonProcessingException e) {
      String why = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ");
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw BadDataException.of("%s is not JSON, line %d: %s.", file, line, why);
    } catch (IOException e) {
      throw BadDataException.of("%s cannot be read (%s).", file, e.getClass().getSimpleName());
    }
  }

  JsonField at(String key) {
    return new JsonField(file, name.isEmpty() ? key : name + "." + key, node.path(key));
  }

  Optional<JsonField> find(String key) {
    return node.hasNonNull(key) ? Optional.of(at(key)) : Optional.empty();
  }

  JsonField require(String key, boolean right, String what) {
    return at(key).check(right, what);
  }

  private JsonField check(boolean right, String what) {
    if (!right) {
      throw BadDataException.of(
          "%s: '%s' must be %s; correct the file or move it out of the folder.",
          file, name.replaceAll("\\s+", " "), what);
    }
    return this;
  }

  String string(String key) {
    String text = anyString(key);
    require(key, !text.isBlank(), "a text");
    return text;
  }

  /** A text that may be empty. */
  String anyString(String key) {
    return require(key, node.path(key).isTextual(), "a text").node.asText();
  }

  /** A text that matches a pattern. */
  String string(String key, String pattern, String what) {
    JsonNode value = node.path(key);
    require(key, value.isTextual() && value.asText().matches(pattern), what);
    return value.asText();
  }

  boolean bool(String key) {
    return require(key, node.path(key).isBoolean(), "true or false").node.asBoolean();
  }

  long count(String key) {
    JsonNode value = node.path(key);
    boolean right = value.isIntegralNumber() && value.canConvertToLong() && value.asLong() >= 0;
    return require(key, right, "a count").node.asLong();
  }

  double real(String key) {
    JsonNode value = node.path(key);
    boolean right = value.isNumber() && Double.isFinite(value.asDouble());
    return require(key, right, "a number").node.asDouble();
  }

  Estimate estimate(String key) {
    JsonField e = at(key);
    double value = e.real("value");
    double low = e.real("low");
    double high = e.real("high");
    double confidence = e.real("confidence");
    int replicates = (int) Math.min(e.count("replicates"), Integer.MAX_VALUE);
    boolean right = low <= value && value <= high && confidence >= 0 && confidence < 1;
    require(key, right && replicates > 0, "a value in its interval, of at least one replicate");
    return new Estimate(value, low, high, confidence, replicates, e.anyString("unit"));
  }

  List<JsonField> list(String key) {
    List<JsonField> items = new ArrayList<>();
    if (find(key).isPresent()) {
      require(key, node.path(key).isArray(), "a list");
      for (JsonNode item : node.path(key)) {
        items.add(new JsonField(file, at(key).name + "[" + items.size() + "]", item));
      }
    }
    return items;
  }

  /** A field of a file that is complete with it alone. */
  List<JsonField> required(String key) {
    require(key, node.path(key).isArray(), "a list");
    return list(key);
  }

  List<String> texts(String key) {
    return list(key).stream()
        .map(item -> item.check(item.node.isTextual(), "a text").node.asText())
        .toList();
  }

  /** Texts by name, other values as JSON. */
  Map<String, String> textsByName(String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (find(key).isPresent()) {
      JsonField all = require(key, node.path(key).isObject(), "an object");
      all.node
          .fieldNames()
          .forEachRemaining(
              name -> {
                JsonNode value = all.node.path(name);
                texts.put(name, value.isTextual() ? value.asText() : value.toString());
              });
    }
    return texts;
  }
}
