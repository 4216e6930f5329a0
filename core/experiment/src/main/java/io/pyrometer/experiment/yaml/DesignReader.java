package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads what is varied: factors with their levels, cases, and the design that combines them. */
final class DesignReader {

  private static final int LONGEST_LABEL = 80;
  private static final int FEWEST_RATES = 3;

  /** More of them give more than {@link Treatments#MOST} treatments. */
  private static final int MOST_TWO_LEVEL_FACTORS = 13;

  private final Vocabulary vocabulary;
  private final SettingsReader settingsReader;
  private final Form form;
  private final Problems problems;

  DesignReader(Vocabulary vocabulary, Form form, Problems problems) {
    this.vocabulary = vocabulary;
    this.settingsReader = new SettingsReader(vocabulary, problems);
    this.form = form;
    this.problems = problems;
  }

  List<PlacedFactor> factors(YamlNode node) {
    return node.pairs().stream().map(this::factor).toList();
  }

  /** The levels of a factor, which is a list of them or has them beside its role. */
  static List<YamlNode> levels(Pair factor) {
    return factor.value().value("levels").orElse(factor.value()).items();
  }

  private PlacedFactor factor(Pair pair) {
    List<PlacedLevel> levels = new ArrayList<>();
    for (YamlNode item : levels(pair)) {
      level(pair.key(), item)
          .ifPresent(
              level -> {
                checkDifferent(pair.key().text(), level, levels);
                levels.add(level);
              });
    }
    Optional<Role> role =
        pair.value()
            .textOf("role")
            .flatMap(
                text ->
                    Stream.of(Role.values())
                        .filter(each -> each.name().equalsIgnoreCase(text))
                        .findFirst());
    return new PlacedFactor(pair.key().text(), pair.key().at(), List.copyOf(levels), role);
  }

  private Optional<PlacedLevel> level(Scalar factor, YamlNode item) {
    String name = factor.text();
    if (item instanceof YamlNode.Keys) {
      Placed given =
          item.value("set")
              .map(set -> settingsReader.read(set, "a level of factor '" + name + "'", List.of()))
              .orElse(Placed.NOTHING);
      item.scalar("label").ifPresent(this::checkLabel);
      return item.scalar("label").map(label -> new PlacedLevel(label.text(), given, label.at()));
    }
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (setting.isEmpty()) {
      String hint =
          SpellingSuggestion.to(name, vocabulary.settingNames())
              .map("did you mean '%s'?"::formatted)
              .orElse("write its levels as {label: …, set: {…}}.");
      problems.add(factor.at(), "factor '%s' is not a setting; %s", name, hint);
      return Optional.empty();
    }
    Optional<Scalar> scalar = settingsReader.scalar(setting.get(), item, "a level");
    scalar.ifPresent(this::checkLabel);
    return scalar.map(s -> new PlacedLevel(s.text(), settingsReader.value(name, s), s.at()));
  }

  private void checkLabel(Scalar label) {
    if (label.text().length() > LONGEST_LABEL) {
      String sentence = "this label is longer than %d characters; shorten it.";
      problems.add(label.at(), sentence, LONGEST_LABEL);
    }
  }

  private void checkDifferent(String factor, PlacedLevel level, List<PlacedLevel> earlier) {
    for (PlacedLevel before : earlier) {
      if (before.label().equals(level.label())) {
        String sentence = "factor '%s' has the level '%s' twice; rename or remove one.";
        problems.add(level.at(), sentence, factor, level.label());
      } else if (!level.settings().settings().values().isEmpty()
          && before.settings().settings().equals(level.settings().settings())) {
        String sentence = "the levels '%s' and '%s' of factor '%s' set the same; remove one.";
        problems.add(level.at(), sentence, before.label(), level.label(), factor);
      }
    }
  }

  /** Named sets of settings, each of which a design starts from. */
  List<PlacedLevel> cases(YamlNode node) {
    List<PlacedLevel> cases = new ArrayList<>();
    for (Pair pair : node.pairs()) {
      String name = pair.key().text();
      checkLabel(pair.key());
      Placed given = settingsReader.read(pair.value(), "case '" + name + "'", List.of());
      cases.add(new PlacedLevel(name, given, pair.key().at()));
    }
    return cases;
  }

  /** Which combinations of levels become treatments. */
  Design design(YamlNode node, List<PlacedLevel> cases, List<PlacedFactor> factors) {
    if (node.hasKey("clear") || node.hasKey("runs")) {
      return clear(node, factors);
    }
    if (node.hasKey("except")) {
      Map<String, List<String>> known = new HashMap<>();
      known.put(Treatments.CASE, cases.stream().map(PlacedLevel::label).toList());
      for (PlacedFactor factor : factors) {
        known.put(factor.name(), factor.levels().stream().map(PlacedLevel::label).toList());
      }
      return new Design.Except(
          node.items("except").stream()
              .map(item -> exception(item, known))
              .filter(each -> !each.isEmpty())
              .toList());
    }
    Optional<YamlNode> fraction = node.value("fraction");
    if (fraction.isPresent()) {
      return fraction(fraction.get(), Form.flag(node, "foldover"), factors);
    }
    return switch (node.scalar().map(Scalar::text).orElse("full")) {
      case "one-at-a-time" -> new Design.OneAtATime();
      case "search" -> search(node, factors);
      default -> new Design.Full();
    };
  }

  private Design search(YamlNode node, List<PlacedFactor> factors) {
    String rate = CoreSettings.RATE.name();
    if (factors.stream()
        .noneMatch(f -> f.name().equals(rate) && f.levels().size() >= FEWEST_RATES)) {
      String sentence =
          "a search takes a factor 'rate' of %d or more rates; add it, such as rate: [500, 700, 1000, 1400].";
      problems.add(node.at(), sentence, FEWEST_RATES);
    }
    return new Design.Search();
  }

  private Map<String, Set<String>> exception(YamlNode item, Map<String, List<String>> known) {
    Map<String, Set<String>> exception = new HashMap<>();
    for (Pair pair : item.pairs()) {
      String factor = pair.key().text();
      List<String> labels = known.getOrDefault(factor, List.of());
      if (labels.isEmpty()) {
        problems.addUnknown("factor", pair.key(), new TreeSet<>(known.keySet()));
        continue;
      }
      Set<String> excepted = new HashSet<>();
      List<YamlNode> given =
          pair.value() instanceof Scalar ? List.of(pair.value()) : pair.value().items();
      for (Scalar label : given.stream().flatMap(each -> each.scalar().stream()).toList()) {
        if (!labels.contains(label.text())) {
          problems.addUnknown("level", label, labels, " of factor '" + factor + "'");
        }
        excepted.add(label.text());
      }
      exception.put(factor, excepted);
    }
    return exception;
  }

  /** Whether each factor has two levels; reports those that have another number. */
  private boolean twoLevels(List<PlacedFactor> factors) {
    boolean two = true;
    for (PlacedFactor factor : factors) {
      int levels = factor.levels().size();
      if (levels != 2) {
        two = false;
        String sentence =
            "factor '%s' has %d levels, and a fraction takes two of each; keep two or use another design.";
        problems.add(factor.at(), sentence, factor.name(), levels);
      }
    }
    return two;
  }

  private Design fraction(YamlNode node, boolean foldover, List<PlacedFactor> factors) {
    boolean two = twoLevels(factors);
    Map<Integer, Set<Integer>> generators = new TreeMap<>();
    for (YamlNode item : node.items()) {
      Optional<Set<Integer>> product = item.scalar().flatMap(text -> product(text, factors.size()));
      int generated = item.scalar().map(text -> text.text().charAt(0) - 'A').orElse(0);
      if (product.isPresent() && generators.put(generated, product.get()) != null) {
        String sentence = "factor %s has two generators; keep one of them.";
        problems.add(item.at(), sentence, letter(generated));
      }
    }
    Map<Set<Integer>, Integer> seen = new HashMap<>();
    generators.forEach(
        (generated, product) -> {
          String factor = letter(generated);
          if (!Collections.disjoint(product, generators.keySet())) {
            problems.add(
                node.at(),
                "the generator of factor %s uses a factor that is generated itself; use base factors alone.",
                factor);
          }
          Integer same = seen.put(product, generated);
          if (same != null) {
            problems.add(
                node.at(),
                "factors %s and %s have the same generator, so their effects are aliased; change one.",
                letter(same),
                factor);
          }
        });
    return two && factors.size() <= MOST_TWO_LEVEL_FACTORS
        ? rows(factors.size(), generators, foldover)
        : new Design.Full();
  }

  /**
   * The fraction 2^(k−p) of k factors, p of which follow from products of others.
   *
   * @param foldover whether every treatment is joined by its mirror, all levels exchanged, which
   *     parts main effects from effects of two factors
   */
  private static Design rows(int factors, Map<Integer, Set<Integer>> generators, boolean foldover) {
    Set<List<Integer>> rows = new HashSet<>();
    for (int run = 0; run < 1 << factors; run++) {
      int bits = run;
      List<Integer> row = IntStream.range(0, factors).mapToObj(f -> (bits >> f) & 1).toList();
      boolean follows =
          generators.entrySet().stream()
              .allMatch(
                  each ->
                      each.getValue().stream().mapToInt(f -> 1 - row.get(f)).sum() % 2
                          == 1 - row.get(each.getKey()));
      if (follows) {
        rows.add(row);
        if (foldover) {
          rows.add(row.stream().map(level -> 1 - level).toList());
        }
      }
    }
    return new Design.Rows(rows);
  }

  /** The factors of the product in a generator such as E=AB. */
  private Optional<Set<Integer>> product(Scalar scalar, int factors) {
    String[] sides = scalar.text().split("\\s*=\\s*", -1);
    if (!scalar.text().matches("[A-Z]\\s*=\\s*[A-Z]{2,}")) {
      return Optional.empty(); // Form says so
    }
    int generated = sides[0].charAt(0) - 'A';
    TreeSet<Integer> product =
        sides[1].chars().mapToObj(c -> c - 'A').collect(Collectors.toCollection(TreeSet::new));
    int highest = Math.max(generated, product.isEmpty() ? 0 : product.last());
    if (highest >= factors) {
      problems.add(
          scalar.at(),
          "there is no factor %s, only %d of them; use letters up to %s.",
          letter(highest),
          factors,
          letter(Math.max(0, factors - 1)));
      return Optional.empty();
    }
    if (product.size() < sides[1].length() || product.contains(generated)) {
      String sentence = "'%s' names a factor twice; name each letter once.";
      problems.add(scalar.at(), sentence, scalar.text());
      return Optional.empty();
    }
    return Optional.of(product);
  }

  private static String letter(int factor) {
    return String.valueOf((char) ('A' + factor));
  }

  /** Reads a design by the interactions that must not be aliased, {clear: [BC], runs: 16}. */
  private Design clear(YamlNode node, List<PlacedFactor> factors) {
    List<String> clear = new ArrayList<>();
    String last = letter(Math.max(0, factors.size() - 1));
    for (YamlNode item : node.items("clear")) {
      item.scalar()
          .filter(scalar -> scalar.text().matches("[A-Z]+"))
          .filter(scalar -> scalar.text().chars().anyMatch(c -> c > last.charAt(0)))
          .ifPresent(
              scalar ->
                  problems.add(
                      scalar.at(),
                      "'%s' names a factor that does not exist; use letters up to %s.",
                      scalar.text(),
                      last));
      item.scalar().ifPresent(scalar -> clear.add(scalar.text()));
    }
    int runs = (int) form.number(node, "runs", "/$defs/runs");
    if (!twoLevels(factors) || !problems.none()) {
      return new Design.Full();
    }
    // The search speaks of A, B, C, whatever the factors' own names.
    List<io.pyrometer.analysis.factorial.Factor> lettered =
        IntStream.range(0, factors.size())
            .mapToObj(i -> io.pyrometer.analysis.factorial.Factor.of(letter(i), "-", "+"))
            .toList();
    try {
      return new Design.Rows(
          Arrays.stream(Designs.fraction(lettered, runs, clear).signs())
              .map(run -> Arrays.stream(run).map(sign -> sign > 0 ? 1 : 0).boxed().toList())
              .collect(Collectors.toSet()));
    } catch (BadDataException impossible) {
      String sentence = impossible.getMessage();
      problems.add(
          node.at(), "%s", sentence == null ? "there is no such design; change it." : sentence);
      return new Design.Full();
    }
  }
}
