package io.pyrometer.results.run;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.steady.OrderEffect;
import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What limits an answer: too few blocks, disturbed trials, trials that never settled. */
final class Reservations {
  private static final double ORDER_CONFIDENCE = 0.99;

  /** A first trial that surely reaches less than this of a late one is worth a word. */
  private static final double NOTICEABLY_SLOWER = 0.9;

  private Reservations() {}

  static List<Finding> of(RunRecord run) {
    List<TrialRecord> counting = run.counting();
    List<Finding> findings = new ArrayList<>();
    if (run.blocksSeen() == 1) {
      findings.add(
          notice(
              "This rests on one block: every figure was seen once and has no interval.",
              "A run with --blocks 3 or more."));
    } else if (run.blocksSeen() < 5) {
      findings.add(
          notice(
              "This rests on %d blocks: with so few, a 95 %% interval covers about 90 %%."
                  .formatted(run.blocksSeen()),
              "A run with --blocks 5 or more."));
    }
    if (run.plan().testbed().attach().isPresent()) {
      findings.add(
          notice(
              "CPU time is that of the agents alone: the processes of a grid that was attached to"
                  + " are not Pyrometer's to watch.",
              "A run on a grid that Pyrometer starts itself."));
    }
    long disturbed = counting.stream().filter(TrialRecord::disturbed).count();
    if (disturbed > 0) {
      findings.add(
          notice(
              "%d of %d trials were disturbed from outside: %s."
                  .formatted(disturbed, counting.size(), causes(counting)),
              "A run on a machine that does nothing else."));
    }
    findings.addAll(settling(counting));
    cold(run).ifPresent(findings::add);
    return findings;
  }

  /** Whether what was measured first after a start was slower for being first. */
  private static Optional<Finding> cold(RunRecord run) {
    return OrderEffect.firstAgainstLate(points(run), ORDER_CONFIDENCE)
        .filter(first -> first.high() < NOTICEABLY_SLOWER)
        .map(
            first ->
                new Finding(
                    Kind.STEADY_STATE,
                    Severity.NOTICE,
                    String.format(
                        Locale.ROOT,
                        "The processes were still warming up: the first trial after a start reached"
                            + " %.0f %% [%.0f, %.0f] of what the same treatment reached late. The"
                            + " random order spreads this over the treatments; a single block mixes"
                            + " it with them.",
                        100 * first.value(),
                        100 * first.low(),
                        100 * first.high()),
                    Map.of("first trial against late ones", first),
                    "A longer common warm-up, as with --set common-warm-up=60s."));
  }

  private static List<OrderEffect.Point> points(RunRecord run) {
    List<OrderEffect.Point> points = new ArrayList<>();
    for (Group group : run.plan().groups()) {
      List<String> order = group.trials().stream().map(TrialSpec::id).toList();
      run.finished().stream()
          .filter(trial -> trial.attempt() == 1 && order.contains(trial.id()))
          .forEach(
              trial ->
                  trial
                      .throughput()
                      .filter(rate -> rate > 0)
                      .ifPresent(
                          rate ->
                              points.add(
                                  new OrderEffect.Point(
                                      Labels.of(trial.levels(), ""),
                                      trial.block(),
                                      order.indexOf(trial.id()) + 1,
                                      rate))));
    }
    return points;
  }

  private static List<Finding> settling(List<TrialRecord> counting) {
    List<TrialRecord> right = counting.stream().filter(t -> t.outcome() == Outcome.OK).toList();
    List<TrialRecord> judged = right.stream().filter(TrialRecord::steadinessJudged).toList();
    long unsettled = judged.stream().filter(t -> !t.timeline().warmUp().settled()).count();
    String remedy =
        "A longer warm-up and measured part, as with --set warm-up=10s --set measure=10s.";
    List<Finding> findings = new ArrayList<>();
    if (judged.size() < right.size()) {
      findings.add(
          notice(
              "%d of %d trials are too short, under 4 seconds, to tell whether they had settled."
                  .formatted(right.size() - judged.size(), counting.size()),
              remedy));
    }
    if (unsettled > 0) {
      findings.add(
          notice(
              "%d of %d trials were not seen to settle within their warm-up."
                  .formatted(unsettled, counting.size()),
              remedy));
    }
    return findings;
  }

  private static String causes(List<TrialRecord> trials) {
    List<String> names =
        trials.stream()
            .flatMap(trial -> trial.validity().stream())
            .filter(c -> c.disturbed() && c.fromOutside())
            .map(TrialRecord.Check::name)
            .distinct()
            .toList();
    return Words.and(names);
  }

  private static Finding notice(String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, Severity.NOTICE, sentence, Map.of(), wouldChange);
  }
}
