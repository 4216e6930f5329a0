package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads factors with their levels, cases, and the design that combines them. */
record DesignReader(SettingsReader settings) {

  private static final int LONGEST_LABEL = 80;
  private static final int FEWEST_RATES = 3;

  /** More of them give more than {@link Treatments#MOST} treatments. */
  private static final int MOST_TWO_LEVEL_FACTORS = 13;

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
      PlacedLevel level = level(pair.key(), item);
      checkDifferent(pair.key().text(), level, levels);
      levels.add(level);
    }
    Optional<Role> role =
        pair.value().textOf("role").map(text -> Role.valueOf(text.toUpperCase(Locale.ROOT)));
    return new PlacedFactor(pair.key().text(), pair.key().at(), List.copyOf(levels), role);
  }

  private PlacedLevel level(Scalar factor, YamlNode item) {
    String name = factor.text();
    if (item instanceof YamlNode.Keys) {
      YamlNode set = item.value("set").orElseThrow();
      Placed given = settings.read(set, "a level of factor '" + name + "'", List.of());
      Scalar label = checkLabel(item.scalar("label").orElseThrow());
      return new PlacedLevel(label.text(), given, label.at());
    }
    SettingDescription setting =
        settings
            .vocabulary()
            .setting(name)
            .orElseThrow(
                () ->
                    factor
                        .at()
                        .problem(
                            "factors.not-a-setting",
                            name,
                            SpellingSuggestion.to(name, settings.vocabulary().settingNames())
                                .map("did you mean '%s'?"::formatted)
                                .orElse("write its levels as {label: …, set: {…}}.")));
    Scalar scalar = checkLabel(SettingsReader.scalar(setting, item, "a level"));
    return new PlacedLevel(scalar.text(), settings.value(name, scalar), scalar.at());
  }

  private static Scalar checkLabel(Scalar label) {
    label.at().refuseIf(label.text().length() > LONGEST_LABEL, "level.long-label", LONGEST_LABEL);
    return label;
  }

  private static void checkDifferent(String factor, PlacedLevel level, List<PlacedLevel> earlier) {
    for (PlacedLevel before : earlier) {
      if (before.label().equals(level.label())) {
        throw level.at().problem("level.twice", factor, level.label());
      } else if (!level.settings().settings().values().isEmpty()
          && before.settings().settings().equals(level.settings().settings())) {
        throw level.at().problem("level.same", before.label(), level.label(), factor);
      }
    }
  }

  /** Named sets of settings, each of which a design starts from. */
  List<PlacedLevel> cases(YamlNode node) {
    List<PlacedLevel> cases = new ArrayList<>();
    for (Pair pair : node.pairs()) {
      String name = pair.key().text();
      checkLabel(pair.key());
      Placed given = settings.read(pair.value(), "case '" + name + "'", List.of());
      cases.add(new PlacedLevel(name, given, pair.key().at()));
    }
    return cases;
  }

  /** The combinations of levels that become treatments. */
  static Design design(YamlNode node, List<PlacedLevel> cases, List<PlacedFactor> factors) {
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
          node.items("except").stream().map(item -> exception(item, known)).toList());
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

  private static Design search(YamlNode node, List<PlacedFactor> factors) {
    String rate = CoreSettings.RATE.name();
    node.at()
        .refuseIf(
            factors.stream()
                .noneMatch(f -> f.name().equals(rate) && f.levels().size() >= FEWEST_RATES),
            "search.needs-rates",
            FEWEST_RATES);
    return new Design.Search();
  }

  private static Map<String, Set<String>> exception(
      YamlNode item, Map<String, List<String>> known) {
    Map<String, Set<String>> exception = new HashMap<>();
    for (Pair pair : item.pairs()) {
      String factor = pair.key().text();
      List<String> labels = known.getOrDefault(factor, List.of());
      if (labels.isEmpty()) {
        throw pair.key().unknown("factor", new TreeSet<>(known.keySet()), "");
      }
      Set<String> excepted = new HashSet<>();
      for (Scalar label : pair.value().scalars().toList()) {
        if (!labels.contains(label.text())) {
          throw label.unknown("level", labels, " of factor '" + factor + "'");
        }
        excepted.add(label.text());
      }
      exception.put(factor, excepted);
    }
    return exception;
  }

  private static void requireTwoLevels(List<PlacedFactor> factors, YamlNode design) {
    for (PlacedFactor factor : factors) {
      int levels = factor.levels().size();
      factor.at().refuseIf(levels != 2, "fraction.needs-two-levels", factor.name(), levels);
    }
    design
        .at()
        .refuseIf(factors.size() > MOST_TWO_LEVEL_FACTORS, "design.too-many", Treatments.MOST);
  }

  private static Design fraction(YamlNode node, boolean foldover, List<PlacedFactor> factors) {
    requireTwoLevels(factors, node);
    List<Scalar> items = node.scalars().toList();
    List<String> texts = items.stream().map(Scalar::text).toList();
    List<TwoLevelDesign> designs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      List<String> generators = texts.subList(0, i + 1);
      designs.add(
          possible(items.get(i), () -> Designs.fromGenerators(lettered(factors), generators)));
    }
    TwoLevelDesign fraction = designs.get(designs.size() - 1);
    node.at().refuseIf(fraction.resolution() == 2, "fraction.same-generator");
    return rows(foldover ? List.of(fraction, fraction.foldover()) : List.of(fraction));
  }

  private static TwoLevelDesign possible(YamlNode node, Supplier<TwoLevelDesign> design) {
    try {
      return design.get();
    } catch (BadDataException impossible) {
      String why = String.valueOf(impossible.getMessage()).replaceAll("[.]$", "");
      throw node.at().problem("fraction.impossible", why);
    }
  }

  /** The analysis speaks of A, B, C, whatever the factors' own names. */
  private static List<Factor> lettered(List<PlacedFactor> factors) {
    return IntStream.range(0, factors.size())
        .mapToObj(i -> Factor.of(letter(i), "-", "+"))
        .toList();
  }

  private static Design rows(List<TwoLevelDesign> designs) {
    return new Design.Rows(
        designs.stream()
            .flatMap(design -> Arrays.stream(design.signs()))
            .map(run -> Arrays.stream(run).map(sign -> sign > 0 ? 1 : 0).boxed().toList())
            .collect(Collectors.toSet()));
  }

  private static String letter(int factor) {
    return String.valueOf((char) ('A' + factor));
  }

  /** Reads a design by the interactions that must not be aliased, {clear: [BC], runs: 16}. */
  private static Design clear(YamlNode node, List<PlacedFactor> factors) {
    requireTwoLevels(factors, node);
    int runs = (int) Form.number(node, "runs", "/$defs/runs");
    List<String> clear = node.scalars("clear").stream().map(Scalar::text).toList();
    return rows(List.of(possible(node, () -> Designs.fraction(lettered(factors), runs, clear))));
  }
}
