package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.yaml.YamlNode.Items;
import io.pyrometer.experiment.yaml.YamlNode.Keys;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
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

  private final JsonNode schema = ExperimentSchema.form();
  private final Problems problems;

  Form(Problems problems) {
    this.problems = problems;
  }

  /** Reports every mistake of form in a file. */
  void check(YamlNode file) {
    check(file, schema, "experiment");
  }

  /** The number under a key of a map, else its default. */
  long number(YamlNode map, String key, String pointer) {
    JsonNode form = schema.at(pointer);
    return map.scalar(key)
        .flatMap(scalar -> SettingText.parse(description(key, form), scalar.text()))
        .map(number -> ((Number) number).longValue())
        .orElse(form.path("default").asLong());
  }

  /** Whether the flag under a key of a map is set. */
  static boolean flag(YamlNode map, String key) {
    return map.textOf(key)
        .flatMap(
            text -> SettingText.parse(SettingKey.flag(key, Scope.LOAD, false).description(), text))
        .filter(Boolean.TRUE::equals)
        .isPresent();
  }

  private void check(YamlNode node, JsonNode declared, String key) {
    List<JsonNode> alternatives = alternatives(declared);
    JsonNode form = chosen(node, alternatives);
    String what = form.path("title").asText("'" + key + "'");
    boolean several = alternatives.stream().filter(each -> kind(each).equals("scalar")).count() > 1;
    switch (kind(form)) {
      case "object" -> checkMap(node, form, alternatives, what);
      case "array" -> checkList(node, form, key, what);
      case "scalar" -> {
        if (!several) { // else a setting, which SettingsReader reads
          checkScalar(node, form, key, what);
        }
      }
      default -> {}
    }
  }

  /** The forms that a node may have, references resolved. */
  private List<JsonNode> alternatives(JsonNode declared) {
    JsonNode form = resolved(declared);
    for (String either : List.of("oneOf", "anyOf")) {
      if (form.has(either) && !form.has("type")) {
        List<JsonNode> all = new ArrayList<>();
        form.path(either).forEach(each -> all.addAll(alternatives(each)));
        return all;
      }
    }
    return List.of(form);
  }

  private JsonNode resolved(JsonNode declared) {
    return declared.has("$ref") ? schema.at(declared.path("$ref").asText().substring(1)) : declared;
  }

  /** Of the forms of a node's kind that whose keys the node has most of. */
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
    int common = 0;
    for (Pair pair : node.pairs()) {
      common += form.path("properties").has(pair.key().text()) ? 1 : 0;
    }
    for (JsonNode required : form.path("required")) {
      common += node.hasKey(required.asText()) ? 1 : 0;
    }
    return common;
  }

  private static String kind(JsonNode form) {
    String type = form.path("type").asText();
    return form.isEmpty() ? "any" : Set.of("object", "array").contains(type) ? type : "scalar";
  }

  private void checkMap(YamlNode node, JsonNode form, List<JsonNode> alternatives, String what) {
    if (!(node instanceof Keys)) {
      problems.add(node.at(), "%s must be a map; write it as 'key: value' pairs.", what);
      return;
    }
    List<String> known = new ArrayList<>();
    alternatives.forEach(each -> each.path("properties").fieldNames().forEachRemaining(known::add));
    JsonNode others = form.path("additionalProperties");
    Set<String> meant = new HashSet<>();
    for (Pair pair : node.pairs()) {
      String key = pair.key().text();
      boolean own = form.path("properties").has(key) && TrialKinds.ofKey(key).isEmpty();
      if (!own && form.has("allOf")) {
        continue; // a setting
      }
      if (own) {
        check(pair.value(), form.path("properties").path(key), key);
      } else if (others.isObject()) {
        checkPattern(pair.key(), form.path("propertyNames"));
        check(pair.value(), others, key);
      } else if (known.contains(key)) {
        String other =
            node.pairs().stream()
                .map(each -> each.key().text())
                .filter(form.path("properties")::has)
                .findFirst()
                .orElse(key);
        String sentence = "'%s' cannot be combined with '%s'; remove one.";
        problems.add(pair.key().at(), sentence, key, other);
      } else {
        problems.addUnknown("key", pair.key(), known, " in " + what);
        SpellingSuggestion.to(key, known).ifPresent(meant::add);
      }
    }
    for (JsonNode required : form.path("required")) {
      String key = required.asText();
      if (!node.hasKey(key) && !meant.contains(key)) {
        String example = example(form.path("properties").path(key));
        problems.add(node.at(), "'%s' is missing in %s; give one such as %s.", key, what, example);
      }
    }
    if (form.path("minProperties").asInt() > node.pairs().size()) {
      problems.add(node.at(), "%s is empty; give at least one key or remove it.", what);
    }
  }

  private void checkList(YamlNode node, JsonNode form, String key, String what) {
    int least = form.path("minItems").asInt();
    if (!(node instanceof Items) || node.items().size() < least) {
      String some = least == 0 ? "" : " of at least one";
      problems.add(node.at(), "%s must be a list%s; write %s.", what, some, example(form));
      return;
    }
    Set<String> seen = new HashSet<>();
    for (YamlNode item : node.items()) {
      check(item, form.path("items"), key);
      item.scalar()
          .filter(scalar -> form.path("uniqueItems").asBoolean() && !seen.add(scalar.text()))
          .ifPresent(
              twice -> problems.add(twice.at(), "'%s' is listed twice; remove one.", twice.text()));
    }
  }

  private void checkScalar(YamlNode node, JsonNode form, String key, String what) {
    Optional<Scalar> scalar = scalar(node, what, problems);
    if (scalar.isEmpty()) {
      return;
    }
    String text = scalar.get().text();
    SettingDescription description = description(key, form);
    if (form.has("const") && !text.equals(form.path("const").asText())) {
      String right = form.path("const").asText();
      problems.add(node.at(), "'%s: %s' is unknown; write '%s: %s'.", key, text, key, right);
    } else if (form.has("enum") && form.has("title")) {
      if (!description.choices().contains(text)) {
        String name = what.substring(what.indexOf(' ') + 1);
        problems.addUnknown(name, scalar.get(), description.choices(), "");
      }
    } else if (SettingText.parse(description, text).isEmpty()) {
      problems.add(node.at(), SettingText.sentence(description, text));
    }
    checkPattern(scalar.get(), form);
  }

  private void checkPattern(Scalar scalar, JsonNode form) {
    if (form.has("patternErrorMessage")
        && !scalar.text().matches("(?s)" + form.path("pattern").asText())) {
      problems.add(
          scalar.at(), "'%s' is %s", scalar.text(), form.path("patternErrorMessage").asText());
    }
  }

  /** A node as a scalar that is not empty; reports where it is not. */
  static Optional<Scalar> scalar(YamlNode node, String what, Problems problems) {
    if (node instanceof Scalar scalar) {
      if (scalar.empty()) {
        problems.add(node.at(), "%s has no value; give one or remove it.", what);
      }
    } else {
      String found = node instanceof Items ? "a list" : "a map";
      String remedy =
          what.startsWith("'")
              ? "write a single value, or compare several under 'factors'."
              : "write a single value.";
      problems.add(node.at(), "%s takes one value, not %s; %s", what, found, remedy);
    }
    return node.scalar();
  }

  private static SettingDescription description(String name, JsonNode form) {
    List<String> choices = new ArrayList<>();
    form.path("enum").forEach(choice -> choices.add(choice.asText()));
    double least = form.path("minimum").asDouble(-Double.MAX_VALUE);
    double most = form.path("maximum").asDouble(Double.MAX_VALUE);
    SettingKey<?> key =
        switch (form.has("enum") ? "enum" : form.path("type").asText()) {
          case "enum" -> SettingKey.choice(name, Scope.LOAD, choices.toArray(String[]::new));
          case "integer" ->
              SettingKey.decimal(name, SettingDescription.Type.INTEGER, Scope.LOAD, 0, least, most);
          case "number" ->
              SettingKey.decimal(name, SettingDescription.Type.DECIMAL, Scope.LOAD, 0, least, most);
          case "boolean" -> SettingKey.flag(name, Scope.LOAD, false);
          default -> SettingKey.text(name, Scope.LOAD);
        };
    return key.description();
  }

  /** The first example of a form, as a file would say it. */
  private String example(JsonNode declared) {
    JsonNode own = declared.path("examples");
    JsonNode example = (own.isMissingNode() ? resolved(declared).path("examples") : own).path(0);
    return example.isTextual() && example.asText().contains(" ")
        ? "'" + example.asText() + "'"
        : example.toString().replace("\"", "").replace(":", ": ").replace(",", ", ");
  }
}
