package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.SettingsReader.Given;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingDescription.Traits;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules of an experiment's settings and treatments, so that every trial can be run with its own
 * driver and every setting has an effect.
 */
record ExperimentRules(Vocabulary vocabulary, Testbed testbed, RecordShape record, Parsed parsed) {

  private static final Set<FieldType> NUMERIC =
      Set.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT);

  private static final List<String> WRITES = List.of("put", "put-all", "invoke");

  private static final List<SettingKey<Double>> LINK_SETTINGS =
      List.of(
          CoreSettings.LINK_DELAY,
          CoreSettings.LINK_JITTER,
          CoreSettings.LINK_RATE,
          CoreSettings.LINK_LOSS);

  /**
   * The treatments of a file with the places of their settings.
   *
   * @param given settings of grid and workload, then of cases, then of the levels of factors
   * @param factors the place of each
   * @param whole the place of what is missing, or concerns the design as a whole
   */
  record Parsed(
      Treatments treatments, List<Given> given, Map<String, Position> factors, Position whole) {

    /** Treatments that stand in one place. */
    static Parsed of(Treatments treatments, Position place) {
      return new Parsed(treatments, List.of(), Map.of(), place);
    }
  }

  /** A treatment with what its driver declares of it. */
  record Resolved(Treatment treatment, DriverVocabulary driver, PathDescription path) {

    Settings settings() {
      return treatment.settings();
    }

    /** The setting of this name, if the path uses it. */
    Optional<SettingDescription> heeded(String name) {
      return driver.heeded(path, name);
    }
  }

  /** The position of a setting's value in a treatment. */
  private Position at(Treatment treatment, String setting) {
    Map<String, String> levels = treatment.levels();
    return parsed.given().stream()
        .filter(each -> each.factor().isEmpty() || each.label().equals(levels.get(each.factor())))
        .flatMap(each -> Stream.ofNullable(each.at().get(setting)))
        .reduce(parsed.whole(), (before, last) -> last);
  }

  private Position at(Treatment treatment, SettingKey<?> key) {
    return at(treatment, key.name());
  }

  /** Two places that set the same leave one of them without effect. */
  void checkSetOnce() {
    Map<String, String> owner = new HashMap<>();
    for (Factor factor : parsed.treatments().factors()) {
      Position at = parsed.factors().getOrDefault(factor.name(), parsed.whole());
      Set<String> mine = new TreeSet<>();
      factor.levels().forEach(level -> mine.addAll(level.settings().values().keySet()));
      for (String setting : mine) {
        String other = owner.putIfAbsent(setting, factor.name());
        if (other != null) {
          throw at.problem("factors.both-set", other, factor.name(), setting);
        }
        Position before = parsed.given().get(0).at().get(setting);
        if (before != null && Level.allSet(factor.levels(), setting)) {
          throw before.problem("factors.always-set", setting, factor.name());
        }
      }
    }
  }

  /** The fields that settings name are those of the record. */
  void checkFields() {
    List<FieldShape> fields = record.fields();
    List<String> names = fields.stream().map(FieldShape::name).toList();
    List<String> numeric =
        fields.stream().filter(f -> NUMERIC.contains(f.type())).map(FieldShape::name).toList();
    for (Given each : parsed.given()) {
      Position bytes = each.at().get(CoreSettings.BYTES.name());
      if (bytes != null) {
        boolean filler = fields.stream().anyMatch(FieldShape::filler);
        bytes.refuseIf(!filler, "record.no-filler", record.name());
      }
      checkFields(each, CoreSettings.AGGREGATE, numeric, "numeric field of");
      checkFields(each, CoreSettings.UPDATE_FIELD, names, "field of");
    }
  }

  private void checkFields(Given given, SettingKey<String> key, List<String> known, String what) {
    Position at = given.at().get(key.name());
    if (at == null) {
      return;
    }
    for (String field : given.settings().get(key).split(",", -1)) {
      String name = field.strip();
      String hint = SpellingSuggestion.hint(name, known);
      at.refuseIf(
          !known.contains(name),
          "record.no-such-field",
          key.name(),
          name,
          what,
          record.name(),
          hint);
    }
  }

  /** The treatments of the design, all of which can be run. */
  List<Resolved> checkTreatments() {
    Position whole = parsed.whole();
    whole.refuseIf(
        parsed.treatments().atMost() > Treatments.MOST, "design.too-many", Treatments.MOST);
    List<Resolved> all = new ArrayList<>();
    for (Treatment treatment : parsed.treatments().expand()) {
      Settings settings = treatment.settings();
      whole.refuseIf(!settings.has(CoreSettings.DRIVER), "treatment.no-driver");
      whole.refuseIf(!settings.has(CoreSettings.PATH), "treatment.no-path");
      DriverVocabulary driver = vocabulary.of(settings);
      String name = settings.get(CoreSettings.PATH);
      Optional<PathDescription> path = driver.path(name);
      if (path.isEmpty()) {
        String paths = String.join(", ", driver.pathNames());
        throw at(treatment, CoreSettings.PATH)
            .problem("path.unknown", driver.description().name(), name, paths);
      }
      Resolved resolved = new Resolved(treatment, driver, path.get());
      check(resolved);
      all.add(resolved);
    }
    return all;
  }

  private void check(Resolved resolved) {
    Treatment treatment = resolved.treatment();
    DriverVocabulary driver = resolved.driver();
    PathDescription path = resolved.path();
    Settings settings = resolved.settings();
    String name = path.name();
    Position at = at(treatment, CoreSettings.PATH);
    boolean reads = path.job() == Job.READ;
    boolean attached = testbed.attach().isPresent();
    at.refuseIf(attached && path.onServers(), "path.needs-classes", name);
    at.refuseIf(reads && !settings.has(CoreSettings.EXISTING_CACHE), "path.needs-existing", name);
    at.refuseIf(!reads && record.equals(RecordShape.OF_EXISTING), "path.needs-record", name);
    if (path.job() == Job.MIX) {
      checkMix(treatment);
    }
    if (CoreSettings.loadsOnce(settings)) {
      checkOnce(treatment, path);
    }
    boolean event = !settings.get(CoreSettings.SERVER_EVENT).equals("none");
    checkBeforeEnd(treatment, CoreSettings.EVENT_AFTER, event);
    checkBeforeEnd(treatment, CoreSettings.CUT_AFTER, settings.has(CoreSettings.CUT_FOR));
    treatment.varied().forEach(setting -> checkUsed(resolved, setting));
    EqualTerm.of(settings)
        .forEach(
            (term, value) ->
                at(treatment, EqualTerm.PREFIX + term)
                    .refuse(driver.unequal(settings, term, value)));
    driver
        .heededBy(path)
        .forEach(
            (setting, declared) -> {
              Object value = settings.values().get(setting);
              if (value != null && !SettingText.takes(declared, value)) {
                String sentence = SettingText.sentence(declared, value.toString());
                throw at(treatment, setting).problem("path.with", name, sentence);
              }
            });
  }

  /** An event of the measured part begins before its end. */
  private void checkBeforeEnd(Treatment treatment, SettingKey<Double> after, boolean happens) {
    double begin = treatment.settings().get(after);
    double end = treatment.settings().get(CoreSettings.MEASURE);
    at(treatment, after)
        .refuseIf(happens && begin >= end, "treatment.after-measure", after.name(), begin, end);
  }

  /** The shares of a mix are said once, and it can go on for ever. */
  private void checkMix(Treatment treatment) {
    Settings settings = treatment.settings();
    Set<String> operations =
        settings.find(PathSettings.MIX).map(mix -> mix.byName().keySet()).orElse(Set.of());
    boolean mixed = !operations.isEmpty();
    at(treatment, CoreSettings.READS)
        .refuseIf(mixed && settings.has(CoreSettings.READS), "mix.and-reads");
    at(treatment, PathSettings.MIX)
        .refuseIf(
            mixed && Collections.disjoint(operations, WRITES),
            "mix.no-write",
            String.join(", ", WRITES));
    at(treatment, PathSettings.BATCH)
        .refuseIf(
            treatment.varied().contains(PathSettings.BATCH.name()) && mixWithoutBatch(settings),
            "mix.no-batch");
    at(treatment, CoreSettings.KEY_SHARING)
        .refuseIf(operations.contains("remove") && sharesKeys(settings), "mix.shared-keys");
  }

  /** A mix of which no operation carries a batch. */
  private static boolean mixWithoutBatch(Settings settings) {
    return settings
        .find(PathSettings.MIX)
        .filter(mix -> mix.byName().keySet().stream().noneMatch(name -> name.endsWith("-all")))
        .isPresent();
  }

  private static boolean sharesKeys(Settings settings) {
    return settings.get(CoreSettings.KEY_SHARING).equals("shared");
  }

  /** Every key is written once: nothing else can be asked of it. */
  private void checkOnce(Treatment treatment, PathDescription path) {
    Settings settings = treatment.settings();
    Position at = at(treatment, CoreSettings.KEYS);
    boolean same = settings.find(CoreSettings.DISTINCT_RECORDS).filter(n -> n == 1).isPresent();
    at.refuseIf(path.job() != Job.WRITE, "once.path", path.name());
    at.refuseIf(same && CoreSettings.existing(settings) > 0, "once.same-records");
    at.refuseIf(settings.get(CoreSettings.RATE) > 0, "once.setting", "rate");
    at.refuseIf(settings.has(CoreSettings.STAGES), "once.setting", "stages");
    at.refuseIf(settings.get(CoreSettings.REPEATS) > 0, "once.setting", "repeats");
    at.refuseIf(sharesKeys(settings), "once.setting", "key-sharing: shared");
  }

  private void checkUsed(Resolved resolved, String setting) {
    Position at = at(resolved.treatment(), setting);
    DriverDescription driver = resolved.driver().description();
    Optional<SettingDescription> declared = resolved.heeded(setting);
    if (declared.isEmpty()) {
      boolean several = vocabulary.driverNames().size() > 1;
      String ofDriver = several ? " of driver '" + driver.name() + "'" : "";
      String paths = String.join(", ", vocabulary.heeding(setting));
      throw at.problem("path.no-setting", resolved.path().name(), ofDriver, setting, paths);
    }
    at.refuseIf(
        declared.get().traits().ofServers()
            && vocabulary.startsServers()
            && !driver.startsServers(),
        "path.no-servers",
        setting,
        driver.name());
  }

  /**
   * Every setting has an effect in some treatment.
   *
   * @param noServers the reason why Pyrometer starts no servers, and what to do; empty if it starts
   *     them
   */
  void checkSettings(List<Resolved> treatments, Optional<String> noServers) {
    for (Given each : parsed.given()) {
      each.at()
          .forEach(
              (name, at) ->
                  vocabulary
                      .setting(name)
                      .ifPresent(
                          setting -> check(setting, each.settings(), at, treatments, noServers)));
    }
    checkUsed(treatments);
  }

  /** Some treatment that has a setting's value makes it effective. */
  private void check(
      SettingDescription setting,
      Settings given,
      Position at,
      List<Resolved> all,
      Optional<String> noServers) {
    String name = setting.name();
    Traits traits = setting.traits();
    at.refuseIf(
        traits.ofServers() && noServers.isPresent(),
        "setting.of-servers",
        name,
        noServers.orElse(""));
    at.refuseIf(
        traits.ofAttached() && testbed.attach().isEmpty(), "setting.of-attached", name, name);
    Object own = given.values().get(name);
    List<Resolved> treatments =
        all.stream()
            .filter(each -> Objects.equals(each.settings().values().get(name), own))
            .toList();
    if (treatments.isEmpty()) {
      return;
    }
    at.refuseIf(
        name.equals(PathSettings.BATCH.name())
            && treatments.stream().allMatch(each -> mixWithoutBatch(each.settings())),
        "mix.no-batch");
    if (traits.below().isPresent() && noServers.isEmpty()) {
      String limit = traits.below().get();
      boolean reached = all(treatments, limit, most -> given.decimal(name) >= number(most));
      at.refuseIf(reached, "setting.not-below", name, limit, given.text(name));
    }
    if (traits.needs().isPresent()) {
      Needs needs = traits.needs().get();
      boolean unmet = all(treatments, needs.setting(), value -> !needs.fulfilledBy(value));
      at.refuseIf(unmet, "setting.needs", name, needs.words(), name);
    }
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  /**
   * Checks whether all treatments have a value of a setting, or its default, of which this holds.
   */
  private static boolean all(List<Resolved> treatments, String name, Predicate<Object> condition) {
    return treatments.stream()
        .allMatch(
            each ->
                Optional.ofNullable(each.settings().values().get(name))
                    .or(() -> each.heeded(name).flatMap(SettingDescription::initial))
                    .filter(condition)
                    .isPresent());
  }

  /** A setting that no path of the experiment uses misleads its reader. */
  private void checkUsed(List<Resolved> treatments) {
    parsed.whole().refuseIf(treatments.isEmpty(), "design.leaves-none");
    Set<String> used = new HashSet<>();
    for (Resolved each : treatments) {
      used.addAll(each.driver().heededBy(each.path()).keySet());
      Set<String> given = each.settings().values().keySet();
      given.stream().filter(name -> each.heeded(name).isPresent()).forEach(used::add);
    }
    for (Given each : parsed.given()) {
      if (parsed.factors().containsKey(each.factor())) {
        return;
      }
      each.at()
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
  private void checkShared(String name, Position at, List<Resolved> treatments) {
    boolean condition =
        vocabulary.setting(name).filter(setting -> setting.traits().condition()).isPresent();
    String lacking =
        treatments.stream()
            .map(Resolved::driver)
            .filter(driver -> driver.description().startsServers())
            .filter(driver -> driver.setting(name).isEmpty())
            .map(driver -> driver.description().product())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    at.refuseIf(condition && !lacking.isEmpty(), "setting.not-shared", name, lacking);
  }

  /** Refuses what a treatment asks of its hosts, or of the network between, and is not there. */
  void checkNetwork(List<Resolved> treatments) {
    Position whole = parsed.whole();
    boolean namespaces = testbed.hosts().contains(Host.NAMESPACES);
    boolean cuts = testbed.hosts().stream().anyMatch(host -> host.severing().isPresent());
    for (Resolved each : treatments) {
      Settings settings = each.settings();
      whole.refuse(
          TrialKinds.of(each.path().job()).flatMap(kind -> kind.obstacle(settings, namespaces)));
      whole.refuseIf(
          !namespaces && !cuts && settings.get(CoreSettings.CUT_FOR) > 0, "hosts.cannot-cut");
      for (SettingKey<Double> key : LINK_SETTINGS) {
        whole.refuseIf(!namespaces && settings.get(key) > 0, "hosts.no-links", key.name());
      }
    }
  }

  /**
   * Finds why no treatment has what the experiment requires, as its driver declares it. Every trial
   * would be made for the answer that there is none.
   *
   * @return what is wrong, in one sentence; empty if some treatment has all
   */
  Optional<String> unmet(List<Requirement> required, List<Resolved> treatments) {
    List<Set<Requirement>> declared = treatments.stream().map(this::declared).toList();
    if (declared.isEmpty() || declared.stream().anyMatch(has -> has.containsAll(required))) {
      return Optional.empty();
    }
    List<Requirement> nowhere = new ArrayList<>(required);
    nowhere.removeIf(each -> declared.stream().anyMatch(has -> has.contains(each)));
    return Optional.of(
        nowhere.isEmpty()
            ? ExperimentException.words("require.not-all", keys(required))
            : ExperimentException.words(
                "require.none",
                keys(nowhere),
                nowhere.stream().map(Requirement::lack).collect(Collectors.joining(" and "))));
  }

  private static String keys(List<Requirement> required) {
    Stream<String> keys = required.stream().map(each -> "'" + each.key() + "'");
    return keys.collect(Collectors.joining(" and "));
  }

  /**
   * The guarantees that a treatment declares; all for a cache that exists already, whose settings
   * are not known yet. How many servers others have started is not known.
   */
  private Set<Requirement> declared(Resolved resolved) {
    if (resolved.path().job() == Job.READ) {
      return EnumSet.allOf(Requirement.class);
    }
    Settings complete = resolved.driver().complete(resolved.path(), resolved.settings());
    boolean attached = testbed.attach().isPresent();
    return resolved
        .driver()
        .description()
        .guarantees(complete, attached ? Integer.MAX_VALUE : complete.get(CoreSettings.NODES));
  }
}
