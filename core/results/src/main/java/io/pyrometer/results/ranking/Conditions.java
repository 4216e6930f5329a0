package io.pyrometer.results.ranking;

import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.RunRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The factors of a run that are conditions: they change nothing but settings that are declared as
 * conditions, such as data, load or links, unless the experiment gives their role. All other
 * factors are choices, of which a recommendation names a level.
 */
final class Conditions {
  private final Set<String> settings = new HashSet<>();

  /** One trial of each treatment. */
  private final List<TrialSpec> trials;

  private Conditions(RunRecord run) {
    Map<Map<String, String>, TrialSpec> byTreatment = new LinkedHashMap<>();
    run.plan().trials().forEach(trial -> byTreatment.putIfAbsent(trial.levels(), trial));
    trials = List.copyOf(byTreatment.values());
    Stream.concat(
            CoreSettings.ALL.stream(),
            run.plan().drivers().values().stream().flatMap(Conditions::declared))
        .filter(setting -> setting.traits().condition())
        .forEach(setting -> settings.add(setting.name()));
  }

  private static Stream<SettingDescription> declared(DriverDescription driver) {
    return Stream.concat(
        driver.settings().stream(),
        driver.paths().stream().map(PathDescription::settings).flatMap(Collection::stream));
  }

  /** Those of a run, in the order of its experiment. */
  static List<String> of(RunRecord run) {
    Conditions conditions = new Conditions(run);
    return conditions.trials.stream()
        .flatMap(trial -> trial.levels().keySet().stream())
        .distinct()
        .filter(
            factor -> {
              Role role = run.plan().experiment().roles().get(factor);
              Set<String> changed = conditions.changedBy(factor);
              return role == null
                  ? !changed.isEmpty() && conditions.settings.containsAll(changed)
                  : role == Role.CONDITION;
            })
        .toList();
  }

  /** The settings that have one value at each level of a factor, but not the same at all. */
  private Set<String> changedBy(String factor) {
    Map<String, Map<String, Set<String>>> values = new LinkedHashMap<>();
    for (TrialSpec trial : trials) {
      String level = trial.levels().getOrDefault(factor, Treatments.AS_IN_CASE);
      if (!level.equals(Treatments.AS_IN_CASE)) {
        trial
            .settings()
            .values()
            .forEach(
                (setting, value) ->
                    values
                        .computeIfAbsent(setting, s -> new HashMap<>())
                        .computeIfAbsent(level, l -> new HashSet<>())
                        .add(String.valueOf(value)));
      }
    }
    Set<String> changed = new LinkedHashSet<>();
    long levels = trials.stream().map(trial -> trial.levels().get(factor)).distinct().count();
    values.forEach(
        (setting, byLevel) -> {
          boolean oneEach = byLevel.values().stream().allMatch(of -> of.size() == 1);
          boolean same = byLevel.size() == levels && Set.copyOf(byLevel.values()).size() == 1;
          if (oneEach && !same) {
            changed.add(setting);
          }
        });
    return changed;
  }
}
