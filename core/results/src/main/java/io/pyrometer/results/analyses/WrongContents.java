package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import java.util.List;
import java.util.Optional;

/** Names the treatments of which a trial failed its verification. */
final class WrongContents {
  private WrongContents() {}

  /**
   * Empty where no trial was wrong.
   *
   * @param fault what was found, the beginning of a sentence
   */
  static Optional<Finding> of(RunRecord run, String fault) {
    List<String> named =
        run.counting().stream()
            .filter(trial -> trial.outcome() == Outcome.WRONG)
            .map(
                trial ->
                    "%s (%s)"
                        .formatted(
                            Rankings.label(trial),
                            trial.result().verification().map(v -> v.found()).orElse("unknown")))
            .distinct()
            .toList();
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Finding.Kind.COMPARISON,
                "%s: %s.".formatted(fault, Phrases.and(named)),
                "Nothing; one such trial is conclusive."));
  }
}
