package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether some treatment has what {@code require} names, as its driver declares it. Without one,
 * every trial would be made for the answer that there is none.
 */
final class RequireValidation {

  private RequireValidation() {}

  /**
   * @param attached whether the servers are somebody else's, so that their number is not known
   * @return what is wrong, in one sentence
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
   * What a treatment declares; all guarantees for a cache that exists already, whose settings are
   * not known yet.
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
