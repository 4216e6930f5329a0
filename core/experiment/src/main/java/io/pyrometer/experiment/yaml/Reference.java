package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is generated from the declarations of settings and paths: the JSON Schema of experiment
 * files, and the reference page.
 */
public final class Reference {

  private static final double LARGEST = 0x1p53;

  private Reference() {}

  /**
   * The JSON Schema (draft 2020-12) of experiment files: the form of the file, with the settings of
   * the core and of the drivers.
   */
  public static String schema(List<DriverDescription> drivers) {
    try {
      ObjectNode schema = (ObjectNode) Json.PRETTY.readTree(BundledRecords.form());
      ObjectNode known = schema.withObject("/$defs/knownSettings").putObject("properties");
      declared(drivers).forEach((name, all) -> known.set(name, property(name, all, drivers)));
      names(schema.withObject("/properties/analyses/items"), AnalysisDeclaration.ids());
      TrialKinds.all().forEach(kind -> add(kind, schema));
      ObjectNode form = schema.withObject("/properties");
      form.set(CoreSettings.TELEMETRY.name(), known.get(CoreSettings.TELEMETRY.name()));
      for (SettingDescription ofForm : List.of(Replication.BLOCKS, ExperimentAssembly.SEED)) {
        form.set(ofForm.name(), property(ofForm.name(), Set.of(ofForm), drivers));
      }
      SettingDescription runs = DesignReader.RUNS;
      schema.withObject("/$defs").set("runs", property(runs.name(), Set.of(runs), drivers));
      return Json.PRETTY.writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every declaration by the setting's name; several where drivers or paths differ. */
  private static Map<String, Set<SettingDescription>> declared(List<DriverDescription> drivers) {
    Map<String, Set<SettingDescription>> all = new LinkedHashMap<>();
    CoreSettings.ALL.forEach(setting -> add(setting, all));
    for (DriverDescription driver : drivers) {
      driver.settings().forEach(setting -> add(setting, all));
      driver.paths().forEach(path -> path.settings().forEach(setting -> add(setting, all)));
    }
    return all;
  }

  private static void add(SettingDescription setting, Map<String, Set<SettingDescription>> all) {
    all.computeIfAbsent(setting.name(), name -> new LinkedHashSet<>()).add(setting);
  }

  private static ObjectNode property(
      String name, Set<SettingDescription> declarations, List<DriverDescription> drivers) {
    SettingDescription first = declarations.iterator().next();
    ObjectNode property = Json.PRETTY.createObjectNode();
    property.put("description", first.summary());
    Set<JsonNode> forms = new LinkedHashSet<>();
    declarations.forEach(setting -> forms.add(form(setting)));
    if (forms.size() == 1) {
      property.setAll((ObjectNode) forms.iterator().next());
    } else {
      ArrayNode anyOf = property.putArray("anyOf");
      forms.forEach(anyOf::add);
    }
    Set<String> defaults = new LinkedHashSet<>();
    declarations.forEach(setting -> defaults.add(SettingText.initial(setting)));
    if (defaults.size() == 1 && first.initial().isPresent()) {
      property.put("default", SettingText.initial(first));
    }
    if (name.equals(CoreSettings.DRIVER.name())) {
      examples(property, drivers.stream().map(DriverDescription::name).toList());
    }
    if (name.equals(CoreSettings.PATH.name())) {
      examples(
          property,
          drivers.stream()
              .flatMap(driver -> driver.paths().stream())
              .map(PathDescription::name)
              .distinct()
              .toList());
    }
    return property;
  }

  /** The key of a kind in the workload or in every case, in place of a record. */
  private static void add(TrialKind kind, ObjectNode schema) {
    ArrayNode forms = schema.withArray("/anyOf");
    forms
        .get(0)
        .withObject("/properties/workload")
        .withArray("/anyOf")
        .addObject()
        .putArray("required")
        .add(kind.key());
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

  private static void examples(ObjectNode property, List<String> values) {
    values.forEach(property.putArray("examples")::add);
  }

  private static ObjectNode form(SettingDescription setting) {
    ObjectNode form = Json.PRETTY.createObjectNode();
    switch (setting.type()) {
      case INTEGER -> {
        ArrayNode anyOf = form.putArray("anyOf");
        bounds(anyOf.addObject().put("type", "integer"), setting);
        anyOf.addObject().put("type", "string").put("pattern", "^[0-9][0-9_]*$");
      }
      case DECIMAL -> bounds(form.put("type", "number"), setting);
      case BYTES, SECONDS, SHARE, RATE ->
          form.put("$ref", "#/$defs/" + setting.type().name().toLowerCase(Locale.ROOT));
      case FLAG -> form.put("$ref", "#/$defs/flag");
      case CHOICE -> {
        Set<String> words = new LinkedHashSet<>(setting.choices());
        setting.choices().forEach(choice -> words.add(choice.toLowerCase(Locale.ROOT)));
        names(form, words);
        // YAML readers take these words for flags.
        words.stream()
            .filter(word -> word.equals("on") || word.equals("off"))
            .forEach(word -> ((ArrayNode) form.path("enum")).add(word.equals("on")));
      }
      case NAMES -> {
        ArrayNode anyOf = form.putArray("anyOf");
        anyOf.addObject().put("type", "string");
        names(anyOf.addObject().put("type", "array").putObject("items"), setting.choices());
      }
      case STEPS -> {
        ArrayNode anyOf = form.putArray("anyOf");
        anyOf.addObject().put("type", "string");
        anyOf.addObject().put("type", "array").putObject("items").put("type", "string");
      }
      case TEXT, DISTRIBUTION -> form.put("type", "string");
    }
    return form;
  }

  private static void names(ObjectNode form, Iterable<String> words) {
    words.forEach(form.putArray("enum")::add);
  }

  private static void bounds(ObjectNode form, SettingDescription setting) {
    setting.least().ifPresent(least -> bound(form, "minimum", least));
    setting.most().filter(most -> most < LARGEST).ifPresent(most -> bound(form, "maximum", most));
  }

  private static void bound(ObjectNode form, String name, double value) {
    if (value == Math.rint(value)) {
      form.put(name, (long) value);
    } else {
      form.put(name, value);
    }
  }

  /** The reference page of all settings and paths, Markdown. */
  public static String page(List<DriverDescription> drivers) {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Settings

        Generated from the declarations in the source by `./pyrometer list --markdown`. `pyrometer list DRIVER` shows the same in a
        terminal; [experiments](experiments.md) says where settings stand in a file and how values are written.

        ## Of every driver
        """);
    for (SettingDescription.Scope scope : SettingDescription.Scope.values()) {
      page.append("\n### Scope ").append(scope.name().toLowerCase(Locale.ROOT)).append("\n\n");
      table(page, SettingTable.ofCore().stream().filter(row -> row.scope() == scope).toList());
    }
    for (DriverDescription driver : drivers) {
      page.append("\n## Driver `%s`: %s\n\n".formatted(driver.name(), driver.product()));
      page.append(driver.summary()).append("\n\n### Paths\n\n");
      page.append("| path | job | what it does |\n|---|---|---|\n");
      for (PathDescription path : driver.paths()) {
        page.append(line(List.of("`" + path.name() + "`", path.job().id(), path.summary())));
      }
      section(page, "Settings of all paths", SettingTable.of(driver));
      section(page, "Settings of some paths", SettingTable.ofPaths(driver));
    }
    return page.toString();
  }

  private static void section(StringBuilder page, String title, List<SettingTable.Row> rows) {
    if (!rows.isEmpty()) {
      page.append("\n### ").append(title).append("\n\n");
      table(page, rows);
    }
  }

  private static void table(StringBuilder page, List<SettingTable.Row> rows) {
    page.append(line(SettingTable.COLUMNS));
    page.append("|---".repeat(SettingTable.COLUMNS.size())).append("|\n");
    for (SettingTable.Row row : rows) {
      List<String> cells = new ArrayList<>(row.cells());
      cells.set(0, "`" + row.name() + "`");
      page.append(line(cells));
    }
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
