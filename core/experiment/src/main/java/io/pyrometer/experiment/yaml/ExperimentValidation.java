package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checks of a file that compare several places of it. */
record ExperimentValidation(ParsedExperiment parsed, Vocabulary vocabulary) {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  /** The treatments of the design, all of which can be run. */
  List<Treatment> check(List<Scalar> analyses) {
    checkSetOnce();
    if (parsed.record().className().isEmpty()) {
      checkRecord(parsed.record());
    }
    List<Treatment> treatments =
        new TreatmentValidation(
                vocabulary,
                parsed::where,
                parsed.end(),
                parsed.attached(),
                !parsed.record().equals(RecordShape.OF_EXISTING))
            .check(parsed.treatments());
    parsed.allSettings().forEach(placed -> checkSettings(placed, treatments));
    checkUsed(treatments);
    List<PlannedTreatment> planned =
        treatments.stream()
            .map(
                each ->
                    new PlannedTreatment(
                        each.levels(),
                        each.settings(),
                        vocabulary.path(each.settings()).map(PathDescription::job)))
            .toList();
    for (Scalar analysis : analyses) {
      AnalysisDeclaration.find(analysis.text())
          .flatMap(declared -> declared.unmet(planned))
          .ifPresent(
              sentence -> {
                throw analysis.at().says(sentence);
              });
    }
    return treatments;
  }

  private void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (PlacedFactor factor : parsed.factors()) {
      Set<String> mine = new TreeSet<>();
      factor.levels().forEach(level -> mine.addAll(level.settings().at().keySet()));
      for (String setting : mine) {
        String other = owner.putIfAbsent(setting, factor.name());
        if (other != null) {
          throw factor.at().problem("factors.both-set", other, factor.name(), setting);
        }
        Position before = parsed.base().at().get(setting);
        if (before != null && !factor.levels().isEmpty() && factor.alwaysSets(setting)) {
          throw before.problem("factors.always-set", setting, factor.name());
        }
      }
    }
  }

  /** A setting that no path of the experiment uses misleads its reader. */
  private void checkUsed(List<Treatment> treatments) {
    if (treatments.isEmpty()) {
      throw parsed.end().problem("design.leaves-none");
    }
    Set<String> used = new HashSet<>();
    for (Treatment treatment : treatments) {
      Map<String, SettingDescription> own = vocabulary.heededBy(treatment.settings());
      if (own.isEmpty()) {
        return;
      }
      used.addAll(own.keySet());
      treatment.settings().values().keySet().stream()
          .filter(name -> vocabulary.heeded(treatment.settings(), name).isPresent())
          .forEach(used::add);
    }
    for (Placed placed : parsed.outsideFactors().toList()) {
      placed
          .at()
          .forEach(
              (name, at) -> {
                if (!used.contains(name)) {
                  addUnused(name, at);
                } else if (placed.equals(parsed.base())) {
                  checkShared(name, at, treatments);
                }
              });
    }
  }

  /** A condition that some grids alone have makes their treatments incomparable. */
  private void checkShared(String name, Position at, List<Treatment> treatments) {
    boolean condition =
        vocabulary.setting(name).filter(setting -> setting.traits().condition()).isPresent();
    String lacking =
        treatments.stream()
            .flatMap(treatment -> vocabulary.of(treatment.settings()).stream())
            .filter(driver -> driver.description().startsServers())
            .filter(driver -> driver.setting(name).isEmpty())
            .map(driver -> driver.description().product())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (condition && !lacking.isEmpty()) {
      throw at.problem("setting.not-shared", name, lacking);
    }
  }

  private void addUnused(String name, Position at) {
    String other =
        vocabulary.heeding(name).stream()
            .findFirst()
            .map(", or add a path such as "::concat)
            .orElse("");
    throw at.problem("setting.unused", name, other);
  }

  /** Settings that would claim an effect which they cannot have in any treatment. */
  private void checkSettings(Placed placed, List<Treatment> treatments) {
    placed
        .at()
        .forEach(
            (name, at) ->
                vocabulary
                    .setting(name)
                    .ifPresent(
                        setting -> {
                          Settings given = placed.settings();
                          check(setting, given, at, treatmentsWith(name, given, treatments));
                        }));
  }

  private void check(
      SettingDescription setting, Settings given, Position at, List<Settings> treatments) {
    String name = setting.name();
    Optional<String> below = setting.traits().below();
    Optional<Needs> needs = setting.traits().needs();
    if (setting.traits().ofServers() && parsed.noServers().isPresent()) {
      throw at.problem("setting.of-servers", name, parsed.noServers().get());
    }
    if (setting.traits().ofAttached() && !parsed.attached()) {
      throw at.problem("setting.of-attached", name, name);
    }
    if (below.isPresent()
        && parsed.noServers().isEmpty()
        && !treatments.isEmpty()
        && treatments.stream().noneMatch(all -> given.decimal(name) < limit(below.get(), all))) {
      throw at.problem("setting.not-below", name, below.get(), given.text(name));
    }
    if (needs.isPresent()
        && !treatments.isEmpty()
        && treatments.stream().noneMatch(all -> fulfilled(needs.get(), all))) {
      throw at.problem("setting.needs", name, needs.get().words(), name);
    }
  }

  /** The settings of the treatments in which a setting has the value given. */
  private static List<Settings> treatmentsWith(
      String name, Settings given, List<Treatment> treatments) {
    @Nullable Object value = given.values().get(name);
    return treatments.stream()
        .map(Treatment::settings)
        .filter(settings -> Objects.equals(settings.values().get(name), value))
        .toList();
  }

  private boolean fulfilled(Needs needs, Settings settings) {
    return Optional.ofNullable(settings.values().get(needs.setting()))
        .or(() -> vocabulary.heeded(settings, needs.setting()).flatMap(SettingDescription::initial))
        .map(needs::fulfilledBy)
        .orElse(true);
  }

  private double limit(String name, Settings settings) {
    return Optional.ofNullable(settings.values().get(name))
        .or(() -> vocabulary.setting(name).flatMap(SettingDescription::initial))
        .map(value -> ((Number) value).doubleValue())
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
    for (Placed placed : parsed.allSettings().toList()) {
      Position bytes = placed.at().get(CoreSettings.BYTES.name());
      if (bytes != null && !filler) {
        throw bytes.problem("record.no-filler", record.name());
      }
      checkFields(placed, CoreSettings.AGGREGATE, numeric, "numeric field of", record);
      checkFields(placed, CoreSettings.UPDATE_FIELD, fields, "field of", record);
    }
  }

  private void checkFields(
      Placed placed, SettingKey<String> key, List<String> known, String what, RecordShape record) {
    Position at = placed.at().get(key.name());
    if (at == null) {
      return;
    }
    for (String field : placed.settings().get(key).split(",", -1)) {
      String name = field.strip();
      if (!known.contains(name)) {
        throw at.problem(
            "record.no-such-field",
            key.name(),
            name,
            what,
            record.name(),
            SpellingSuggestion.hint(name, known));
      }
    }
  }
}
