package io.pyrometer.lab.outcome;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.lab.machine.MachineWatch;
import io.pyrometer.lab.run.Repeats;
import io.pyrometer.lab.run.Steadiness;
import io.pyrometer.protocol.TrialResult;
import io.pyrometer.protocol.TrialResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What limits an answer: too few blocks, disturbed trials, trials that never settled. */
final class Reservations {
  private Reservations() {}

  static List<Finding> of(RunRecord run) {
    List<TrialResult> counting = run.counting();
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
    if (run.plan().attach().isPresent()) {
      findings.add(
          notice(
              "CPU time is that of the agents alone: the processes of a grid that was attached to"
                  + " are not Pyrometer's to watch.",
              "A run on a grid that Pyrometer starts itself."));
    }
    long disturbed = counting.stream().filter(Repeats::disturbed).count();
    if (disturbed > 0) {
      findings.add(
          notice(
              "%d of %d trials were disturbed from outside: %s."
                  .formatted(disturbed, counting.size(), causes(counting)),
              "A run on a machine that does nothing else."));
    }
    findings.addAll(settling(counting));
    return findings;
  }

  private static List<Finding> settling(List<TrialResult> counting) {
    List<TrialResult> right = counting.stream().filter(t -> t.outcome() == Outcome.OK).toList();
    List<TrialResult> judged = right.stream().filter(Steadiness::judged).toList();
    long unsettled = judged.stream().filter(t -> !t.warmUp().settled()).count();
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

  private static String causes(List<TrialResult> trials) {
    List<String> names =
        trials.stream()
            .flatMap(trial -> trial.validity().stream())
            .filter(c -> c.disturbed() && MachineWatch.fromOutside(c))
            .map(TrialResult.Check::name)
            .distinct()
            .toList();
    return Words.and(names);
  }

  private static Finding notice(String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, Severity.NOTICE, sentence, Map.of(), wouldChange);
  }
}
