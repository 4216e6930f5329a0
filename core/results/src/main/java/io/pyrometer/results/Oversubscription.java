package io.pyrometer.results;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.journal.TrialRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What it means for an analysis that trials' own processes used up the machine they share. */
public final class Oversubscription {
  private Oversubscription() {}

  /**
   * The sentence for one analysis.
   *
   * @param meaning how its figures are to be read: {@code the ranking compares CPU cost, not …}
   * @return empty if no trial is oversubscribed, or none tells of its machine
   */
  public static Optional<Finding> of(Collection<TrialRecord> trials, String meaning) {
    List<TrialRecord> marked = trials.stream().filter(TrialRecord::oversubscribed).toList();
    if (marked.isEmpty()) {
      return Optional.empty();
    }
    String which =
        marked.size() == trials.size()
            ? "Every trial's"
            : "In %d of %s the trial's"
                .formatted(marked.size(), Figures.count(trials.size(), "trial"));
    String sentence =
        "%s own processes used up the machine that they share (oversubscribed): %s."
            .formatted(which, meaning);
    return Optional.of(
        Finding.notice(
            Kind.DISTURBED,
            sentence,
            "Servers and clients on machines or CPU shares of their own."));
  }
}
