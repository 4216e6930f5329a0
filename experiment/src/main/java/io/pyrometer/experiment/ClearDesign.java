package io.pyrometer.experiment;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.experiment.Draft.DraftFactor;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads a design that is asked for by what it must tell apart, such as {clear: [BC], runs: 16}. */
final class ClearDesign {
  private static final SettingDescription RUNS =
      SettingDescription.integer("runs", Scope.LOAD, 16, 4, 1024, "");

  private final List<DraftFactor> factors;
  private final Problems problems;

  ClearDesign(List<DraftFactor> factors, Problems problems) {
    this.factors = factors;
    this.problems = problems;
  }

  Design read(Keyed design, Position at) {
    for (String other : List.of("fraction", "foldover")) {
      design
          .position(other)
          .ifPresent(
              there ->
                  problems.add(
                      there, "'%s' does not go with 'clear'; remove one.".formatted(other)));
    }
    boolean two = DesignReader.twoLevels(factors, problems);
    List<String> clear = design.node("clear").map(this::interactions).orElse(List.of());
    int runs = runs(design);
    if (!two || !problems.none()) {
      return new Design.Full();
    }
    try {
      return rows(Designs.keepingClear(lettered(), runs, clear).signs());
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
        Keyed.scalar("an interaction", item, problems)
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
          "'%s' is no interaction; write two letters from A to %c, which name the factors in order."
              .formatted(scalar.text(), last));
    }
    return scalar.text();
  }

  private int runs(Keyed design) {
    Optional<YamlNode.Scalar> scalar = design.scalar(RUNS.name());
    Optional<Object> value = scalar.flatMap(s -> SettingText.parse(RUNS, s.text()));
    if (scalar.isPresent() && value.isEmpty()) {
      problems.add(scalar.get().at(), Expected.sentence(RUNS, scalar.get().text()));
    }
    return ((Number) value.or(RUNS::initial).orElse(16L)).intValue();
  }

  /** The search speaks of A, B, C, whatever the factors' own names. */
  private List<Factor> lettered() {
    return IntStream.range(0, factors.size())
        .mapToObj(i -> Factor.of(String.valueOf((char) ('A' + i)), "-", "+"))
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
