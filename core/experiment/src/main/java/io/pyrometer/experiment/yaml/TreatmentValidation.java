package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.ExperimentException;
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

  static final String TOO_MANY =
      "the design has more than %d treatments; take levels away or use a fraction or one-at-a-time.";

  private static final List<String> WRITES = List.of("put", "put-all", "invoke");

  /** The treatments of a design, all of which can be run. */
  List<Treatment> check(Treatments treatments) {
    if (treatments.atMost() > Treatments.MOST) {
      throw whole.problem(TOO_MANY, Treatments.MOST);
    }
    List<Treatment> all = treatments.expand();
    for (Treatment treatment : all) {
      Settings settings = treatment.settings();
      if (!settings.has(CoreSettings.DRIVER)) {
        throw whole.problem(
            "a treatment has no driver; give one as 'driver' in the grid or as a factor.");
      } else if (!settings.has(CoreSettings.PATH)) {
        throw whole.problem(
            "no access path is named; give one as 'path' in the workload or as a factor.");
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
      String sentence = "the driver '%s' has no path '%s'; choose from %s.";
      String paths = String.join(", ", driver.pathNames());
      throw mistake(
          treatment, CoreSettings.PATH, sentence, driver.description().name(), name, paths);
    }
    boolean readsExisting = path.get().job() == Job.READ;
    if (attached && path.get().onServers()) {
      throw mistake(
          treatment,
          CoreSettings.PATH,
          "the path '%s' needs Pyrometer's classes on the servers, and a grid that is attached to does not have them; remove the path, or let Pyrometer start the nodes.",
          name);
    }
    if (readsExisting && !settings.has(CoreSettings.EXISTING_CACHE)) {
      throw mistake(
          treatment,
          CoreSettings.PATH,
          "the path '%s' reads a cache that is in the grid already; name it as 'existing-cache' in the workload.",
          name);
    }
    if (!recordIsNamed && !readsExisting) {
      throw mistake(
          treatment,
          CoreSettings.PATH,
          "the path '%s' makes records of its own; say which as 'record' in the workload, or read with one of the paths whose names contain 'existing'.",
          name);
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
              throw where.apply(treatment.levels(), term).problem("%s", why);
            });
    driver
        .heededBy(path.get())
        .forEach(
            (setting, declared) -> {
              Object value = settings.values().get(setting);
              if (value != null && !SettingText.takes(declared, value)) {
                throw where
                    .apply(treatment.levels(), setting)
                    .problem(
                        "with path '%s', %s",
                        name, SettingText.sentence(declared, value.toString()));
              }
            });
  }

  private ExperimentException mistake(
      Treatment treatment, SettingKey<?> key, String sentence, Object... values) {
    return where.apply(treatment.levels(), key.name()).problem(sentence, values);
  }

  /** The shares of a mix are said once, and it can go on for ever. */
  private void checkMix(Treatment treatment) {
    Settings settings = treatment.settings();
    Set<String> operations =
        settings.find(PathSettings.MIX).map(mix -> mix.byName().keySet()).orElse(Set.of());
    if (!operations.isEmpty() && settings.has(CoreSettings.READS)) {
      String sentence = "'mix' and 'reads' both say how many calls read; remove 'reads'.";
      throw mistake(treatment, CoreSettings.READS, sentence);
    }
    if (!operations.isEmpty() && Collections.disjoint(operations, WRITES)) {
      String sentence =
          "a mix needs an operation that writes; add one of %s, or measure the path of the reads.";
      throw mistake(treatment, PathSettings.MIX, sentence, String.join(", ", WRITES));
    }
    if (treatment.varied().contains(PathSettings.BATCH.name())
        && operations.stream().noneMatch(name -> name.endsWith("-all"))) {
      String sentence =
          "no operation of the mix carries a batch; add get-all or put-all to 'mix', or remove 'batch'.";
      throw mistake(treatment, PathSettings.BATCH, sentence);
    }
    if (operations.contains("remove") && sharesKeys(settings)) {
      String sentence =
          "reads of removed keys are verified only with 'key-sharing: own'; remove 'key-sharing', or 'remove' from 'mix'.";
      throw mistake(treatment, CoreSettings.KEY_SHARING, sentence);
    }
  }

  private static boolean sharesKeys(Settings settings) {
    return settings.find(CoreSettings.KEY_SHARING).filter("shared"::equals).isPresent();
  }

  /** Every key is written once: nothing else can be asked of it. */
  private void checkOnce(Treatment treatment, PathDescription path) {
    Settings settings = treatment.settings();
    if (path.job() != Job.WRITE) {
      String sentence =
          "'keys: once' writes each key once, and the path '%s' does not; remove it, or take a path that writes.";
      throw mistake(treatment, CoreSettings.KEYS, sentence, path.name());
    }
    if (settings.find(CoreSettings.DISTINCT_RECORDS).filter(one -> one == 1).isPresent()
        && CoreSettings.existing(settings) > 0) {
      String sentence =
          "what is overwritten does not show with 'distinct-records: 1'; remove it, or 'existing'.";
      throw mistake(treatment, CoreSettings.KEYS, sentence);
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
      String sentence = "'keys: once' writes each key once, as fast as possible; remove '%s'.";
      throw mistake(treatment, CoreSettings.KEYS, sentence, with);
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
      String sentence = "the path '%s'%s has no setting '%s'; set it for %s alone.";
      throw at.problem(sentence, path, ofDriver, setting, paths);
    } else if (declared.get().traits().ofServers()
        && vocabulary.startsServers()
        && !driver.description().startsServers()) {
      throw at.problem(
          "'%s' belongs to nodes that Pyrometer starts, and the driver '%s' has none; vary it for other drivers alone.",
          setting, owner);
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
            ? "no treatment has all of %s; change its paths or settings, or require less."
                .formatted(keys(required))
            : "no treatment has %s: each %s; change its paths or settings, or require less."
                .formatted(
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
