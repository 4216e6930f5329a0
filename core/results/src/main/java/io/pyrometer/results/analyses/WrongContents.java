package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Names the treatments of which a trial's verification found what should not be. */
final class WrongContents {

  private WrongContents() {}

  /**
   * Empty where no trial was wrong.
   *
   * @param fault what was found, the beginning of a sentence
   */
  static Optional<Finding> of(RunRecord run, String fault) {
    Set<String> named = new LinkedHashSet<>();
    for (TrialRecord trial : run.counting()) {
      if (trial.outcome() == Outcome.WRONG) {
        String found = trial.result().verification().map(seen -> seen.found()).orElse("unknown");
        named.add("%s (%s)".formatted(Rankings.label(trial), found));
      }
    }
    if (named.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.warning(
            Finding.Kind.COMPARISON,
            "%s: %s.".formatted(fault, Phrases.and(named.stream().toList())),
            "Nothing: one such trial is proof."));
  }
}
