package io.pyrometer.experiment;

import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Whether each treatment of a design can be carried out. */
final class TreatmentCheck {

  private final Vocabulary vocabulary;
  private final Problems problems;
  private final BiFunction<Map<String, String>, String, Position> where;
  private final Position whole;

  /**
   * @param where the place of a setting's value in the treatment of given levels
   * @param whole the place of what concerns the design as a whole
   */
  TreatmentCheck(
      Vocabulary vocabulary,
      Problems problems,
      BiFunction<Map<String, String>, String, Position> where,
      Position whole) {
    this.vocabulary = vocabulary;
    this.problems = problems;
    this.where = where;
    this.whole = whole;
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
    } else {
      treatments.expand().forEach(treatment -> check(treatment, pathMayBeLost));
    }
  }

  private void check(Treatment treatment, boolean pathMayBeLost) {
    if (!treatment.settings().has("path")) {
      if (pathMayBeLost) {
        return;
      }
      problems.add(
          whole, "no access path is named; give one as 'path' in the workload or as a factor.");
      return;
    }
    String name = treatment.settings().text("path");
    Optional<PathDescription> path = vocabulary.path(name);
    if (path.isPresent()) {
      Map<String, SettingDescription> heeded = vocabulary.heededBy(path.get());
      treatment.varied().stream()
          .filter(setting -> !heeded.containsKey(setting))
          .forEach(setting -> unheeded(treatment, name, setting));
      treatment
          .settings()
          .values()
          .forEach((setting, value) -> checkRange(treatment, heeded.get(setting), value));
    }
  }

  private void unheeded(Treatment treatment, String path, String setting) {
    problems.add(
        where.apply(treatment.levels(), setting),
        "the path '"
            + path
            + "' has no setting '"
            + setting
            + "'; set it for "
            + String.join(", ", vocabulary.heeding(setting))
            + " alone.");
  }

  private void checkRange(Treatment treatment, @Nullable SettingDescription setting, Object value) {
    if (setting != null && !SettingText.inRange(setting, value)) {
      problems.add(
          where.apply(treatment.levels(), setting.name()),
          "with path '"
              + treatment.settings().text("path")
              + "', "
              + Expected.sentence(setting, String.valueOf(value)));
    }
  }
}
