package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a file with their places, and the rules that compare several of them.
 *
 * @param base settings of grid and workload
 * @param end the place of what is missing
 */
record ParsedExperiment(
    Vocabulary vocabulary,
    Placed base,
    List<PlacedLevel> cases,
    List<PlacedFactor> factors,
    Design design,
    Position end) {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  record PlacedLevel(String label, Placed settings, Position at) {

    Level level() {
      return new Level(label, settings.settings());
    }
  }

  record PlacedFactor(String name, Position at, List<PlacedLevel> levels, Optional<Role> role) {

    Factor factor() {
      return new Factor(name, levels.stream().map(PlacedLevel::level).toList(), role);
    }

    /** Checks whether every level gives the setting, so that no other place's value counts. */
    boolean alwaysSets(String setting) {
      return !levels.isEmpty()
          && levels.stream().allMatch(level -> level.settings().settings().has(setting));
    }
  }

  /** The position of a setting's value in the treatment of these levels. */
  Position where(Map<String, String> levels, String setting) {
    Position found = base.at().getOrDefault(setting, end);
    for (PlacedLevel each : cases) {
      if (each.label().equals(levels.get(Treatments.CASE))) {
        found = each.settings().at().getOrDefault(setting, found);
      }
    }
    for (PlacedFactor factor : factors) {
      for (PlacedLevel level : factor.levels()) {
        if (level.label().equals(levels.get(factor.name()))) {
          found = level.settings().at().getOrDefault(setting, found);
        }
      }
    }
    return found;
  }

  Treatments treatments() {
    return new Treatments(
        base.settings(),
        cases.stream().map(PlacedLevel::level).toList(),
        factors.stream().map(PlacedFactor::factor).toList(),
        design);
  }

  /** Settings given in the grid, the workload and the cases. */
  private Stream<Placed> outsideFactors() {
    return Stream.concat(Stream.of(base), cases.stream().map(PlacedLevel::settings));
  }

  /** Settings given anywhere, each with a place. */
  private Stream<Placed> allSettings() {
    return Stream.concat(
        outsideFactors(),
        factors.stream().flatMap(factor -> factor.levels().stream()).map(PlacedLevel::settings));
  }

  /** Two places that set the same leave one of them without effect. */
  void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (PlacedFactor factor : factors) {
      Set<String> mine = new TreeSet<>();
      factor.levels().forEach(level -> mine.addAll(level.settings().at().keySet()));
      for (String setting : mine) {
        String other = owner.putIfAbsent(setting, factor.name());
        if (other != null) {
          throw factor.at().problem("factors.both-set", other, factor.name(), setting);
        }
        Position before = base.at().get(setting);
        if (before != null && factor.alwaysSets(setting)) {
          throw before.problem("factors.always-set", setting, factor.name());
        }
      }
    }
  }

  /** The fields that settings name are those of the record. */
  void checkRecord(RecordShape record) {
    List<FieldShape> fields = record.fields();
    List<String> names = fields.stream().map(FieldShape::name).toList();
    List<String> numeric =
        fields.stream().filter(f -> NUMERIC.contains(f.type())).map(FieldShape::name).toList();
    boolean filler = fields.stream().anyMatch(FieldShape::filler);
    for (Placed placed : allSettings().toList()) {
      Position bytes = placed.at().get(CoreSettings.BYTES.name());
      if (bytes != null && !filler) {
        throw bytes.problem("record.no-filler", record.name());
      }
      checkFields(placed, CoreSettings.AGGREGATE, numeric, "numeric field of", record.name());
      checkFields(placed, CoreSettings.UPDATE_FIELD, names, "field of", record.name());
    }
  }

  private static void checkFields(
      Placed placed, SettingKey<String> key, List<String> known, String what, String record) {
    Position at = placed.at().get(key.name());
    if (at == null) {
      return;
    }
    for (String field : placed.settings().get(key).split(",", -1)) {
      String name = field.strip();
      String hint = SpellingSuggestion.hint(name, known);
      at.refuseIf(
          !known.contains(name), "record.no-such-field", key.name(), name, what, record, hint);
    }
  }

  /**
   * Every setting has an effect in some treatment.
   *
   * @param noServers the reason why Pyrometer starts no servers, and what to do; empty if it starts
   *     them
   */
  void checkSettings(List<Treatment> treatments, Optional<String> noServers, boolean attached) {
    for (Placed placed : allSettings().toList()) {
      placed
          .at()
          .forEach(
              (name, at) ->
                  vocabulary
                      .setting(name)
                      .ifPresent(
                          setting -> {
                            if (setting.traits().ofServers() && noServers.isPresent()) {
                              throw at.problem("setting.of-servers", name, noServers.get());
                            }
                            boolean unattached = setting.traits().ofAttached() && !attached;
                            at.refuseIf(unattached, "setting.of-attached", name, name);
                            check(setting, placed.settings(), at, treatments, noServers.isEmpty());
                          }));
    }
    checkUsed(treatments);
  }

  private void check(
      SettingDescription setting,
      Settings given,
      Position at,
      List<Treatment> all,
      boolean servers) {
    String name = setting.name();
    List<Settings> treatments = treatmentsWith(name, given, all);
    if (treatments.isEmpty()) {
      return;
    }
    at.refuseIf(
        name.equals(PathSettings.BATCH.name())
            && treatments.stream().allMatch(TreatmentRules::mixWithoutBatch),
        "mix.no-batch");
    setting
        .traits()
        .below()
        .filter(
            limit ->
                servers
                    && treatments.stream()
                        .noneMatch(
                            each ->
                                value(limit, each, vocabulary.setting(limit))
                                    .map(
                                        most -> given.decimal(name) < ((Number) most).doubleValue())
                                    .orElse(true)))
        .ifPresent(
            limit -> {
              throw at.problem("setting.not-below", name, limit, given.text(name));
            });
    setting
        .traits()
        .needs()
        .filter(
            need ->
                treatments.stream()
                    .noneMatch(
                        each ->
                            value(need.setting(), each, vocabulary.heeded(each, need.setting()))
                                .map(need::fulfilledBy)
                                .orElse(true)))
        .ifPresent(
            need -> {
              throw at.problem("setting.needs", name, need.words(), name);
            });
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

  /** The value of a setting in a treatment, or its default. */
  private static Optional<Object> value(
      String name, Settings treatment, Optional<SettingDescription> declared) {
    return Optional.ofNullable(treatment.values().get(name))
        .or(() -> declared.flatMap(SettingDescription::initial));
  }

  /** A setting that no path of the experiment uses misleads its reader. */
  private void checkUsed(List<Treatment> treatments) {
    end.refuseIf(treatments.isEmpty(), "design.leaves-none");
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
    for (Placed placed : outsideFactors().toList()) {
      placed
          .at()
          .forEach(
              (name, at) -> {
                if (!used.contains(name)) {
                  List<String> others = vocabulary.heeding(name);
                  String other = others.isEmpty() ? "" : ", or add a path such as " + others.get(0);
                  throw at.problem("setting.unused", name, other);
                } else if (placed.equals(base)) {
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
    at.refuseIf(condition && !lacking.isEmpty(), "setting.not-shared", name, lacking);
  }
}
