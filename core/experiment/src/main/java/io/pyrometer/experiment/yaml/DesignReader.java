package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Reads which combinations of levels become treatments. */
final class DesignReader {

  static final SettingDescription RUNS =
      SettingDescription.integer(
          "runs", Scope.LOAD, 16, 4, 1024, "Number of treatments, a power of two.");

  private static final String EXCEPT = "except";
  private static final List<String> KEYS = List.of("fraction", "foldover", "clear", "runs", EXCEPT);
  private static final List<String> NAMES = List.of("full", "one-at-a-time", "search", "fraction");
  private static final int FEWEST_RATES = 3;
  private static final Pattern GENERATOR = Pattern.compile("([A-Z])\\s*=\\s*([A-Z]{2,})");

  private final List<PlacedLevel> cases;
  private final List<PlacedFactor> factors;
  private final Problems problems;

  DesignReader(List<PlacedLevel> cases, List<PlacedFactor> factors, Problems problems) {
    this.cases = cases;
    this.factors = factors;
    this.problems = problems;
  }

  Design read(YamlNode node) {
    if (node instanceof YamlNode.Keys) {
      YamlMap keyed = YamlMap.of(node, "'design'", KEYS, problems);
      if (keyed.node("clear").isPresent() || keyed.node("runs").isPresent()) {
        return new ClearDesign(factors, problems).read(keyed, node.at());
      }
      if (keyed.node(EXCEPT).isPresent()) {
        return except(keyed);
      }
      boolean foldover = flag(keyed, "foldover");
      return keyed.node("fraction").map(f -> fraction(f, foldover)).orElseGet(Design.Full::new);
    }
    return YamlMap.scalar("'design'", node, problems).map(this::named).orElseGet(Design.Full::new);
  }

  private Design except(YamlMap design) {
    for (String other : KEYS) {
      if (!other.equals(EXCEPT)) {
        design
            .position(other)
            .ifPresent(
                at ->
                    problems.add(
                        at, "'%s' cannot be combined with 'except'; remove one.".formatted(other)));
      }
    }
    YamlNode node = design.node(EXCEPT).orElseThrow();
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(
          node.at(), "'except' must be a list of levels; write [{cache: [a, b], case: c}].");
      return new Design.Full();
    }
    return new Design.Except(
        items.nodes().stream().map(this::exception).filter(each -> !each.isEmpty()).toList());
  }

  private Map<String, Set<String>> exception(YamlNode item) {
    Map<String, Set<String>> exception = new HashMap<>();
    YamlMap levels = YamlMap.open(item, "an exception", problems);
    if (item instanceof YamlNode.Keys && levels.pairs().isEmpty()) {
      problems.add(item.at(), "this exception names no level; remove it.");
    }
    for (YamlNode.Pair pair : levels.pairs()) {
      String factor = pair.key().text();
      List<String> known = labels(factor);
      if (known.isEmpty()) {
        List<String> names = new ArrayList<>(factors.stream().map(PlacedFactor::name).toList());
        names.add(Treatments.CASE);
        problems.add(
            pair.key().at(),
            "unknown factor '%s'; %s".formatted(factor, SpellingSuggestion.hint(factor, names)));
      } else {
        exception.put(factor, exceptedLevels(factor, pair.value(), known));
      }
    }
    return exception;
  }

  private Set<String> exceptedLevels(String factor, YamlNode node, List<String> known) {
    List<YamlNode> nodes = node instanceof YamlNode.Items items ? items.nodes() : List.of(node);
    Set<String> labels = new HashSet<>();
    for (YamlNode each : nodes) {
      YamlMap.scalar("a level of '" + factor + "'", each, problems)
          .ifPresent(
              label -> {
                if (!known.contains(label.text())) {
                  problems.add(
                      label.at(),
                      "factor '%s' has no level '%s'; %s"
                          .formatted(
                              factor, label.text(), SpellingSuggestion.hint(label.text(), known)));
                }
                labels.add(label.text());
              });
    }
    return labels;
  }

  private List<String> labels(String factor) {
    return factor.equals(Treatments.CASE)
        ? cases.stream().map(PlacedLevel::label).toList()
        : factors.stream()
            .filter(each -> each.name().equals(factor))
            .flatMap(each -> each.levels().stream())
            .map(PlacedLevel::label)
            .toList();
  }

  private Design named(YamlNode.Scalar scalar) {
    return switch (scalar.text()) {
      case "full" -> new Design.Full();
      case "one-at-a-time" -> new Design.OneAtATime();
      case "search" -> search(scalar);
      case "fraction" ->
          wrong(scalar, "a fraction needs its generators; write design: {fraction: [E=AB]}.");
      default ->
          wrong(
              scalar,
              "unknown design '"
                  + scalar.text()
                  + "'; "
                  + SpellingSuggestion.hint(scalar.text(), NAMES));
    };
  }

  private Design search(YamlNode.Scalar scalar) {
    String rate = CoreSettings.RATE.name();
    boolean ladder =
        factors.stream()
            .anyMatch(
                factor -> factor.name().equals(rate) && factor.levels().size() >= FEWEST_RATES);
    return ladder
        ? new Design.Search()
        : wrong(
            scalar,
            "a search takes a factor 'rate' of %d or more rates; add it, such as rate: [500, 700, 1000, 1400]."
                .formatted(FEWEST_RATES));
  }

  private Design wrong(YamlNode.Scalar scalar, String sentence) {
    problems.add(scalar.at(), sentence);
    return new Design.Full();
  }

  private boolean flag(YamlMap keyed, String name) {
    Optional<YamlNode.Scalar> scalar = keyed.scalar(name);
    scalar
        .filter(s -> !s.text().equals("true") && !s.text().equals("false"))
        .ifPresent(
            s -> problems.add(s.at(), "'%s' takes true or false; correct it.".formatted(name)));
    return scalar.map(s -> s.text().equals("true")).orElse(false);
  }

  /** Says which factors have another number of levels than two; whether none has. */
  static boolean twoLevels(List<PlacedFactor> factors, Problems problems) {
    boolean two = true;
    for (PlacedFactor factor : factors) {
      if (factor.levels().size() != 2) {
        two = false;
        problems.add(
            factor.at(),
            "factor '"
                + factor.name()
                + "' has "
                + factor.levels().size()
                + " levels, and a fraction takes two of each; keep two or use another design.");
      }
    }
    return two;
  }

  private Design fraction(YamlNode node, boolean foldover) {
    twoLevels(factors, problems);
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(node.at(), "'fraction' must be a list of generators; write [E=AB, F=CD].");
      return new Design.Full();
    }
    Map<Integer, Design.Generator> generators = new HashMap<>();
    List<Design.Generator> inOrder = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      Optional<Design.Generator> generator =
          YamlMap.scalar("a generator", item, problems).flatMap(this::generator);
      if (generator.isPresent()) {
        inOrder.add(generator.get());
        checkOnce(item.at(), generators.put(generator.get().factor(), generator.get()));
      }
    }
    checkProducts(items, generators);
    return new Design.Fraction(inOrder, foldover);
  }

  private void checkOnce(Position at, Design.Generator before) {
    if (before != null) {
      problems.add(
          at, "factor " + letter(before.factor()) + " has two generators; keep one of them.");
    }
  }

  private Optional<Design.Generator> generator(YamlNode.Scalar scalar) {
    Matcher matcher = GENERATOR.matcher(scalar.text());
    if (!matcher.matches()) {
      problems.add(
          scalar.at(),
          "'"
              + scalar.text()
              + "' is not a generator; write one such as E=AB, letters naming the"
              + " factors in order.");
      return Optional.empty();
    }
    String product = matcher.group(2);
    TreeSet<Integer> indices = new TreeSet<>();
    product.chars().forEach(c -> indices.add(c - 'A'));
    int generated = matcher.group(1).charAt(0) - 'A';
    int highest = Math.max(generated, indices.last());
    if (highest >= factors.size()) {
      problems.add(
          scalar.at(),
          "there is no factor "
              + letter(highest)
              + ", only "
              + factors.size()
              + " of them; use letters up to "
              + letter(Math.max(0, factors.size() - 1))
              + ".");
      return Optional.empty();
    }
    if (indices.size() < product.length() || indices.contains(generated)) {
      problems.add(
          scalar.at(), "'" + scalar.text() + "' names a factor twice; name each letter once.");
      return Optional.empty();
    }
    return Optional.of(new Design.Generator(generated, List.copyOf(indices)));
  }

  private void checkProducts(YamlNode.Items items, Map<Integer, Design.Generator> generators) {
    Map<List<Integer>, Integer> seen = new HashMap<>();
    for (Design.Generator generator : generators.values()) {
      if (generator.product().stream().anyMatch(generators::containsKey)) {
        problems.add(
            items.at(),
            "the generator of factor "
                + letter(generator.factor())
                + " uses a factor that is generated itself; use base factors alone.");
      }
      Integer same = seen.put(generator.product(), generator.factor());
      if (same != null) {
        problems.add(
            items.at(),
            "factors "
                + letter(same)
                + " and "
                + letter(generator.factor())
                + " have the same generator, so their effects are aliased; change one.");
      }
    }
  }

  private static String letter(int factor) {
    return String.valueOf((char) ('A' + factor));
  }

  /** Reads a design given by interactions that must not be aliased, {clear: [BC], runs: 16}. */
  static final class ClearDesign {
    private final List<PlacedFactor> factors;
    private final Problems problems;

    ClearDesign(List<PlacedFactor> factors, Problems problems) {
      this.factors = factors;
      this.problems = problems;
    }

    Design read(YamlMap design, Position at) {
      for (String other : List.of("fraction", "foldover", EXCEPT)) {
        design
            .position(other)
            .ifPresent(
                there ->
                    problems.add(
                        there,
                        "'%s' cannot be combined with 'clear'; remove one.".formatted(other)));
      }
      boolean two = twoLevels(factors, problems);
      List<String> clear = design.node("clear").map(this::interactions).orElse(List.of());
      int runs = runs(design);
      if (!two || !problems.none()) {
        return new Design.Full();
      }
      try {
        return rows(Designs.fraction(lettered(), runs, clear).signs());
      } catch (BadDataException impossible) {
        String sentence = impossible.getMessage();
        problems.add(at, sentence == null ? "there is no such design; change it." : sentence);
        return new Design.Full();
      }
    }

    private List<String> interactions(YamlNode node) {
      List<String> interactions = new ArrayList<>();
      if (node instanceof YamlNode.Items items) {
        for (YamlNode item : items.nodes()) {
          YamlMap.scalar("an interaction", item, problems)
              .map(this::checked)
              .ifPresent(interactions::add);
        }
      } else {
        problems.add(node.at(), "'clear' must be a list of interactions; write [BC].");
      }
      return interactions;
    }

    private String checked(YamlNode.Scalar scalar) {
      int last = 'A' + factors.size() - 1;
      if (!scalar.text().chars().allMatch(letter -> letter >= 'A' && letter <= last)) {
        problems.add(
            scalar.at(),
            "'%s' is not an interaction; write two letters from A to %c, which name the factors in order."
                .formatted(scalar.text(), last));
      }
      return scalar.text();
    }

    private int runs(YamlMap design) {
      Optional<YamlNode.Scalar> scalar = design.scalar(RUNS.name());
      Optional<Object> value = scalar.flatMap(s -> SettingText.parse(RUNS, s.text()));
      if (scalar.isPresent() && value.isEmpty()) {
        problems.add(scalar.get().at(), SettingText.sentence(RUNS, scalar.get().text()));
      }
      return ((Number) value.or(RUNS::initial).orElseThrow()).intValue();
    }

    /** The search speaks of A, B, C, whatever the factors' own names. */
    private List<io.pyrometer.analysis.factorial.Factor> lettered() {
      return IntStream.range(0, factors.size())
          .mapToObj(
              i ->
                  io.pyrometer.analysis.factorial.Factor.of(
                      String.valueOf((char) ('A' + i)), "-", "+"))
          .toList();
    }

    private static Design rows(int[][] signs) {
      Set<List<Integer>> rows = new HashSet<>();
      for (int[] run : signs) {
        rows.add(Arrays.stream(run).map(sign -> sign > 0 ? 1 : 0).boxed().toList());
      }
      return new Design.Rows(rows);
    }
  }
}
