package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The treatments of a file with the places of their settings, and the rules that compare several
 * places.
 *
 * @param given settings of grid and workload, then of cases, then of the levels of factors
 * @param factors the place of each
 * @param end the place of what is missing
 */
record ParsedExperiment(
    Vocabulary vocabulary,
    List<Given> given,
    Treatments treatments,
    Map<String, Position> factors,
    Position end) {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  /**
   * Settings that hold at one level of a factor or in a case.
   *
   * @param factor empty for settings that hold wherever no level says otherwise
   */
  record Given(String factor, String label, Placed settings) {

    Level level() {
      return new Level(label, settings.settings());
    }
  }

  /** The position of a setting's value in the treatment of these levels. */
  Position where(Map<String, String> levels, String setting) {
    return given.stream()
        .filter(each -> each.factor().isEmpty() || each.label().equals(levels.get(each.factor())))
        .flatMap(each -> Stream.ofNullable(each.settings().at().get(setting)))
        .reduce(end, (before, last) -> last);
  }

  /** Two places that set the same leave one of them without effect. */
  void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (Factor factor : treatments.factors()) {
      Set<String> mine = new TreeSet<>();
      factor.levels().forEach(level -> mine.addAll(level.settings().values().keySet()));
      for (String setting : mine) {
        String other = owner.putIfAbsent(setting, factor.name());
        if (other != null) {
          throw factors
              .getOrDefault(factor.name(), end)
              .problem("factors.both-set", other, factor.name(), setting);
        }
        Position before = given.get(0).settings().at().get(setting);
        if (before != null && Level.allSet(factor.levels(), setting)) {
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
    for (Given each : given) {
      Placed placed = each.settings();
      Position bytes = placed.at().get(CoreSettings.BYTES.name());
      if (bytes != null) {
        bytes.refuseIf(!filler, "record.no-filler", record.name());
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
  void checkSettings(List<Treatment> all, Optional<String> noServers, boolean attached) {
    List<Settings> treatments = all.stream().map(Treatment::settings).toList();
    for (Given each : given) {
      for (Map.Entry<String, Position> placed : each.settings().at().entrySet()) {
        String name = placed.getKey();
        Position at = placed.getValue();
        Optional<SettingDescription> setting = vocabulary.setting(name);
        if (setting.isPresent()) {
          boolean ofServers = setting.get().traits().ofServers() && noServers.isPresent();
          at.refuseIf(ofServers, "setting.of-servers", name, noServers.orElse(""));
          boolean unattached = setting.get().traits().ofAttached() && !attached;
          at.refuseIf(unattached, "setting.of-attached", name, name);
          check(setting.get(), each.settings().settings(), at, treatments, noServers.isEmpty());
        }
      }
    }
    checkUsed(treatments);
  }

  /** Some treatment that has a setting's value makes it effective. */
  private void check(
      SettingDescription setting,
      Settings given,
      Position at,
      List<Settings> all,
      boolean servers) {
    String name = setting.name();
    @Nullable Object value = given.values().get(name);
    List<Settings> treatments =
        all.stream().filter(each -> Objects.equals(each.values().get(name), value)).toList();
    if (treatments.isEmpty()) {
      return;
    }
    at.refuseIf(
        name.equals(PathSettings.BATCH.name())
            && treatments.stream().allMatch(TreatmentRules::mixWithoutBatch),
        "mix.no-batch");
    Optional<String> below = setting.traits().below().filter(unused -> servers);
    if (below.isPresent()) {
      String limit = below.get();
      Predicate<Object> reached = most -> given.decimal(name) >= ((Number) most).doubleValue();
      at.refuseIf(
          all(treatments, limit, unused -> vocabulary.setting(limit), reached),
          "setting.not-below",
          name,
          limit,
          given.text(name));
    }
    Optional<Needs> needs = setting.traits().needs();
    if (needs.isPresent()) {
      String other = needs.get().setting();
      Predicate<Object> unfulfilled = Predicate.not(needs.get()::fulfilledBy);
      at.refuseIf(
          all(treatments, other, each -> vocabulary.heeded(each, other), unfulfilled),
          "setting.needs",
          name,
          needs.get().words(),
          name);
    }
  }

  /**
   * Checks whether all treatments have a value of a setting, or its default, of which this holds.
   */
  private static boolean all(
      List<Settings> treatments,
      String name,
      Function<Settings, Optional<SettingDescription>> declared,
      Predicate<Object> condition) {
    return treatments.stream()
        .allMatch(
            each ->
                Optional.ofNullable(each.values().get(name))
                    .or(() -> declared.apply(each).flatMap(SettingDescription::initial))
                    .filter(condition)
                    .isPresent());
  }

  /** A setting that no path of the experiment uses misleads its reader. */
  private void checkUsed(List<Settings> treatments) {
    end.refuseIf(treatments.isEmpty(), "design.leaves-none");
    Set<String> used = new HashSet<>();
    for (Settings treatment : treatments) {
      Map<String, SettingDescription> own = vocabulary.heededBy(treatment);
      if (own.isEmpty()) {
        return;
      }
      used.addAll(own.keySet());
      treatment.values().keySet().stream()
          .filter(name -> vocabulary.heeded(treatment, name).isPresent())
          .forEach(used::add);
    }
    for (Given each : given) {
      if (factors.containsKey(each.factor())) {
        return;
      }
      each.settings()
          .at()
          .forEach(
              (name, at) -> {
                if (!used.contains(name)) {
                  List<String> others = vocabulary.heeding(name);
                  String other = others.isEmpty() ? "" : ", or add a path such as " + others.get(0);
                  throw at.problem("setting.unused", name, other);
                } else if (each.factor().isEmpty()) {
                  checkShared(name, at, treatments);
                }
              });
    }
  }

  /** A condition that some grids alone have makes their treatments incomparable. */
  private void checkShared(String name, Position at, List<Settings> treatments) {
    boolean condition =
        vocabulary.setting(name).filter(setting -> setting.traits().condition()).isPresent();
    String lacking =
        treatments.stream()
            .flatMap(treatment -> vocabulary.of(treatment).stream())
            .filter(driver -> driver.description().startsServers())
            .filter(driver -> driver.setting(name).isEmpty())
            .map(driver -> driver.description().product())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    at.refuseIf(condition && !lacking.isEmpty(), "setting.not-shared", name, lacking);
  }
}
