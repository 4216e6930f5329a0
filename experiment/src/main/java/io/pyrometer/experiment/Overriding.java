package io.pyrometer.experiment;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Applies a command line's changes to an experiment. */
final class Overriding {

  private static final Map<String, Double> QUICK_AT_MOST =
      Map.of("warm-up", 1.2, "measure", 1.3, "common-warm-up", 8.0);

  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})\\.\\.(\\d{1,6})");
  private static final int LARGEST_LABEL = 10_000;

  private static final Position NOWHERE = new Position(0, 0);

  private final Vocabulary vocabulary;
  private Experiment experiment;

  Overriding(Experiment experiment, Catalogue catalogue) {
    this.experiment = experiment;
    this.vocabulary = catalogue.vocabulary(experiment.driver());
  }

  Experiment apply(Overrides overrides) {
    List<Problem> problems = new ArrayList<>();
    if (overrides.quick()) {
      experiment.quick().stream()
          .filter(each -> overrides.set().stream().noneMatch(set -> name(set).equals(name(each))))
          .forEach(each -> set(each, problems));
    }
    for (String each : overrides.set()) {
      set(each, problems);
    }
    int blocks = overrides.blocks().orElse(overrides.quick() ? 1 : experiment.blocks());
    if (blocks < 1 || blocks > 1000) {
      problems.add(
          new Problem(
              "--blocks " + blocks, 0, 0, "blocks are a whole number from 1 to 1000; correct it."));
    }
    if (!problems.isEmpty()) {
      throw new ExperimentException(problems);
    }
    checkWhole(overrides);
    Experiment changed =
        new Builder(experiment).with(blocks, overrides.seed().orElse(experiment.seed()));
    return overrides.quick() ? quick(changed) : changed;
  }

  private static String name(String change) {
    return change.substring(0, Math.max(0, change.indexOf('='))).strip();
  }

  /** What each change leaves valid may not be valid together. */
  private void checkWhole(Overrides overrides) {
    Problems problems = new Problems("--set " + String.join(" --set ", overrides.set()));
    if (experiment.design().twoLevels()) {
      experiment.factors().stream()
          .filter(factor -> factor.levels().size() != 2)
          .forEach(
              factor ->
                  problems.add(
                      NOWHERE,
                      "a fraction takes two levels of each factor, and '"
                          + factor.name()
                          + "' has another number; keep both."));
    }
    if (Planner.noNodes(experiment, vocabulary)) {
      checkNoNodes(overrides, problems);
    }
    Treatments treatments = Planner.treatments(experiment);
    new TreatmentCheck(vocabulary, problems, (levels, setting) -> NOWHERE, NOWHERE)
        .check(treatments, false);
    HostReader.checkNetwork(treatments, experiment.hosts(), NOWHERE, problems);
    problems.throwIfAny();
  }

  private void checkNoNodes(Overrides overrides, Problems problems) {
    for (String option : overrides.set()) {
      String name = option.substring(0, option.indexOf('=')).strip();
      if (vocabulary.setting(name).filter(Vocabulary::ofNodes).isPresent()) {
        problems.add(
            NOWHERE,
            "'"
                + name
                + "' belongs to nodes that Pyrometer starts, and it starts none; remove it.");
      }
    }
  }

  private Experiment quick(Experiment full) {
    Settings settings = full.settings();
    for (Map.Entry<String, Double> most : QUICK_AT_MOST.entrySet()) {
      double given =
          settings.has(most.getKey()) ? settings.decimal(most.getKey()) : most.getValue();
      settings = settings.with(most.getKey(), Math.min(given, most.getValue()));
    }
    return new Builder(full).with(settings, full.factors(), full.cases());
  }

  private void set(String option, List<Problem> problems) {
    String source = "--set " + option;
    int equals = option.indexOf('=');
    if (equals < 1 || equals == option.length() - 1) {
      problems.add(new Problem(source, 0, 0, "this sets nothing; write factor=level."));
      return;
    }
    String name = option.substring(0, equals).strip();
    String value = option.substring(equals + 1).strip();
    Problems mine = new Problems(source);
    change(name, value, mine);
    try {
      mine.throwIfAny();
    } catch (ExperimentException e) {
      e.problems().forEach(p -> problems.add(new Problem(source, 0, 0, p.sentence())));
    }
  }

  private void change(String name, String value, Problems problems) {
    Optional<Factor> factor =
        experiment.factors().stream().filter(f -> f.name().equals(name)).findFirst();
    if (name.equals(Treatments.CASE) && !experiment.cases().isEmpty()) {
      List<Level> kept = levels(name, experiment.cases(), value, problems);
      experiment = new Builder(experiment).with(experiment.settings(), experiment.factors(), kept);
    } else if (factor.isPresent()) {
      List<Level> kept = levels(name, factor.get().levels(), value, problems);
      replace(factor.get(), new Factor(name, kept));
    } else if (vocabulary.setting(name).isPresent()) {
      YamlNode.Scalar scalar = new YamlNode.Scalar(NOWHERE, value, false);
      Given given =
          new GivenReader(vocabulary, problems)
              .value(vocabulary.setting(name).orElseThrow(), scalar);
      experiment =
          new Builder(experiment)
              .with(
                  experiment.settings().with(given.settings()),
                  experiment.factors(),
                  experiment.cases());
    } else {
      TreeSet<String> names = new TreeSet<>(vocabulary.settingNames());
      experiment.factors().forEach(each -> names.add(each.name()));
      problems.add(
          NOWHERE, "unknown factor or setting '" + name + "'; " + Nearest.hint(name, names));
    }
  }

  /** The levels named, which the factor has or which are values of its setting. */
  private List<Level> levels(String factor, List<Level> known, String value, Problems problems) {
    Optional<Level> whole = known.stream().filter(l -> l.label().equals(value)).findFirst();
    if (whole.isPresent()) {
      return List.of(whole.get());
    }
    List<Level> kept = new ArrayList<>();
    for (String label : labels(value)) {
      Optional<Level> level =
          known.stream()
              .filter(each -> each.label().equals(label))
              .findFirst()
              .or(() -> fresh(factor, label, known, problems));
      level.filter(each -> !kept.contains(each)).ifPresent(kept::add);
    }
    return kept;
  }

  /** Those with commas between them; {@code 1..4} stands for 1, 2, 3 and 4. */
  private static List<String> labels(String value) {
    List<String> labels = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      Matcher range = RANGE.matcher(part.strip());
      if (range.matches()) {
        int to = Math.min(Integer.parseInt(range.group(2)), LARGEST_LABEL);
        for (int i = Integer.parseInt(range.group(1)); i <= to; i++) {
          labels.add(String.valueOf(i));
        }
      } else {
        labels.add(part.strip());
      }
    }
    return labels;
  }

  private Optional<Level> fresh(String factor, String label, List<Level> known, Problems problems) {
    Optional<SettingDescription> setting = vocabulary.setting(factor);
    if (setting.isPresent()) {
      YamlNode.Scalar scalar = new YamlNode.Scalar(NOWHERE, label, false);
      Given given = new GivenReader(vocabulary, problems).value(setting.get(), scalar);
      return Optional.of(new Level(label, given.settings()));
    }
    List<String> labels = known.stream().map(Level::label).toList();
    problems.add(
        NOWHERE,
        "factor '" + factor + "' has no level '" + label + "'; " + Nearest.hint(label, labels));
    return Optional.empty();
  }

  private void replace(Factor old, Factor fresh) {
    List<Factor> factors =
        experiment.factors().stream().map(each -> each.equals(old) ? fresh : each).toList();
    experiment = new Builder(experiment).with(experiment.settings(), factors, experiment.cases());
  }

  /** Copies of an experiment with parts exchanged. */
  private record Builder(Experiment from) {

    Experiment with(Settings settings, List<Factor> factors, List<Level> cases) {
      return copy(settings, factors, cases, from.blocks(), from.seed());
    }

    Experiment with(int blocks, long seed) {
      return copy(from.settings(), from.factors(), from.cases(), blocks, seed);
    }

    private Experiment copy(
        Settings settings, List<Factor> factors, List<Level> cases, int blocks, long seed) {
      return new Experiment(
          from.name(),
          from.question(),
          from.driver(),
          from.config(),
          from.attach(),
          settings,
          from.record(),
          cases,
          factors,
          from.design(),
          blocks,
          seed,
          from.analyses(),
          from.probes(),
          from.quick(),
          from.published(),
          from.full(),
          from.hosts(),
          from.source());
    }
  }
}
