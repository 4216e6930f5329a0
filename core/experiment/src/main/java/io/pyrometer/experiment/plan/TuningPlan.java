package io.pyrometer.experiment.plan;

import io.pyrometer.analysis.tuning.SearchSizes;
import io.pyrometer.analysis.tuning.TuningSpace;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.model.Tuning.Omitted;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription.Tunable;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A search as a plan: one treatment, and as many trials of it, each on processes of its own, as the
 * search may make. Which configuration each of them measures is decided when it is made.
 */
public final class TuningPlan {
  public static final int MOST_TRIALS = 128;

  private final Experiment experiment;
  private final TuneSection section;
  private final KeptGuarantees kept;
  private final DriverVocabulary driver;
  private final Settings given;
  private final Settings base;
  private final PathDescription path;
  private final List<String> excluded = new ArrayList<>();

  private TuningPlan(Experiment experiment, KeptGuarantees kept, Catalogue catalogue) {
    List<Treatment> treatments = experiment.treatments().expand();
    if (treatments.size() != 1) {
      String factors =
          experiment.levels().entrySet().stream()
              .filter(each -> each.getValue().size() > 1)
              .map(each -> "--set " + each.getKey() + "=" + each.getValue().get(0))
              .collect(Collectors.joining(" "));
      throw refused("tune.one-treatment", treatments.size(), factors);
    }
    this.experiment = experiment;
    this.kept = kept;
    this.section = experiment.options().tune().orElse(TuneSection.EVERYTHING);
    this.given = treatments.get(0).settings();
    this.driver = catalogue.vocabulary(experiment.drivers()).of(given);
    this.path = driver.path(given.get(CoreSettings.PATH)).orElseThrow();
    this.base = driver.complete(path, given);
  }

  /**
   * Plans a search.
   *
   * @param seconds that it may take by estimate
   * @throws ExperimentException if there is nothing to tune, or more than one treatment
   */
  public static Plan of(
      Experiment experiment, Goal goal, double seconds, KeptGuarantees kept, Catalogue catalogue) {
    TuningPlan plan = new TuningPlan(experiment, kept, catalogue);
    Plan one = Planner.plan(plan.blocks(1), catalogue);
    List<Knob> candidates = plan.candidates();
    double each = Plan.estimatedSeconds(one.groups().get(0));
    double probes = Plan.PROBED * one.probeSeconds();
    int trials = (int) Math.max(1, Math.min(MOST_TRIALS, Math.floor((seconds - probes) / each)));
    int taken = candidates.size();
    while (taken > 0 && least(candidates.subList(0, taken)) > trials) {
      taken--;
    }
    if (taken == 0) {
      double needed = least(candidates.subList(0, 1)) * each + probes;
      throw refused("tune.budget", candidates.get(0).setting(), (long) Math.ceil(needed / 60));
    }
    List<Knob> tuned = plan.withEffect(candidates.subList(0, taken));
    List<Knob> knobs = tuned.stream().map(knob -> plan.withNeeds(knob, tuned)).toList();
    List<String> left = new ArrayList<>(names(candidates));
    left.removeAll(names(knobs));
    Optional<Omitted> omitted =
        left.isEmpty()
            ? Optional.empty()
            : Optional.of(new Omitted(left, least(candidates) * each + probes));
    Tuning tuning =
        new Tuning(goal, trials, knobs, plan.section.limits(), kept, plan.excluded, omitted);
    Plan search = Planner.plan(plan.blocks(trials), catalogue);
    return new Plan(
        search.experiment(), search.groups(), search.failOverSeconds(), Optional.of(tuning));
  }

  private static List<String> names(List<Knob> knobs) {
    return knobs.stream().map(Knob::setting).toList();
  }

  private static int least(List<Knob> knobs) {
    return SearchSizes.least(
        knobs.size(), knobs.stream().anyMatch(knob -> knob.levels().size() > 2));
  }

  private Experiment blocks(int blocks) {
    Options of = experiment.options();
    return experiment.with(
        new Options(
            blocks,
            of.seed(),
            List.of(),
            probes(of.probes()),
            of.thresholds(),
            of.require(),
            of.tune()));
  }

  /** Probes of the experiment, and those that show whether what is kept is really kept. */
  private List<ProbeKind> probes(List<ProbeKind> own) {
    boolean several = base.get(CoreSettings.NODES) > 1;
    boolean starts =
        driver.description().startsServers() && experiment.testbed().attach().isEmpty();
    return Stream.of(ProbeKind.values())
        .filter(
            kind ->
                own.contains(kind)
                    || kind == ProbeKind.ORDER
                    || kind == ProbeKind.READ
                    || (kind == ProbeKind.KILL && several && starts))
        .toList();
  }

  private static ExperimentException refused(String id, Object... values) {
    return new ExperimentException("tune", ExperimentException.words(id, values));
  }

  /** The settings that can be varied, the most important first. */
  private List<Knob> candidates() {
    List<Knob> knobs =
        withEffect(settings().stream().flatMap(name -> knob(heeded(name)).stream()).toList());
    if (knobs.isEmpty()) {
      String why = excluded.isEmpty() ? "" : " (" + String.join(" ", excluded) + ")";
      throw refused("tune.no-settings", why);
    }
    return knobs;
  }

  /** Knobs whose setting needs nothing, or what holds or is among the others. */
  private List<Knob> withEffect(List<Knob> all) {
    List<Knob> knobs = new ArrayList<>(all);
    for (Knob knob : all) {
      Optional<Needs> needs = heeded(knob.setting()).traits().needs();
      if (needs
          .filter(each -> !names(knobs).contains(each.setting()) && !holds(each))
          .isPresent()) {
        knobs.remove(knob);
      }
    }
    return knobs;
  }

  private boolean holds(Needs needs) {
    Object value = base.values().get(needs.setting());
    return value != null && needs.fulfilledBy(value);
  }

  /** Names of the settings with levels in the file, then of those on the driver's list. */
  private Set<String> settings() {
    Set<String> names = new LinkedHashSet<>(section.levels().keySet());
    section.settings().stream().filter(name -> !name.equals(TuneSection.ALL)).forEach(names::add);
    for (String name : names) {
      if (driver.heeded(path, name).isEmpty()) {
        throw refused("tune.no-effect", name, given.get(CoreSettings.PATH));
      }
    }
    if (section.settings().contains(TuneSection.ALL)) {
      driver.description().tunable().stream()
          .map(Tunable::setting)
          .filter(name -> driver.heeded(path, name).filter(this::isOfGrid).isPresent())
          .forEach(names::add);
    }
    return names;
  }

  /** Checks whether the grid has what the setting belongs to. */
  private boolean isOfGrid(SettingDescription setting) {
    boolean attached = experiment.testbed().attach().isPresent();
    boolean property = setting.name().startsWith(SettingDescription.PROPERTY);
    return !attached
        || !(setting.traits().ofServers() || (property && setting.scope() == Scope.PROCESS));
  }

  private Optional<Knob> knob(SettingDescription setting) {
    String name = setting.name();
    List<Level> levels = new ArrayList<>(section.levels().getOrDefault(name, listed(setting)));
    Level initial = initial(setting);
    Object there = valueOf(setting, initial);
    levels.removeIf(level -> valueOf(setting, level).equals(there));
    levels.add(0, initial);
    boolean ordered = levels.stream().noneMatch(l -> Double.isNaN(number(valueOf(setting, l))));
    if (ordered) {
      levels.sort(Comparator.comparingDouble(level -> number(valueOf(setting, level))));
    }
    levels.removeIf(level -> !level.equals(initial) && !eligible(setting, level));
    return levels.size() < 2
        ? Optional.empty()
        : Optional.of(new Knob(name, levels, ordered, levels.indexOf(initial), Optional.empty()));
  }

  /** The number of a value, or of the text of an option of the product; else not a number. */
  private static double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    try {
      return Double.parseDouble(value.toString());
    } catch (NumberFormatException name) {
      return Double.NaN;
    }
  }

  private List<Level> listed(SettingDescription setting) {
    Optional<Tunable> listed = driver.description().tunable(setting.name());
    return listed.map(Tunable::levels).orElse(List.of()).stream()
        .flatMap(
            text ->
                SettingText.parse(setting, text).stream()
                    .map(value -> new Level(text, Settings.NONE.with(setting.name(), value))))
        .toList();
  }

  /** As the experiment has it; without settings where it leaves it to the product. */
  private Level initial(SettingDescription setting) {
    Object value = base.values().get(setting.name());
    if (value != null) {
      return new Level(
          SettingText.written(setting, value), Settings.NONE.with(setting.name(), value));
    }
    Optional<Tunable> listed = driver.description().tunable(setting.name());
    return new Level(listed.flatMap(Tunable::productDefault).orElse(Tuning.DEFAULT), Settings.NONE);
  }

  private static Object valueOf(SettingDescription setting, Level level) {
    return Optional.ofNullable(level.settings().values().get(setting.name()))
        .or(() -> SettingText.parse(setting, level.label()))
        .orElse(level.label());
  }

  /** Checks whether the level alone, with all others at their default, loses no guarantee. */
  private boolean eligible(SettingDescription setting, Level level) {
    Set<String> lost = kept.lost(driver.description(), base, base.with(level.settings()));
    if (!lost.isEmpty()) {
      excluded.add(
          ExperimentException.words(
              "tune.not-tried", setting.name(), level.label(), String.join(", ", lost)));
    }
    return lost.isEmpty();
  }

  private SettingDescription heeded(String name) {
    return driver.heeded(path, name).orElseThrow();
  }

  private Knob withNeeds(Knob knob, List<Knob> knobs) {
    Optional<TuningSpace.Needs> needs =
        heeded(knob.setting())
            .traits()
            .needs()
            .filter(need -> names(knobs).contains(need.setting()))
            .map(
                need -> {
                  int index = names(knobs).indexOf(need.setting());
                  List<Level> levels = knobs.get(index).levels();
                  SettingDescription of = heeded(need.setting());
                  return new TuningSpace.Needs(
                      index,
                      IntStream.range(0, levels.size())
                          .filter(i -> need.fulfilledBy(valueOf(of, levels.get(i))))
                          .boxed()
                          .collect(Collectors.toSet()));
                });
    return new Knob(knob.setting(), knob.levels(), knob.ordered(), knob.initial(), needs);
  }
}
