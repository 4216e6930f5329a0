package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Mistakes;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
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

/**
 * Checks that each treatment of a design can be run with its own driver.
 *
 * @param where the place of a setting's value in the treatment of given levels
 * @param whole the place of what concerns the design as a whole
 * @param attached whether the servers are somebody else's, without Pyrometer's classes
 * @param recordIsNamed whether the file has a record, which paths write
 */
record TreatmentValidation(
    Vocabulary vocabulary,
    BiFunction<Map<String, String>, String, Position> where,
    Position whole,
    boolean attached,
    boolean recordIsNamed) {

  private static final List<String> WRITES = List.of("put", "put-all", "invoke");

  /** The treatments of a design, all of which can be run. */
  List<Treatment> check(Treatments treatments) {
    if (treatments.atMost() > Treatments.MOST) {
      throw whole.problem("design.too-many", Treatments.MOST);
    }
    List<Treatment> all = treatments.expand();
    for (Treatment treatment : all) {
      Settings settings = treatment.settings();
      if (!settings.has(CoreSettings.DRIVER)) {
        throw whole.problem("treatment.no-driver");
      } else if (!settings.has(CoreSettings.PATH)) {
        throw whole.problem("treatment.no-path");
      }
      check(treatment, vocabulary.of(settings).orElseThrow());
    }
    return all;
  }

  private void check(Treatment treatment, DriverVocabulary driver) {
    Settings settings = treatment.settings();
    String name = settings.get(CoreSettings.PATH);
    Optional<PathDescription> path = driver.path(name);
    if (path.isEmpty()) {
      String paths = String.join(", ", driver.pathNames());
      throw mistake(
          treatment, CoreSettings.PATH, "path.unknown", driver.description().name(), name, paths);
    }
    boolean readsExisting = path.get().job() == Job.READ;
    if (attached && path.get().onServers()) {
      throw mistake(treatment, CoreSettings.PATH, "path.needs-classes", name);
    }
    if (readsExisting && !settings.has(CoreSettings.EXISTING_CACHE)) {
      throw mistake(treatment, CoreSettings.PATH, "path.needs-existing", name);
    }
    if (!recordIsNamed && !readsExisting) {
      throw mistake(treatment, CoreSettings.PATH, "path.needs-record", name);
    }
    if (path.get().job() == Job.MIX) {
      checkMix(treatment);
    }
    if (CoreSettings.loadsOnce(settings)) {
      checkOnce(treatment, path.get());
    }
    for (String setting : treatment.varied()) {
      Position at = where.apply(treatment.levels(), setting);
      checkUsed(at, driver, name, setting, driver.heeded(path.get(), setting));
    }
    driver
        .unequal(settings)
        .forEach(
            (term, why) -> {
              throw where.apply(treatment.levels(), term).says(why);
            });
    driver
        .heededBy(path.get())
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

  private ExperimentException mistake(
      Treatment treatment, SettingKey<?> key, String id, Object... values) {
    return where.apply(treatment.levels(), key.name()).problem(id, values);
  }

  /** The shares of a mix are said once, and it can go on for ever. */
  private void checkMix(Treatment treatment) {
    Settings settings = treatment.settings();
    Set<String> operations =
        settings.find(PathSettings.MIX).map(mix -> mix.byName().keySet()).orElse(Set.of());
    if (!operations.isEmpty() && settings.has(CoreSettings.READS)) {
      throw mistake(treatment, CoreSettings.READS, "mix.and-reads");
    }
    if (!operations.isEmpty() && Collections.disjoint(operations, WRITES)) {
      throw mistake(treatment, PathSettings.MIX, "mix.no-write", String.join(", ", WRITES));
    }
    if (treatment.varied().contains(PathSettings.BATCH.name())
        && operations.stream().noneMatch(name -> name.endsWith("-all"))) {
      throw mistake(treatment, PathSettings.BATCH, "mix.no-batch");
    }
    if (operations.contains("remove") && sharesKeys(settings)) {
      throw mistake(treatment, CoreSettings.KEY_SHARING, "mix.shared-keys");
    }
  }

  private static boolean sharesKeys(Settings settings) {
    return settings.find(CoreSettings.KEY_SHARING).filter("shared"::equals).isPresent();
  }

  /** Every key is written once: nothing else can be asked of it. */
  private void checkOnce(Treatment treatment, PathDescription path) {
    Settings settings = treatment.settings();
    if (path.job() != Job.WRITE) {
      throw mistake(treatment, CoreSettings.KEYS, "once.path", path.name());
    }
    if (settings.find(CoreSettings.DISTINCT_RECORDS).filter(one -> one == 1).isPresent()
        && CoreSettings.existing(settings) > 0) {
      throw mistake(treatment, CoreSettings.KEYS, "once.same-records");
    }
    String with =
        settings.find(CoreSettings.RATE).orElse(0.0) > 0
            ? "rate"
            : settings.has(CoreSettings.STAGES)
                ? "stages"
                : settings.find(CoreSettings.REPEATS).orElse(0.0) > 0
                    ? "repeats"
                    : sharesKeys(settings) ? "key-sharing: shared" : "";
    if (!with.isEmpty()) {
      throw mistake(treatment, CoreSettings.KEYS, "once.setting", with);
    }
  }

  private void checkUsed(
      Position at,
      DriverVocabulary driver,
      String path,
      String setting,
      Optional<SettingDescription> declared) {
    String owner = driver.description().name();
    if (declared.isEmpty()) {
      String ofDriver = vocabulary.driverNames().size() > 1 ? " of driver '" + owner + "'" : "";
      String paths = String.join(", ", vocabulary.heeding(setting));
      throw at.problem("path.no-setting", path, ofDriver, setting, paths);
    } else if (declared.get().traits().ofServers()
        && vocabulary.startsServers()
        && !driver.description().startsServers()) {
      throw at.problem("path.no-servers", setting, owner);
    }
  }

  /**
   * Finds why no treatment has what the experiment requires, as its driver declares it. Every trial
   * would be made for the answer that there is none.
   *
   * @param attached whether the servers are somebody else's, so that their number is not known
   * @return what is wrong, in one sentence; empty if some treatment has all
   */
  static Optional<String> unmet(
      List<Requirement> required,
      List<Treatment> treatments,
      Vocabulary vocabulary,
      boolean attached) {
    List<Set<Requirement>> declared =
        treatments.stream().map(each -> declared(each.settings(), vocabulary, attached)).toList();
    if (declared.isEmpty() || declared.stream().anyMatch(has -> has.containsAll(required))) {
      return Optional.empty();
    }
    List<Requirement> nowhere = new ArrayList<>(required);
    nowhere.removeIf(each -> declared.stream().anyMatch(has -> has.contains(each)));
    return Optional.of(
        nowhere.isEmpty()
            ? Mistakes.words("require.not-all", keys(required))
            : Mistakes.words(
                "require.none",
                keys(nowhere),
                nowhere.stream().map(Requirement::lack).collect(Collectors.joining(" and "))));
  }

  private static String keys(List<Requirement> required) {
    return required.stream()
        .map(each -> "'" + each.key() + "'")
        .collect(Collectors.joining(" and "));
  }

  /**
   * The guarantees that a treatment declares; all for a cache that exists already, whose settings
   * are not known yet.
   */
  private static Set<Requirement> declared(
      Settings given, Vocabulary vocabulary, boolean attached) {
    Optional<DriverVocabulary> driver = vocabulary.of(given);
    Optional<PathDescription> path = vocabulary.path(given);
    if (driver.isEmpty() || path.filter(each -> each.job() != Job.READ).isEmpty()) {
      return EnumSet.allOf(Requirement.class);
    }
    Settings complete = driver.get().complete(path.get(), given);
    return driver
        .get()
        .description()
        .guarantees(complete, attached ? Integer.MAX_VALUE : complete.get(CoreSettings.NODES));
  }
}
