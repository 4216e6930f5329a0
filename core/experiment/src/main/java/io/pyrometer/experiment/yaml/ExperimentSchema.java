package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The JSON Schema (draft 2020-12) of experiment files. */
public final class ExperimentSchema {

  private static final double LARGEST = 0x1p53;

  /** The forms of settings by their types, without what a setting declares. */
  private static final JsonNode FORMS = resource("/schema/types.json");

  private ExperimentSchema() {}

  /** The schema with the settings of the core and of the drivers, for editors. */
  public static String of(List<DriverDescription> drivers) {
    ObjectNode schema = form();
    ObjectNode known = schema.withObject("/$defs/knownSettings").putObject("properties");
    declared(drivers).forEach((name, all) -> known.set(name, property(all)));
    examples(known, CoreSettings.DRIVER, drivers.stream().map(DriverDescription::name).toList());
    examples(
        known,
        CoreSettings.PATH,
        drivers.stream()
            .flatMap(driver -> driver.paths().stream())
            .map(PathDescription::name)
            .distinct()
            .toList());
    known
        .putObject("properties")
        .put("description", "Options of the product, under the product's own names.")
        .put("type", "object")
        .putObject("additionalProperties")
        .put("$ref", "#/$defs/value");
    // A setting that is declared has its own form, which may be a map or a list.
    for (String place : List.of("/properties/grid", "/properties/workload", "/$defs/settings")) {
      ObjectNode settings = schema.withObject(place);
      settings.set("unevaluatedProperties", settings.remove("additionalProperties"));
    }
    String telemetry = CoreSettings.TELEMETRY.name();
    schema.withObject("/properties").set(telemetry, known.get(telemetry));
    return schema.toPrettyString() + "\n";
  }

  private static void examples(ObjectNode known, SettingKey<?> key, List<String> values) {
    values.forEach(known.withObject("/" + key.name()).putArray("examples")::add);
  }

  /** The schema without settings, with what the declarations in the code add to it. */
  static ObjectNode form() {
    ObjectNode schema = (ObjectNode) resource("/schema/form.schema.json");
    names(schema.withObject("/properties/analyses/items"), AnalysisDeclaration.ids());
    ObjectNode equal = schema.withObject("/properties/equal/properties");
    for (SettingDescription term : EqualTerm.ALL) {
      String name = term.name().substring(EqualTerm.PREFIX.length());
      equal.set(name, property(Set.of(term)));
    }
    TrialKinds.all().forEach(kind -> add(kind, schema));
    return schema;
  }

  private static JsonNode resource(String name) {
    try {
      return Json.PRETTY.readTree(Catalogue.text(name));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every declaration by the setting's name; several where drivers or paths differ. */
  private static Map<String, Set<SettingDescription>> declared(List<DriverDescription> drivers) {
    List<SettingDescription> all = new ArrayList<>(CoreSettings.ALL);
    for (DriverDescription driver : drivers) {
      all.addAll(driver.settings());
      driver.paths().forEach(path -> all.addAll(path.settings()));
    }
    return all.stream()
        .collect(
            Collectors.groupingBy(
                SettingDescription::name,
                LinkedHashMap::new,
                Collectors.toCollection(LinkedHashSet::new)));
  }

  private static ObjectNode property(Set<SettingDescription> declarations) {
    SettingDescription first = declarations.iterator().next();
    ObjectNode property = Json.PRETTY.createObjectNode();
    property.put("description", first.summary());
    Set<JsonNode> forms = new LinkedHashSet<>();
    declarations.forEach(setting -> forms.add(form(setting)));
    if (forms.size() == 1) {
      property.setAll((ObjectNode) forms.iterator().next());
    } else {
      forms.forEach(property.putArray("anyOf")::add);
    }
    if (first.initial().isPresent()
        && declarations.stream().map(SettingText::initial).distinct().count() == 1) {
      property.put("default", SettingText.initial(first));
    }
    return property;
  }

  /** The key of a kind in the workload or in every case, in place of a record. */
  private static void add(TrialKind kind, ObjectNode schema) {
    ArrayNode forms = schema.withArray("/anyOf");
    ArrayNode workload = forms.get(0).withObject("/properties/workload").withArray("/anyOf");
    workload.addObject().putArray("required").add(kind.key());
    ObjectNode cases = forms.addObject();
    cases.putArray("required").add("cases");
    cases.withObject("/properties/cases/additionalProperties").putArray("required").add(kind.key());
    ObjectNode key = schema.withObject("/properties/workload/properties/" + kind.key());
    key.put("description", kind.description());
    if (kind.names().isEmpty()) {
      key.put("type", "string");
    } else {
      names(key, kind.names());
    }
  }

  private static ObjectNode form(SettingDescription setting) {
    ObjectNode form = FORMS.path(setting.type().name()).deepCopy();
    switch (setting.type()) {
      case INTEGER -> bounds(form.withObject("/anyOf/0"), setting);
      case DECIMAL -> bounds(form, setting);
      case CHOICE -> {
        Set<String> words = new LinkedHashSet<>(setting.choices());
        setting.choices().forEach(choice -> words.add(choice.toLowerCase(Locale.ROOT)));
        names(form, words);
        // YAML readers take these words for flags.
        words.stream()
            .filter(word -> word.equals("on") || word.equals("off"))
            .forEach(word -> form.withArray("enum").add(word.equals("on")));
      }
      case NAMES -> names(form.withObject("/anyOf/1/items"), setting.choices());
      case SHARES ->
          setting
              .choices()
              .forEach(
                  name ->
                      form.withObject("/anyOf/1/properties/" + name).put("$ref", "#/$defs/share"));
      default -> {}
    }
    return form;
  }

  private static void names(ObjectNode form, Iterable<String> words) {
    words.forEach(form.putArray("enum")::add);
  }

  private static void bounds(ObjectNode form, SettingDescription setting) {
    setting.least().ifPresent(least -> form.set("minimum", number(least)));
    setting.most().filter(most -> most < LARGEST).ifPresent(m -> form.set("maximum", number(m)));
  }

  private static JsonNode number(double value) {
    return value == Math.rint(value) ? LongNode.valueOf((long) value) : DoubleNode.valueOf(value);
  }
}
