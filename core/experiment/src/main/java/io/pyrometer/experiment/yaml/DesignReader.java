package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.SettingsReader.Given;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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

  /** The levels of a factor, which is a list of them or has them beside its role. */
  static List<YamlNode> levels(Pair factor) {
    return factor.value().value("levels").orElse(factor.value()).items();
  }

  /** The levels of a factor with the places of their settings. */
  List<Given> factor(Pair pair) {
    List<Given> levels = new ArrayList<>();
    for (YamlNode item : levels(pair)) {
      Given level = level(pair.key(), item);
      checkDifferent(item.scalar("label").map(Scalar::at).orElse(item.at()), level, levels);
      levels.add(level);
    }
    return levels;
  }

  private Given level(Scalar factor, YamlNode item) {
    String name = factor.text();
    if (item instanceof YamlNode.Keys) {
      YamlNode set = item.value("set").orElseThrow();
      return settings
          .read(set, "a level of factor '" + name + "'", List.of())
          .ofLevel(name, label(item.scalar("label").orElseThrow()));
    }
    Optional<SettingDescription> setting = settings.vocabulary().setting(name);
    if (setting.isEmpty()) {
      String hint =
          SpellingSuggestion.to(name, settings.vocabulary().settingNames())
              .map("did you mean '%s'?"::formatted)
              .orElse("write its levels as {label: …, set: {…}}.");
      throw factor.problem("factors.not-a-setting", name, hint);
    }
    Scalar scalar = SettingsReader.scalar(setting.get(), item, "a level");
    return settings.value(name, scalar).ofLevel(name, label(scalar));
  }

  private static String label(Scalar label) {
    label.refuseIf(label.text().length() > LONGEST_LABEL, "level.long-label", LONGEST_LABEL);
    return label.text();
  }

  private static void checkDifferent(Position at, Given level, List<Given> earlier) {
    for (Given before : earlier) {
      String label = before.label();
      at.refuseIf(label.equals(level.label()), "level.twice", level.factor(), label);
      Settings settings = level.settings();
      at.refuseIf(
          !settings.values().isEmpty() && before.settings().equals(settings),
          "level.same",
          label,
          level.label(),
          level.factor());
    }
  }

  /** A named set of settings, which a design starts from. */
  Given ofCase(Pair pair) {
    String name = label(pair.key());
    return settings
        .read(pair.value(), "case '" + name + "'", List.of())
        .ofLevel(Treatments.CASE, name);
  }

  /** The combinations of levels that become treatments. */
  static Design design(
      YamlNode node, List<Level> cases, List<Factor> factors, Map<String, Position> places) {
    if (node.hasKey("clear") || node.hasKey("runs")) {
      requireTwoLevels(factors, places, node.at());
      int runs = (int) Form.number(node, "runs", "/$defs/runs");
      List<String> clear = node.get("clear").texts();
      return rows(
          List.of(possible(node, () -> Designs.fraction(lettered(factors.size()), runs, clear))));
    }
    if (node.hasKey("except")) {
      Map<String, List<Level>> known = new HashMap<>(Map.of(Treatments.CASE, cases));
      factors.forEach(factor -> known.put(factor.name(), factor.levels()));
      return new Design.Except(
          node.get("except").items().stream().map(item -> exception(item, known)).toList());
    }
    Optional<YamlNode> fraction = node.value("fraction");
    if (fraction.isPresent()) {
      requireTwoLevels(factors, places, fraction.get().at());
      return fraction(fraction.get(), Form.flag(node, "foldover"), lettered(factors.size()));
    }
    String design = node.scalar().map(Scalar::text).orElse("full");
    if (design.equals("search")) {
      String rate = CoreSettings.RATE.name();
      boolean rates =
          factors.stream()
              .anyMatch(f -> f.name().equals(rate) && f.levels().size() >= FEWEST_RATES);
      node.refuseIf(!rates, "search.needs-rates", FEWEST_RATES);
      return new Design.Search();
    }
    return design.equals("full") ? new Design.Full() : new Design.OneAtATime();
  }

  private static Map<String, Set<String>> exception(YamlNode item, Map<String, List<Level>> known) {
    Map<String, Set<String>> exception = new HashMap<>();
    for (Pair pair : item.pairs()) {
      String factor = pair.key().text();
      List<String> labels =
          known.getOrDefault(factor, List.of()).stream().map(Level::label).toList();
      if (labels.isEmpty()) {
        throw pair.key().unknown("factor", new TreeSet<>(known.keySet()), "");
      }
      exception.put(
          factor,
          pair.value().scalars().stream()
              .map(label -> label.oneOf(labels, "level", " of factor '" + factor + "'"))
              .collect(Collectors.toSet()));
    }
    return exception;
  }

  private static void requireTwoLevels(
      List<Factor> factors, Map<String, Position> places, Position design) {
    for (Factor factor : factors) {
      int levels = factor.levels().size();
      places
          .getOrDefault(factor.name(), design)
          .refuseIf(levels != 2, "fraction.needs-two-levels", factor.name(), levels);
    }
    design.refuseIf(factors.size() > MOST_TWO_LEVEL_FACTORS, "design.too-many", Treatments.MOST);
  }

  /** A design of generators, which are refused at the first that is impossible. */
  private static Design fraction(
      YamlNode node, boolean foldover, List<io.pyrometer.analysis.factorial.Factor> factors) {
    List<Scalar> items = node.scalars();
    List<TwoLevelDesign> designs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      List<String> generators = node.texts().subList(0, i + 1);
      designs.add(possible(items.get(i), () -> Designs.fromGenerators(factors, generators)));
    }
    TwoLevelDesign fraction = designs.get(designs.size() - 1);
    node.refuseIf(fraction.resolution() == 2, "fraction.same-generator");
    return rows(foldover ? List.of(fraction, fraction.foldover()) : List.of(fraction));
  }

  private static TwoLevelDesign possible(YamlNode node, Supplier<TwoLevelDesign> design) {
    try {
      return design.get();
    } catch (BadDataException impossible) {
      String why = String.valueOf(impossible.getMessage()).replaceAll("[.]$", "");
      throw node.problem("fraction.impossible", why);
    }
  }

  /** The analysis speaks of A, B, C, whatever the factors' own names. */
  private static List<io.pyrometer.analysis.factorial.Factor> lettered(int factors) {
    return IntStream.range('A', 'A' + factors)
        .mapToObj(letter -> String.valueOf((char) letter))
        .map(letter -> io.pyrometer.analysis.factorial.Factor.of(letter, "-", "+"))
        .toList();
  }

  private static Design rows(List<TwoLevelDesign> designs) {
    return new Design.Rows(
        designs.stream()
            .flatMap(design -> Arrays.stream(design.signs()))
            .map(run -> Arrays.stream(run).map(sign -> sign > 0 ? 1 : 0).boxed().toList())
            .collect(Collectors.toSet()));
  }
}
