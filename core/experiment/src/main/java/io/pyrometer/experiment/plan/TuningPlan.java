package io.pyrometer.experiment.plan;

import io.pyrometer.analysis.tuning.TuningSpace;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.ExperimentException.Problem;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Tunable;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A search as a plan: one treatment, and as many trials of it, each on processes of its own, as the
 * search may make. Which configuration each of them measures is decided when it is made.
 */
public final class TuningPlan {
  /** The most trials of a search. */
  public static final int MOST_TRIALS = 128;

  /** A default that depends on the machine. */
  private static final Pattern OF_CPUS =
      Pattern.compile("max\\((\\d+), CPUs(?: / (\\d+)| \\* (\\d+))?\\)");

  private final Experiment experiment;
  private final TuneSection section;
  private final KeptGuarantees kept;
  private final DriverVocabulary driver;
  private final Settings given;
  private final Settings base;
  private final Map<String, SettingDescription> heeded;
  private final List<String> excluded = new ArrayList<>();

  private TuningPlan(Experiment experiment, KeptGuarantees kept, Catalogue catalogue) {
    List<Treatment> treatments = experiment.treatments().expand();
    if (treatments.size() != 1) {
      String factors =
          experiment.levels().entrySet().stream()
              .filter(each -> each.getValue().size() > 1)
              .map(each -> "--set " + each.getKey() + "=" + each.getValue().get(0))
              .collect(Collectors.joining(" "));
      throw refused(
          "the experiment has %d treatments, and one is tuned; choose it, as with %s."
              .formatted(treatments.size(), factors));
    }
    this.experiment = experiment;
    this.kept = kept;
    this.section = experiment.options().tune().orElse(TuneSection.EVERYTHING);
    this.given = treatments.get(0).settings();
    this.driver = catalogue.vocabulary(experiment.drivers()).of(given).orElseThrow();
    PathDescription path = driver.path(given.get(CoreSettings.PATH)).orElseThrow();
    this.heeded = driver.heededBy(path);
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
    List<Knob> knobs = plan.knobs();
    double each = Plan.estimatedSeconds(one.groups().get(0));
    double forTrials = seconds - Plan.PROBED * one.probeSeconds();
    int trials = (int) Math.max(1, Math.min(MOST_TRIALS, Math.floor(forTrials / each)));
    Tuning tuning = new Tuning(goal, trials, knobs, plan.section.limits(), kept, plan.excluded);
    return Planner.plan(plan.blocks(trials), catalogue).tuned(tuning);
  }

  private Experiment blocks(int blocks) {
    Options of = experiment.options();
    return experiment.with(
        new Options(
            new Replication.Fixed(blocks),
            of.seed(),
            List.of(),
            probes(of.probes()),
            of.thresholds(),
            of.require(),
            of.tune()));
  }

  /** Those of the experiment, and those that show whether what is kept is really kept. */
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

  private static ExperimentException refused(String why) {
    return new ExperimentException(List.of(new Problem("tune", 0, 0, why)));
  }

  private List<Knob> knobs() {
    Map<String, Knob> knobs = new LinkedHashMap<>();
    for (SettingDescription setting : heeded.values()) {
      if (wanted(setting)) {
        knob(setting).ifPresent(knob -> knobs.put(setting.name(), knob));
      }
    }
    for (String name : named()) {
      if (!heeded.containsKey(name)) {
        throw refused(
            "'%s' has no effect on the path '%s'; leave it out."
                .formatted(name, given.get(CoreSettings.PATH)));
      }
    }
    knobs.values().removeIf(knob -> !mayHaveEffect(knob.setting(), knobs));
    if (knobs.isEmpty()) {
      throw refused(
          "there is no setting to tune: name settings or groups under 'tune', as the reference lists them%s."
              .formatted(excluded.isEmpty() ? "" : " (" + String.join(" ", excluded) + ")"));
    }
    List<String> order = List.copyOf(knobs.keySet());
    return knobs.values().stream().map(knob -> withNeeds(knob, order, knobs)).toList();
  }

  private Set<String> named() {
    Set<String> named = new HashSet<>(section.levels().keySet());
    section.settings().stream()
        .filter(name -> driver.setting(name).isPresent())
        .forEach(named::add);
    return named;
  }

  private boolean wanted(SettingDescription setting) {
    if (named().contains(setting.name())) {
      return true;
    }
    Optional<Tunable> how = setting.traits().tunable().filter(each -> !each.levels().isEmpty());
    boolean noServers =
        setting.traits().ofServers()
            && (experiment.testbed().attach().isPresent() || !driver.description().startsServers());
    return !noServers
        && how.filter(
                each ->
                    section.settings().contains(TuneSection.ALL)
                        || section.settings().contains(each.group()))
            .isPresent();
  }

  private Optional<Knob> knob(SettingDescription setting) {
    String name = setting.name();
    boolean ordered =
        switch (setting.type()) {
          case INTEGER, DECIMAL, BYTES, SECONDS, SHARE, RATE -> true;
          default -> false;
        };
    List<Level> levels =
        new ArrayList<>(
            Optional.ofNullable(section.levels().get(name)).orElseGet(() -> own(setting)));
    Level initial = initial(setting);
    Object there = valueOf(setting, initial);
    levels.removeIf(level -> valueOf(setting, level).equals(there));
    levels.add(0, initial);
    if (ordered) {
      levels.sort(Comparator.comparingDouble(level -> number(valueOf(setting, level))));
    }
    levels.removeIf(level -> !level.equals(initial) && !eligible(setting, level));
    return levels.size() < 2
        ? Optional.empty()
        : Optional.of(new Knob(name, levels, ordered, levels.indexOf(initial), Optional.empty()));
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private List<Level> own(SettingDescription setting) {
    List<String> texts = setting.traits().tunable().map(Tunable::levels).orElse(List.of());
    if (texts.isEmpty()) {
      throw refused(
          "'%s' has no levels of its own to try; name them under 'levels'."
              .formatted(setting.name()));
    }
    return texts.stream()
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
      String text = SettingText.written(setting, value);
      return new Level(text, Settings.NONE.with(setting.name(), value));
    }
    String text =
        setting.traits().tunable().flatMap(Tunable::productDefault).orElse(Tuning.DEFAULT);
    return new Level(productDefault(setting, text), Settings.NONE);
  }

  private static String productDefault(SettingDescription setting, String text) {
    Matcher cpus = OF_CPUS.matcher(text);
    if (cpus.matches()) {
      int divisor = cpus.group(2) == null ? 1 : Integer.parseInt(cpus.group(2));
      int factor = cpus.group(3) == null ? 1 : Integer.parseInt(cpus.group(3));
      return String.valueOf(
          Math.max(
              Integer.parseInt(cpus.group(1)),
              Runtime.getRuntime().availableProcessors() / divisor * factor));
    }
    return SettingText.parse(setting, text)
        .map(value -> SettingText.written(setting, value))
        .orElse(text);
  }

  private static Object valueOf(SettingDescription setting, Level level) {
    return Optional.ofNullable(level.settings().values().get(setting.name()))
        .or(() -> SettingText.parse(setting, level.label()))
        .orElse(level.label());
  }

  /** Whether the level alone, with all others at their default, loses no guarantee. */
  private boolean eligible(SettingDescription setting, Level level) {
    Set<String> lost = kept.lost(driver.description(), base, base.with(level.settings()));
    if (!lost.isEmpty()) {
      excluded.add(
          "%s %s is not tried: it gives up %s, which --allow permits."
              .formatted(setting.name(), level.label(), String.join(", ", lost)));
    }
    return lost.isEmpty();
  }

  private SettingDescription heeded(String name) {
    return Optional.ofNullable(heeded.get(name)).orElseThrow();
  }

  /** Whether what the setting needs holds, or is tuned as well. */
  private boolean mayHaveEffect(String name, Map<String, Knob> knobs) {
    return heeded(name)
        .traits()
        .needs()
        .map(
            needs ->
                knobs.containsKey(needs.setting())
                    || Optional.ofNullable(base.values().get(needs.setting()))
                        .filter(needs::fulfilledBy)
                        .isPresent())
        .orElse(true);
  }

  private Knob withNeeds(Knob knob, List<String> order, Map<String, Knob> knobs) {
    SettingDescription setting = heeded(knob.setting());
    Optional<TuningSpace.Needs> needs =
        setting
            .traits()
            .needs()
            .filter(need -> knobs.containsKey(need.setting()))
            .map(
                need -> {
                  Knob other = Optional.ofNullable(knobs.get(need.setting())).orElseThrow();
                  SettingDescription of = heeded(need.setting());
                  return new TuningSpace.Needs(
                      order.indexOf(need.setting()),
                      IntStream.range(0, other.levels().size())
                          .filter(i -> need.fulfilledBy(valueOf(of, other.levels().get(i))))
                          .boxed()
                          .collect(Collectors.toSet()));
                });
    return new Knob(knob.setting(), knob.levels(), knob.ordered(), knob.initial(), needs);
  }
}
