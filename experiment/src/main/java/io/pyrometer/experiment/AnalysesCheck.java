package io.pyrometer.experiment;

import java.util.List;

/** Whether the analyses that a file asks for can be made of what it varies. */
final class AnalysesCheck {
  private final Problems problems;

  AnalysesCheck(Problems problems) {
    this.problems = problems;
  }

  /** An analysis as asked for, and where. */
  record Asked(String word, Position at) {}

  void check(List<Asked> analyses, Draft draft) {
    boolean known = !draft.pathMayBeLost() && draft.treatments().atMost() <= Treatments.MOST;
    if (known) {
      analyses.forEach(asked -> check(asked, draft));
    }
  }

  private void check(Asked asked, Draft draft) {
    if (asked.word().equals(Analysis.SCALABILITY.word())) {
      checkLadder(asked, draft.treatments());
    }
    if (asked.word().equals(Analysis.CAPACITY.word()) && !hasRates(draft)) {
      problems.add(
          asked.at(),
          "'capacity' needs rates to be offered, and no treatment has one; give a factor such as"
              + " rate: [1000, 2000, 4000] or remove it.");
    }
    if (asked.word().equals(Analysis.FACTORS.word()) && !varies(draft)) {
      problems.add(
          asked.at(),
          "'factors' needs a factor of two levels or more, and there is none; vary something or"
              + " remove it.");
    }
  }

  private static boolean hasRates(Draft draft) {
    return draft.treatments().expand().stream()
        .map(Treatment::settings)
        .anyMatch(given -> given.has("rate") && given.decimal("rate") > 0);
  }

  private static boolean varies(Draft draft) {
    return draft.cases().size() > 1
        || draft.factors().stream().anyMatch(factor -> factor.levels().size() > 1);
  }

  private void checkLadder(Asked asked, Treatments treatments) {
    List<Ladder.Step> steps =
        treatments.expand().stream()
            .map(treatment -> new Ladder.Step(treatment.levels(), treatment.settings()))
            .toList();
    if (Ladder.of(steps).isEmpty()) {
      int most = Ladder.over(Ladder.Count.NODES, steps).longest(steps);
      problems.add(
          asked.at(),
          "'scalability' needs a factor that sets %d or more numbers of nodes (or else of agents or threads), and %s; add levels or remove it."
              .formatted(Ladder.FEWEST, most < 2 ? "none does" : "here they are " + most));
    }
  }
}
