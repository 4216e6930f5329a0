package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ExperimentRules.Parsed;
import io.pyrometer.experiment.yaml.ExperimentRules.Resolved;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Traits;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Changes that a command line makes in an experiment.
 *
 * @param quick one block, and shorter warm-up and measurement
 * @param blocks how many blocks; goes before {@code quick} and the file's replication
 * @param seed instead of the file's
 * @param set each {@code name=value,…}: the levels to keep of a factor (or others of its setting),
 *     or the value of a setting
 */
public record Overrides(
    boolean quick, Optional<Integer> blocks, Optional<Long> seed, List<String> set) {

  private static final Map<SettingKey<Double>, Double> QUICK_AT_MOST =
      Map.of(
          CoreSettings.WARM_UP, 1.2,
          CoreSettings.MEASURE, 1.3,
          CoreSettings.COMMON_WARM_UP, 8.0);
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})\\.\\.(\\d{1,6})");
  private static final Pattern ASSIGNMENT = Pattern.compile(",\\s*([a-z][\\w.-]*)=");
  private static final int LARGEST_LABEL = 10_000;

  /**
   * A setting or factor, and the text that it is to be.
   *
   * @param option as written
   */
  private record Change(String option, String name, String value) {

    static List<Change> of(List<String> assignments) {
      return assignments.stream().map(Change::of).toList();
    }

    private static Change of(String assignment) {
      int sign = assignment.indexOf('=');
      return new Change(
          "--set " + assignment,
          assignment.substring(0, Math.max(0, sign)).strip(),
          assignment.substring(sign + 1).strip());
    }
  }

  /**
   * @throws ExperimentException if a change names what does not exist, or the result is not valid
   */
  public Experiment applyTo(Experiment experiment, Catalogue catalogue) {
    int count = blocks.orElse(1);
    Position.of("--blocks " + count)
        .refuseIf(count < 1 || count > Options.MOST_BLOCKS, "blocks.range", Options.MOST_BLOCKS);
    Set<String> asked = names(set);
    List<Change> changes = new ArrayList<>();
    if (quick) {
      changes.addAll(Change.of(experiment.variants().quick()));
      changes.removeIf(change -> asked.contains(change.name()));
    }
    changes.addAll(Change.of(set));
    Vocabulary vocabulary = vocabulary(experiment, catalogue, changes);
    Treatments treatments = experiment.treatments();
    for (Change change : changes) {
      treatments = new Application(vocabulary, treatments, change).result();
      asked.add(change.name());
    }
    Experiment changed = experiment.with(quick ? shortened(treatments, asked) : treatments);
    checkWhole(changed, vocabulary);
    Options of = experiment.options();
    int whole = blocks.isPresent() || quick ? count : of.blocks();
    return changed.with(of.with(whole, seed.orElse(of.seed())));
  }

  private static Set<String> names(List<String> assignments) {
    return Change.of(assignments).stream()
        .map(Change::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The experiment at its full length.
   *
   * @throws ExperimentException if the file gives none
   */
  public static Experiment atFullLength(Experiment experiment, Catalogue catalogue) {
    Variants variants = experiment.variants();
    Position.of("--full").refuseIf(variants.full().isEmpty(), "full.none", experiment.name());
    return new Overrides(false, Optional.empty(), Optional.empty(), variants.full())
        .applyTo(experiment, catalogue)
        .with(new Variants(variants.quick(), List.of(), List.of()));
  }

  /** The vocabulary of the experiment's drivers and of those that a change names. */
  private static Vocabulary vocabulary(
      Experiment experiment, Catalogue catalogue, List<Change> changes) {
    Set<String> drivers = new LinkedHashSet<>(experiment.drivers());
    changes.stream()
        .filter(change -> change.name().equals(CoreSettings.DRIVER.name()))
        .flatMap(change -> Stream.of(change.value().split(",", -1)))
        .map(String::strip)
        .filter(catalogue.drivers()::containsKey)
        .forEach(drivers::add);
    return catalogue.vocabulary(drivers);
  }

  /**
   * @param asked settings that the experiment gives a quick run itself, or the command line,
   *     however long
   */
  private static Treatments shortened(Treatments treatments, Set<String> asked) {
    Settings settings = treatments.base();
    for (Map.Entry<SettingKey<Double>, Double> most : QUICK_AT_MOST.entrySet()) {
      SettingKey<Double> key = most.getKey();
      boolean staged = key.equals(CoreSettings.MEASURE) && settings.has(CoreSettings.STAGES);
      if (!asked.contains(key.name()) && !staged) {
        double given = settings.has(key) ? settings.get(key) : most.getValue();
        settings = settings.with(key, Math.min(given, most.getValue()));
      }
    }
    return treatments.withBase(settings);
  }

  /** Changes that are valid one by one may not be valid together. */
  private void checkWhole(Experiment changed, Vocabulary vocabulary) {
    Position all = Position.of("--set " + String.join(" --set ", set));
    Treatments treatments = changed.treatments();
    for (Factor factor : treatments.factors()) {
      all.refuseIf(
          treatments.design() instanceof Design.Rows && factor.levels().size() != 2,
          "set.two-levels",
          factor.name());
    }
    boolean attached = changed.testbed().attach().isPresent();
    boolean servers = !attached && vocabulary.startsServers();
    for (String name : names(set)) {
      Traits traits = vocabulary.setting(name).map(SettingDescription::traits).orElse(Traits.NONE);
      all.refuseIf(!servers && traits.ofServers(), "set.of-servers", name);
      all.refuseIf(!attached && traits.ofAttached(), "set.of-attached", name);
    }
    ExperimentRules rules =
        new ExperimentRules(
            vocabulary, changed.testbed(), changed.record(), Parsed.of(treatments, all));
    List<Resolved> expanded = rules.checkTreatments();
    rules.checkNetwork(expanded);
    all.refuse(rules.unmet(changed.require(), expanded).map("'require': "::concat));
  }

  /** Makes one change. */
  private record Application(Vocabulary vocabulary, Treatments treatments, Change change) {

    Treatments result() {
      String name = change.name();
      String value = change.value();
      Position at = Position.of(change.option());
      at.refuseIf(name.isEmpty() || value.isEmpty(), "set.nothing");
      if (name.equals(Treatments.CASE) && !treatments.cases().isEmpty()) {
        return treatments.withCases(levels(treatments.cases()));
      }
      if (treatments.factors().stream().anyMatch(factor -> factor.name().equals(name))) {
        List<Factor> factors = new ArrayList<>(treatments.factors());
        factors.replaceAll(
            each -> each.name().equals(name) ? each.with(levels(each.levels())) : each);
        return treatments.withFactors(factors);
      }
      if (vocabulary.setting(name).isEmpty()) {
        TreeSet<String> names = new TreeSet<>(vocabulary.settingNames());
        treatments.factors().forEach(each -> names.add(each.name()));
        throw scalar(name).unknown("factor or setting", names, "");
      }
      whatAlwaysSets(name).ifPresent(who -> at.refuseIf(true, "set.no-effect", who, name));
      boolean staged = treatments.base().has(CoreSettings.STAGES);
      at.refuseIf(staged && SettingsReader.OF_STAGES.contains(name), "stages.and-setting", name);
      another().ifPresent(other -> at.refuseIf(true, "set.two-in-one", other, name));
      return treatments.withBase(treatments.base().with(setting(value)));
    }

    /** The setting or factor that the value sets behind a comma. */
    private Optional<String> another() {
      return ASSIGNMENT
          .matcher(change.value())
          .results()
          .map(match -> match.group(1))
          .filter(
              name ->
                  vocabulary.setting(name).isPresent()
                      || treatments.factors().stream().anyMatch(f -> f.name().equals(name)))
          .findFirst();
    }

    /** The factor, or the cases, whose levels all go before a value of the setting. */
    private Optional<String> whatAlwaysSets(String setting) {
      return Stream.concat(
              treatments.factors().stream()
                  .filter(factor -> Level.allSet(factor.levels(), setting))
                  .map(factor -> "every level of factor '" + factor.name() + "'"),
              Stream.of("every case").filter(cases -> Level.allSet(treatments.cases(), setting)))
          .findFirst();
    }

    private Scalar scalar(String text) {
      return new Scalar(Position.of(change.option()), text, false);
    }

    private Settings setting(String value) {
      return new SettingsReader(vocabulary).value(change.name(), scalar(value)).settings();
    }

    /** The levels named, which the factor has or which are values of its setting. */
    private List<Level> levels(List<Level> known) {
      String value = change.value();
      boolean whole = known.stream().anyMatch(level -> level.label().equals(value));
      Stream<String> labels = whole ? Stream.of(value) : labels(value);
      return labels.map(label -> level(label, known)).distinct().toList();
    }

    /** Labels with commas between them; {@code 1..4} stands for 1, 2, 3 and 4. */
    private static Stream<String> labels(String value) {
      return Stream.of(value.split(",", -1))
          .map(String::strip)
          .flatMap(
              part -> {
                Matcher range = RANGE.matcher(part);
                return range.matches()
                    ? IntStream.rangeClosed(
                            Integer.parseInt(range.group(1)),
                            Math.min(Integer.parseInt(range.group(2)), LARGEST_LABEL))
                        .mapToObj(String::valueOf)
                    : Stream.of(part);
              });
    }

    private Level level(String label, List<Level> known) {
      Optional<Level> own = known.stream().filter(each -> each.label().equals(label)).findFirst();
      if (own.isPresent() || vocabulary.setting(change.name()).isPresent()) {
        return own.orElseGet(() -> new Level(label, setting(label)));
      }
      List<String> labels = known.stream().map(Level::label).toList();
      throw scalar(label).unknown("level", labels, " of factor '" + change.name() + "'");
    }
  }
}
