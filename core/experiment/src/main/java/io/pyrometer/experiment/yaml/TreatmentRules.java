package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules that each treatment of a design keeps, so that it can be run with its own driver.
 *
 * @param where the place of a setting's value in the treatment of given levels
 * @param whole the place of what concerns the design as a whole
 */
record TreatmentRules(
    Vocabulary vocabulary,
    Testbed testbed,
    RecordShape record,
    BiFunction<Map<String, String>, String, Position> where,
    Position whole) {

  private static final List<String> WRITES = List.of("put", "put-all", "invoke");

  private static final List<SettingKey<Double>> LINK_SETTINGS =
      List.of(
          CoreSettings.LINK_DELAY,
          CoreSettings.LINK_JITTER,
          CoreSettings.LINK_RATE,
          CoreSettings.LINK_LOSS);

  /** The treatments of a design, all of which can be run. */
  List<Treatment> check(Treatments treatments) {
    whole.refuseIf(treatments.atMost() > Treatments.MOST, "design.too-many", Treatments.MOST);
    List<Treatment> all = treatments.expand();
    for (Treatment treatment : all) {
      Settings settings = treatment.settings();
      whole.refuseIf(!settings.has(CoreSettings.DRIVER), "treatment.no-driver");
      whole.refuseIf(!settings.has(CoreSettings.PATH), "treatment.no-path");
      check(treatment, vocabulary.of(settings).orElseThrow());
    }
    return all;
  }

  private void check(Treatment treatment, DriverVocabulary driver) {
    Settings settings = treatment.settings();
    String name = settings.get(CoreSettings.PATH);
    Position at = at(treatment, CoreSettings.PATH);
    if (driver.path(name).isEmpty()) {
      String paths = String.join(", ", driver.pathNames());
      throw at.problem("path.unknown", driver.description().name(), name, paths);
    }
    PathDescription path = driver.path(name).get();
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
    checkTimes(treatment);
    for (String setting : treatment.varied()) {
      checkUsed(treatment, driver, path, setting);
    }
    driver
        .unequal(settings)
        .forEach((term, why) -> where.apply(treatment.levels(), term).refuse(Optional.of(why)));
    driver
        .heededBy(path)
        .forEach(
            (setting, declared) -> {
              Object value = settings.values().get(setting);
              if (value != null && !SettingText.takes(declared, value)) {
                throw where
                    .apply(treatment.levels(), setting)
                    .problem("path.with", name, SettingText.sentence(declared, value.toString()));
              }
            });
  }

  private Position at(Treatment treatment, SettingKey<?> key) {
    return where.apply(treatment.levels(), key.name());
  }

  /** Events of the measured part begin before its end. */
  private void checkTimes(Treatment treatment) {
    Settings settings = treatment.settings();
    checkBefore(
        treatment,
        CoreSettings.EVENT_AFTER,
        !settings.get(CoreSettings.SERVER_EVENT).equals("none"));
    checkBefore(treatment, CoreSettings.CUT_AFTER, settings.has(CoreSettings.CUT_FOR));
  }

  private void checkBefore(Treatment treatment, SettingKey<Double> after, boolean happens) {
    Settings settings = treatment.settings();
    at(treatment, after)
        .refuseIf(
            happens && settings.get(after) >= settings.get(CoreSettings.MEASURE),
            "treatment.after-measure",
            after.name(),
            settings.get(after),
            settings.get(CoreSettings.MEASURE));
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
  static boolean mixWithoutBatch(Settings settings) {
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

  private void checkUsed(
      Treatment treatment, DriverVocabulary driver, PathDescription path, String setting) {
    Position at = where.apply(treatment.levels(), setting);
    String owner = driver.description().name();
    Optional<SettingDescription> declared = driver.heeded(path, setting);
    String ofDriver = vocabulary.driverNames().size() > 1 ? " of driver '" + owner + "'" : "";
    if (declared.isEmpty()) {
      String paths = String.join(", ", vocabulary.heeding(setting));
      throw at.problem("path.no-setting", path.name(), ofDriver, setting, paths);
    }
    at.refuseIf(
        declared.get().traits().ofServers()
            && vocabulary.startsServers()
            && !driver.description().startsServers(),
        "path.no-servers",
        setting,
        owner);
  }

  /** Refuses what a treatment asks of its hosts, or of the network between, and is not there. */
  void checkNetwork(List<Treatment> treatments) {
    boolean namespaces = testbed.hosts().contains(Host.NAMESPACES);
    boolean cuts = testbed.hosts().stream().anyMatch(host -> host.severing().isPresent());
    for (Treatment treatment : treatments) {
      Settings settings = treatment.settings();
      whole.refuse(
          vocabulary
              .path(settings)
              .flatMap(path -> TrialKinds.of(path.job()))
              .flatMap(kind -> kind.obstacle(settings, namespaces)));
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
  Optional<String> unmet(List<Requirement> required, List<Treatment> treatments) {
    List<Set<Requirement>> declared =
        treatments.stream().map(each -> declared(each.settings())).toList();
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
  private Set<Requirement> declared(Settings given) {
    Optional<PathDescription> path = vocabulary.path(given);
    if (path.filter(each -> each.job() != Job.READ).isEmpty()) {
      return EnumSet.allOf(Requirement.class);
    }
    DriverVocabulary driver = vocabulary.of(given).orElseThrow();
    Settings complete = driver.complete(path.get(), given);
    boolean attached = testbed.attach().isPresent();
    return driver
        .description()
        .guarantees(complete, attached ? Integer.MAX_VALUE : complete.get(CoreSettings.NODES));
  }
}
