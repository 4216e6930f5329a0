package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads which combinations of levels become treatments. */
final class DesignReader {

  private static final int FEWEST_RATES = 3;

  private final List<PlacedLevel> cases;
  private final List<PlacedFactor> factors;
  private final Form form;
  private final Problems problems;

  DesignReader(List<PlacedLevel> cases, List<PlacedFactor> factors, Form form, Problems problems) {
    this.cases = cases;
    this.factors = factors;
    this.form = form;
    this.problems = problems;
  }

  Design read(YamlNode node) {
    if (node.hasKey("clear") || node.hasKey("runs")) {
      return clear(node);
    }
    if (node.hasKey("except")) {
      return new Design.Except(
          node.value("except").orElse(node).items().stream()
              .map(this::exception)
              .filter(each -> !each.isEmpty())
              .toList());
    }
    if (node.hasKey("fraction")) {
      return fraction(node.value("fraction").orElse(node), Form.flag(node, "foldover"));
    }
    return switch (node.scalar().map(Scalar::text).orElse("full")) {
      case "one-at-a-time" -> new Design.OneAtATime();
      case "search" -> search(node);
      default -> new Design.Full();
    };
  }

  private Design search(YamlNode node) {
    String rate = CoreSettings.RATE.name();
    if (factors.stream()
        .noneMatch(f -> f.name().equals(rate) && f.levels().size() >= FEWEST_RATES)) {
      String sentence =
          "a search takes a factor 'rate' of %d or more rates; add it, such as rate: [500, 700, 1000, 1400].";
      problems.add(node.at(), sentence, FEWEST_RATES);
    }
    return new Design.Search();
  }

  private Map<String, Set<String>> exception(YamlNode item) {
    Map<String, List<String>> known = new HashMap<>();
    known.put(Treatments.CASE, cases.stream().map(PlacedLevel::label).toList());
    for (PlacedFactor factor : factors) {
      known.put(factor.name(), factor.levels().stream().map(PlacedLevel::label).toList());
    }
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
      for (YamlNode each : given) {
        each.scalar().ifPresent(label -> excepted.add(known(label, factor, labels)));
      }
      exception.put(factor, excepted);
    }
    return exception;
  }

  private String known(Scalar label, String factor, List<String> labels) {
    if (!labels.contains(label.text())) {
      problems.addUnknown("level", label, labels, " of factor '" + factor + "'");
    }
    return label.text();
  }

  /** Whether each factor has two levels; reports those that have another number. */
  private boolean twoLevels() {
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

  private Design fraction(YamlNode node, boolean foldover) {
    boolean unused = twoLevels();
    Map<Integer, Design.Generator> generators = new HashMap<>();
    List<Design.Generator> inOrder = new ArrayList<>();
    for (YamlNode item : node.items()) {
      Optional<Design.Generator> generator = item.scalar().flatMap(this::generator);
      if (generator.isPresent()) {
        inOrder.add(generator.get());
        if (generators.put(generator.get().factor(), generator.get()) != null) {
          String sentence = "factor %s has two generators; keep one of them.";
          problems.add(item.at(), sentence, letter(generator.get().factor()));
        }
      }
    }
    Map<List<Integer>, Integer> seen = new HashMap<>();
    for (Design.Generator generator : generators.values()) {
      String factor = letter(generator.factor());
      if (generator.product().stream().anyMatch(generators::containsKey)) {
        problems.add(
            node.at(),
            "the generator of factor %s uses a factor that is generated itself; use base factors alone.",
            factor);
      }
      Integer same = seen.put(generator.product(), generator.factor());
      if (same != null) {
        problems.add(
            node.at(),
            "factors %s and %s have the same generator, so their effects are aliased; change one.",
            letter(same),
            factor);
      }
    }
    return new Design.Fraction(inOrder, foldover);
  }

  /** Reads a generator such as E=AB. */
  private Optional<Design.Generator> generator(Scalar scalar) {
    String[] sides = scalar.text().split("\\s*=\\s*", -1);
    if (!scalar.text().matches("[A-Z]\\s*=\\s*[A-Z]{2,}")) {
      return Optional.empty(); // Form says so
    }
    int generated = sides[0].charAt(0) - 'A';
    TreeSet<Integer> product =
        sides[1].chars().mapToObj(c -> c - 'A').collect(Collectors.toCollection(TreeSet::new));
    int highest = Math.max(generated, product.isEmpty() ? 0 : product.last());
    if (highest >= factors.size()) {
      problems.add(
          scalar.at(),
          "there is no factor %s, only %d of them; use letters up to %s.",
          letter(highest),
          factors.size(),
          letter(Math.max(0, factors.size() - 1)));
      return Optional.empty();
    }
    if (product.size() < sides[1].length() || product.contains(generated)) {
      String sentence = "'%s' names a factor twice; name each letter once.";
      problems.add(scalar.at(), sentence, scalar.text());
      return Optional.empty();
    }
    return Optional.of(new Design.Generator(generated, List.copyOf(product)));
  }

  private static String letter(int factor) {
    return String.valueOf((char) ('A' + factor));
  }

  /** Reads a design by the interactions that must not be aliased, {clear: [BC], runs: 16}. */
  private Design clear(YamlNode node) {
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
    if (!twoLevels() || !problems.none()) {
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
