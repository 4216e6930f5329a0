package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.yaml.YamlNode.Items;
import io.pyrometer.experiment.yaml.YamlNode.Keys;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Traits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks files against the JSON Schema of experiments, which is the one declaration of every key:
 * its type, its bounds, its default and what it means. Editors use the same schema. What only the
 * meaning of several keys can tell is left to those who read them.
 *
 * <p>The keywords understood are those that the schema uses: {@code type}, {@code properties},
 * {@code additionalProperties}, {@code propertyNames}, {@code required}, {@code minProperties},
 * {@code items}, {@code minItems}, {@code uniqueItems}, {@code enum}, {@code const}, {@code
 * minimum}, {@code maximum}, {@code pattern}, {@code oneOf}, {@code anyOf} and {@code $ref}. A
 * {@code title} names a thing in messages, {@code examples} show what to write, and {@code
 * patternErrorMessage} continues "X is …". A map with {@code allOf} takes settings besides its own
 * properties; they are read by {@link SettingsReader}.
 */
final class Form {
  private static final JsonNode SCHEMA = ExperimentSchema.form();
  private static final Map<String, SettingDescription.Type> TYPES =
      Map.of(
          "integer",
          SettingDescription.Type.INTEGER,
          "number",
          SettingDescription.Type.DECIMAL,
          "boolean",
          SettingDescription.Type.FLAG);

  private Form() {}

  /**
   * @throws ExperimentException at the first mistake of form
   */
  static void check(YamlNode file) {
    check(file, SCHEMA, "experiment");
  }

  /** The number under a key of a map, else its default. */
  static long number(YamlNode map, String key, String pointer) {
    JsonNode form = SCHEMA.at(pointer);
    return map.value(key)
        .map(node -> value(description(key, form), scalar(node, "'" + key + "'")))
        .map(number -> ((Number) number).longValue())
        .orElse(form.path("default").asLong());
  }

  /** Checks whether the flag under a key of a map is set. */
  static boolean flag(YamlNode map, String key) {
    return map.textOf(key).filter(SettingText::isOn).isPresent();
  }

  private static void check(YamlNode node, JsonNode declared, String key) {
    List<JsonNode> alternatives = alternatives(declared);
    JsonNode form = chosen(node, alternatives);
    String what = form.path("title").asText("'" + key + "'");
    boolean several = alternatives.stream().filter(each -> kind(each).equals("scalar")).count() > 1;
    String kind = kind(form);
    if (kind.equals("object")) {
      checkMap(node, form, alternatives, what);
    } else if (kind.equals("array")) {
      checkList(node, form, key, what);
    } else if (kind.equals("scalar") && !several) { // else a setting, which SettingsReader reads
      checkScalar(node, form, key, what);
    }
  }

  /** The forms that a node may have, references resolved. */
  private static List<JsonNode> alternatives(JsonNode declared) {
    JsonNode form = resolved(declared);
    for (String either : List.of("oneOf", "anyOf")) {
      if (form.has(either) && !form.hasNonNull("type")) {
        List<JsonNode> all = new ArrayList<>();
        form.path(either).forEach(each -> all.addAll(alternatives(each)));
        return all;
      }
    }
    return List.of(form);
  }

  private static JsonNode resolved(JsonNode declared) {
    return declared.has("$ref") ? SCHEMA.at(declared.path("$ref").asText().substring(1)) : declared;
  }

  /** The form of a node's kind whose keys the node has most of. */
  private static JsonNode chosen(YamlNode node, List<JsonNode> alternatives) {
    String kind = node instanceof Keys ? "object" : node instanceof Items ? "array" : "scalar";
    Comparator<JsonNode> byKeys = Comparator.comparingInt(form -> common(node, form));
    return alternatives.stream()
        .filter(form -> kind(form).equals(kind))
        .max(byKeys.thenComparingInt(form -> -alternatives.indexOf(form)))
        .orElse(alternatives.get(0));
  }

  /** The keys that a node and a form have in common; required ones count twice. */
  private static int common(YamlNode node, JsonNode form) {
    List<String> keys = new ArrayList<>();
    form.path("properties").fieldNames().forEachRemaining(keys::add);
    form.path("required").forEach(required -> keys.add(required.asText()));
    return (int) keys.stream().filter(node::hasKey).count();
  }

  private static String kind(JsonNode form) {
    String type = form.path("type").asText();
    return form.isEmpty() ? "any" : Set.of("object", "array").contains(type) ? type : "scalar";
  }

  private static void checkMap(
      YamlNode node, JsonNode form, List<JsonNode> alternatives, String what) {
    node.refuseIf(!(node instanceof Keys), "form.not-a-map", what);
    JsonNode others = form.path("additionalProperties");
    boolean settings = form.hasNonNull("allOf"); // SettingsReader reads them
    for (Pair pair : node.pairs()) {
      String key = pair.key().text();
      if (form.path("properties").has(key) && TrialKinds.ofKey(key).isEmpty()) {
        check(pair.value(), form.path("properties").path(key), key);
      } else if (others.isObject() && !settings) {
        checkPattern(pair.key(), form.path("propertyNames"));
        check(pair.value(), others, key);
      } else if (!settings) {
        throw misplaced(pair.key(), node, form, alternatives, what);
      }
    }
    for (JsonNode required : form.path("required")) {
      String key = required.asText();
      String example = example(form.path("properties").path(key));
      node.refuseIf(!node.hasKey(key), "form.missing", key, what, example);
    }
    node.refuseIf(form.path("minProperties").asInt() > node.pairs().size(), "form.empty-map", what);
  }

  private static ExperimentException misplaced(
      Scalar key, YamlNode node, JsonNode form, List<JsonNode> alternatives, String what) {
    List<String> known = new ArrayList<>();
    alternatives.forEach(each -> each.path("properties").fieldNames().forEachRemaining(known::add));
    return node.pairs().stream()
        .map(each -> each.key().text())
        .filter(other -> known.contains(key.text()) && form.path("properties").has(other))
        .findFirst()
        .map(other -> key.problem("form.not-combined", key.text(), other))
        .orElseGet(() -> key.unknown("key", known, " in " + what));
  }

  private static void checkList(YamlNode node, JsonNode form, String key, String what) {
    int least = form.path("minItems").asInt();
    boolean wrong = !(node instanceof Items) || node.items().size() < least;
    String some = least == 0 ? "" : " of at least one";
    node.refuseIf(wrong, "form.not-a-list", what, some, example(form));
    Set<String> seen = new HashSet<>();
    for (YamlNode item : node.items()) {
      check(item, form.path("items"), key);
      if (form.path("uniqueItems").asBoolean() && !seen.add(scalar(item, what).text())) {
        throw item.problem("form.listed-twice", scalar(item, what).text());
      }
    }
  }

  private static void checkScalar(YamlNode node, JsonNode form, String key, String what) {
    Scalar scalar = scalar(node, what);
    String text = scalar.text();
    SettingDescription description = description(key, form);
    String only = form.path("const").asText(text);
    node.refuseIf(!text.equals(only), "form.not-this-value", key, text, key, only);
    if (form.hasNonNull("enum") && form.hasNonNull("title")) {
      scalar.oneOf(description.choices(), what.substring(what.indexOf(' ') + 1), "");
    } else {
      Object unused = value(description, scalar);
    }
    checkPattern(scalar, form);
  }

  private static Object value(SettingDescription setting, Scalar scalar) {
    return SettingText.parse(setting, scalar.text())
        .orElseThrow(() -> scalar.at().says(SettingText.sentence(setting, scalar.text())));
  }

  private static void checkPattern(Scalar scalar, JsonNode form) {
    String message = form.path("patternErrorMessage").asText();
    scalar.refuseIf(
        !message.isEmpty() && !scalar.text().matches("(?s)" + form.path("pattern").asText()),
        "form.pattern",
        scalar.text(),
        message);
  }

  /**
   * @throws ExperimentException if the node is no scalar, or empty
   */
  static Scalar scalar(YamlNode node, String what) {
    if (!(node instanceof Scalar scalar)) {
      String found = node instanceof Items ? "a list" : "a map";
      String several = what.startsWith("'") ? ", or compare several under 'factors'" : "";
      throw node.problem("form.not-one-value", what, found, several);
    }
    node.refuseIf(scalar.empty(), "form.no-value", what);
    return scalar;
  }

  /** A scalar as a setting, whose values are read and described. */
  private static SettingDescription description(String name, JsonNode form) {
    List<String> choices = new ArrayList<>();
    form.path("enum").forEach(choice -> choices.add(choice.asText()));
    return new SettingDescription(
        name,
        choices.isEmpty()
            ? TYPES.getOrDefault(form.path("type").asText(), SettingDescription.Type.TEXT)
            : SettingDescription.Type.CHOICE,
        Scope.LOAD,
        Optional.empty(),
        choices,
        Optional.of(form.path("minimum")).filter(JsonNode::isNumber).map(JsonNode::asDouble),
        Optional.of(form.path("maximum")).filter(JsonNode::isNumber).map(JsonNode::asDouble),
        "",
        Traits.NONE);
  }

  /** The first example of a form, as a file would say it. */
  private static String example(JsonNode declared) {
    JsonNode own = declared.path("examples");
    JsonNode example = (own.isMissingNode() ? resolved(declared).path("examples") : own).path(0);
    return example.isTextual() && example.asText().contains(" ")
        ? "'" + example.asText() + "'"
        : example.toString().replace("\"", "").replace(":", ": ").replace(",", ", ");
  }
}
