package io.pyrometer.experiment;

import io.pyrometer.experiment.Draft.DraftFactor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads which combinations of levels become treatments. */
final class DesignReader {

  private static final List<String> KEYS = List.of("fraction", "foldover", "clear", "runs");
  private static final List<String> NAMES = List.of("full", "one-at-a-time", "fraction");
  private static final Pattern GENERATOR = Pattern.compile("([A-Z])\\s*=\\s*([A-Z]{2,})");

  private final List<DraftFactor> factors;
  private final Problems problems;

  DesignReader(List<DraftFactor> factors, Problems problems) {
    this.factors = factors;
    this.problems = problems;
  }

  Design read(YamlNode node) {
    if (node instanceof YamlNode.Keys) {
      Keyed keyed = Keyed.of(node, "'design'", KEYS, problems);
      if (keyed.node("clear").isPresent() || keyed.node("runs").isPresent()) {
        return new ClearDesign(factors, problems).read(keyed, node.at());
      }
      boolean foldover = flag(keyed, "foldover");
      return keyed.node("fraction").map(f -> fraction(f, foldover)).orElseGet(Design.Full::new);
    }
    return Keyed.scalar("'design'", node, problems).map(this::named).orElseGet(Design.Full::new);
  }

  private Design named(YamlNode.Scalar scalar) {
    return switch (scalar.text()) {
      case "full" -> new Design.Full();
      case "one-at-a-time" -> new Design.OneAtATime();
      case "fraction" ->
          wrong(scalar, "a fraction needs its generators; write design: {fraction: [E=AB]}.");
      default ->
          wrong(
              scalar,
              "unknown design '" + scalar.text() + "'; " + Nearest.hint(scalar.text(), NAMES));
    };
  }

  private Design wrong(YamlNode.Scalar scalar, String sentence) {
    problems.add(scalar.at(), sentence);
    return new Design.Full();
  }

  private boolean flag(Keyed keyed, String name) {
    Optional<YamlNode.Scalar> scalar = keyed.scalar(name);
    scalar
        .filter(s -> !s.text().equals("true") && !s.text().equals("false"))
        .ifPresent(
            s -> problems.add(s.at(), "'%s' takes true or false; correct it.".formatted(name)));
    return scalar.map(s -> s.text().equals("true")).orElse(false);
  }

  /** Says which factors have another number of levels than two; whether none has. */
  static boolean twoLevels(List<DraftFactor> factors, Problems problems) {
    boolean two = true;
    for (DraftFactor factor : factors) {
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
          Keyed.scalar("a generator", item, problems).flatMap(this::generator);
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
              + "' is no generator; write one such as E=AB, letters naming the"
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
                + " have the same generator and cannot be told apart; change one.");
      }
    }
  }

  private static String letter(int factor) {
    return String.valueOf((char) ('A' + factor));
  }
}
