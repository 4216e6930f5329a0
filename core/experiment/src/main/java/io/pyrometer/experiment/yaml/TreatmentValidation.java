package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.EqualSettings;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Whether each treatment of a design can be carried out with its own driver. */
final class TreatmentValidation {

  private final Vocabulary vocabulary;
  private final Problems problems;
  private final BiFunction<Map<String, String>, String, Position> where;
  private final Position whole;
  private final boolean attached;
  private final boolean recordIsNamed;

  /**
   * @param where the place of a setting's value in the treatment of given levels
   * @param whole the place of what concerns the design as a whole
   * @param attached whether the servers are somebody else's, without Pyrometer's classes
   * @param recordIsNamed whether the file says what paths write
   */
  TreatmentValidation(
      Vocabulary vocabulary,
      Problems problems,
      BiFunction<Map<String, String>, String, Position> where,
      Position whole,
      boolean attached,
      boolean recordIsNamed) {
    this.vocabulary = vocabulary;
    this.problems = problems;
    this.where = where;
    this.whole = whole;
    this.attached = attached;
    this.recordIsNamed = recordIsNamed;
  }

  /**
   * @param pathMayBeLost whether not to complain of a missing path
   */
  void check(Treatments treatments, boolean pathMayBeLost) {
    if (treatments.atMost() > Treatments.MOST) {
      problems.add(
          whole,
          "the design has more than "
              + Treatments.MOST
              + " treatments; take levels away or use a fraction or one-at-a-time.");
      return;
    }
    for (Treatment treatment : treatments.expand()) {
      Settings settings = treatment.settings();
      if (settings.has(CoreSettings.DRIVER) && settings.has(CoreSettings.PATH)) {
        vocabulary.of(settings).ifPresent(driver -> check(treatment, driver));
      } else if (!settings.has(CoreSettings.DRIVER)) {
        problems.add(
            whole, "a treatment has no driver; give one as 'driver' in the grid or as a factor.");
      } else if (!pathMayBeLost) {
        problems.add(
            whole, "no access path is named; give one as 'path' in the workload or as a factor.");
      }
    }
  }

  private void check(Treatment treatment, DriverVocabulary driver) {
    String name = treatment.settings().get(CoreSettings.PATH);
    Optional<PathDescription> path = driver.path(name);
    if (path.isPresent()) {
      if (attached && path.get().onServers()) {
        problems.add(
            where.apply(treatment.levels(), CoreSettings.PATH.name()),
            "the path '%s' needs Pyrometer's classes on the servers, and a grid that is attached to does not have them; remove the path, or let Pyrometer start the nodes."
                .formatted(name));
      }
      boolean readsExisting = path.get().job() == Job.READ;
      if (readsExisting && !treatment.settings().has(CoreSettings.EXISTING_CACHE)) {
        problems.add(
            where.apply(treatment.levels(), CoreSettings.PATH.name()),
            "the path '%s' reads a cache that is in the grid already; name it as 'existing-cache' in the workload."
                .formatted(name));
      }
      if (!recordIsNamed && !readsExisting) {
        problems.add(
            where.apply(treatment.levels(), CoreSettings.PATH.name()),
            "the path '%s' makes records of its own; say which as 'record' in the workload, or read with one of the paths whose names contain 'existing'."
                .formatted(name));
      }
      Map<String, SettingDescription> heeded = driver.heededBy(path.get());
      for (String setting : treatment.varied()) {
        checkHeeded(treatment, driver, name, setting, heeded.get(setting));
      }
      EqualSettings.problems(driver, treatment.settings())
          .forEach(
              (term, sentence) -> problems.add(where.apply(treatment.levels(), term), sentence));
      treatment
          .settings()
          .values()
          .forEach((setting, value) -> checkRange(treatment, heeded.get(setting), value));
    } else if (vocabulary.knowsPath(name)) {
      problems.add(
          where.apply(treatment.levels(), CoreSettings.PATH.name()),
          "the driver '%s' has no path '%s'; choose from %s."
              .formatted(driver.description().name(), name, String.join(", ", driver.pathNames())));
    }
  }

  private void checkHeeded(
      Treatment treatment,
      DriverVocabulary driver,
      String path,
      String setting,
      @Nullable SettingDescription declared) {
    Position at = where.apply(treatment.levels(), setting);
    String owner = driver.description().name();
    if (declared == null) {
      boolean several = vocabulary.driverNames().size() > 1;
      problems.add(
          at,
          "the path '%s'%s has no setting '%s'; set it for %s alone."
              .formatted(
                  path,
                  several ? " of driver '" + owner + "'" : "",
                  setting,
                  String.join(", ", vocabulary.heeding(setting))));
    } else if (declared.traits().ofServers()
        && vocabulary.startsServers()
        && !driver.description().startsServers()) {
      problems.add(
          at,
          "'%s' belongs to nodes that Pyrometer starts, and the driver '%s' has none; vary it for other drivers alone."
              .formatted(setting, owner));
    }
  }

  private void checkRange(Treatment treatment, @Nullable SettingDescription setting, Object value) {
    if (setting != null && !SettingText.takes(setting, value)) {
      problems.add(
          where.apply(treatment.levels(), setting.name()),
          "with path '"
              + treatment.settings().get(CoreSettings.PATH)
              + "', "
              + SettingText.sentence(setting, String.valueOf(value)));
    }
  }
}
