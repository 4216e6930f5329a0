package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The checks of a file that compare several places of it. */
final class ExperimentValidation {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  private final ParsedExperiment parsed;
  private final Vocabulary vocabulary;
  private final Problems problems;

  ExperimentValidation(ParsedExperiment parsed, Vocabulary vocabulary, Problems problems) {
    this.parsed = parsed;
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  void check(List<YamlNode.Scalar> analyses) {
    checkSetOnce();
    parsed.record().filter(record -> record.className().isEmpty()).ifPresent(this::checkRecord);
    parsed.noServers().ifPresent(this::checkNoServers);
    boolean recordIsNamed = !parsed.record().equals(Optional.of(RecordShape.OF_EXISTING));
    new TreatmentValidation(
            vocabulary, problems, parsed::where, parsed.end(), parsed.attached(), recordIsNamed)
        .check(parsed.treatments(), parsed.pathMayBeLost());
    if (parsed.canBeExpanded()) {
      List<Treatment> treatments = parsed.treatments().expand();
      checkHeeded(treatments);
      checkEffective(treatments);
      checkNeeds(treatments);
      List<PlannedTreatment> planned =
          treatments.stream()
              .map(each -> new PlannedTreatment(each.levels(), each.settings(), job(each)))
              .toList();
      analyses.forEach(analysis -> checkAnalysis(analysis, planned));
    }
  }

  private void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (PlacedFactor factor : parsed.factors()) {
      Set<String> mine = new TreeSet<>();
      factor.levels().forEach(level -> mine.addAll(level.settings().at().keySet()));
      for (String setting : mine) {
        checkNotElsewhere(factor, setting, owner.putIfAbsent(setting, factor.name()));
      }
    }
  }

  private void checkNotElsewhere(PlacedFactor factor, String setting, @Nullable String other) {
    if (other != null) {
      problems.add(
          factor.at(),
          "the factors '%s' and '%s' both set '%s'; leave it to one of them."
              .formatted(other, factor.name(), setting));
    }
    Position before = parsed.base().at().get(setting);
    if (before != null && !factor.levels().isEmpty() && factor.alwaysSets(setting)) {
      problems.add(
          before,
          "'%s' is set here and by factor '%s', whose levels all set it; remove it here."
              .formatted(setting, factor.name()));
    }
  }

  private void checkNoServers(String why) {
    for (Placed placed : parsed.allSettings()) {
      placed
          .at()
          .forEach(
              (name, at) -> {
                if (vocabulary.setting(name).filter(s -> s.traits().ofServers()).isPresent()) {
                  problems.add(
                      at, "'" + name + "' belongs to nodes that Pyrometer starts, and " + why);
                }
              });
    }
  }

  /** A setting that no path of the experiment heeds misleads its reader. */
  private void checkHeeded(List<Treatment> treatments) {
    if (treatments.isEmpty()) {
      problems.add(
          parsed.end(), "the exceptions of 'design' leave out every treatment; remove one.");
      return;
    }
    Set<String> heeded = new HashSet<>();
    for (Treatment treatment : treatments) {
      Optional<DriverVocabulary> driver = vocabulary.of(treatment.settings());
      Optional<PathDescription> path =
          driver.flatMap(own -> treatment.settings().find(CoreSettings.PATH).flatMap(own::path));
      if (path.isEmpty()) {
        return;
      }
      heeded.addAll(driver.get().heededBy(path.get()).keySet());
    }
    for (Placed placed : parsed.outsideFactors()) {
      placed
          .at()
          .forEach(
              (name, at) -> {
                if (!heeded.contains(name)) {
                  problems.add(
                      at,
                      "'%s' has no effect, because no path of this experiment uses it; remove it%s."
                          .formatted(
                              name,
                              vocabulary.heeding(name).stream()
                                  .findFirst()
                                  .map(path -> ", or add a path such as " + path)
                                  .orElse("")));
                }
              });
    }
  }

  /** A value that must be below another setting's, and is in no treatment, claims what is not. */
  private void checkEffective(List<Treatment> treatments) {
    if (parsed.noServers().isPresent()) {
      return;
    }
    for (Placed placed : parsed.allSettings()) {
      placed
          .at()
          .forEach(
              (name, at) ->
                  vocabulary
                      .setting(name)
                      .flatMap(setting -> setting.traits().below())
                      .filter(other -> !everBelow(name, placed.settings(), other, treatments))
                      .ifPresent(
                          other ->
                              problems.add(
                                  at,
                                  "'%s' must be below '%s' to take effect, and %s is not in any treatment; lower it."
                                      .formatted(name, other, placed.settings().text(name)))));
    }
  }

  /** A setting whose need no treatment fulfils would claim an effect that it cannot have. */
  private void checkNeeds(List<Treatment> treatments) {
    for (Placed placed : parsed.allSettings()) {
      placed
          .at()
          .forEach(
              (name, at) ->
                  vocabulary
                      .setting(name)
                      .flatMap(setting -> setting.traits().needs())
                      .filter(needs -> !everFulfilled(name, placed.settings(), needs, treatments))
                      .ifPresent(
                          needs ->
                              problems.add(
                                  at,
                                  "'%s' has no effect, because it needs %s and no treatment has that; set it, or remove '%s'."
                                      .formatted(name, needs.words(), name))));
    }
  }

  private boolean everFulfilled(
      String name, Settings given, Needs needs, List<Treatment> treatments) {
    @Nullable Object value = given.values().get(name);
    List<Settings> own =
        treatments.stream()
            .map(Treatment::settings)
            .filter(settings -> Objects.equals(settings.values().get(name), value))
            .toList();
    return own.isEmpty() || own.stream().anyMatch(settings -> fulfilled(needs, settings));
  }

  private boolean fulfilled(Needs needs, Settings settings) {
    Optional<Object> given = Optional.ofNullable(settings.values().get(needs.setting()));
    return given.or(() -> initial(needs.setting(), settings)).map(needs::fulfilledBy).orElse(true);
  }

  /** The default of a setting for a treatment's driver and path. */
  private Optional<Object> initial(String name, Settings settings) {
    Optional<DriverVocabulary> driver = vocabulary.of(settings);
    return driver
        .flatMap(own -> settings.find(CoreSettings.PATH).flatMap(own::path).map(own::heededBy))
        .map(heeded -> heeded.get(name))
        .flatMap(SettingDescription::initial);
  }

  private boolean everBelow(String name, Settings given, String other, List<Treatment> treatments) {
    @Nullable Object value = given.values().get(name);
    List<Settings> own =
        treatments.stream()
            .map(Treatment::settings)
            .filter(settings -> settings.has(name))
            .filter(settings -> Objects.equals(settings.values().get(name), value))
            .toList();
    return own.isEmpty()
        || own.stream().anyMatch(settings -> given.decimal(name) < numberOf(other, settings));
  }

  private double numberOf(String name, Settings settings) {
    if (settings.has(name)) {
      return settings.decimal(name);
    }
    return vocabulary
        .setting(name)
        .flatMap(SettingDescription::initial)
        .map(initial -> ((Number) initial).doubleValue())
        .orElse(Double.POSITIVE_INFINITY);
  }

  private void checkRecord(RecordShape record) {
    List<String> fields = record.fields().stream().map(FieldShape::name).toList();
    List<String> numeric =
        record.fields().stream()
            .filter(field -> NUMERIC.contains(field.type()))
            .map(FieldShape::name)
            .toList();
    boolean filler = record.fields().stream().anyMatch(FieldShape::filler);
    for (Placed placed : parsed.allSettings()) {
      Position bytes = placed.at().get(CoreSettings.BYTES.name());
      if (bytes != null && !filler) {
        problems.add(
            bytes,
            "'bytes' pads a record's filler field, and '%s' has none; mark a string or bytes field with 'filler: true'."
                .formatted(record.name()));
      }
      fieldsNamed(placed, CoreSettings.AGGREGATE, numeric, "numeric field", record);
      fieldsNamed(placed, CoreSettings.UPDATE_FIELD, fields, "field", record);
    }
  }

  private void fieldsNamed(
      Placed placed,
      SettingKey<String> setting,
      Collection<String> known,
      String what,
      RecordShape record) {
    Position at = placed.at().get(setting.name());
    if (at != null) {
      for (String field : placed.settings().get(setting).split(",", -1)) {
        String name = field.strip();
        if (!known.contains(name)) {
          problems.add(
              at,
              "'%s' names '%s', which is not a %s of '%s'; %s"
                  .formatted(
                      setting.name(),
                      name,
                      what,
                      record.name(),
                      SpellingSuggestion.hint(name, known)));
        }
      }
    }
  }

  private void checkAnalysis(YamlNode.Scalar analysis, List<PlannedTreatment> treatments) {
    AnalysisDeclaration.find(analysis.text())
        .flatMap(declared -> declared.unmet(treatments))
        .ifPresent(sentence -> problems.add(analysis.at(), sentence));
  }

  private Optional<Job> job(Treatment treatment) {
    return vocabulary
        .of(treatment.settings())
        .flatMap(own -> treatment.settings().find(CoreSettings.PATH).flatMap(own::path))
        .map(PathDescription::job);
  }
}
