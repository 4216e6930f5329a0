package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.steady.OrderEffect;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.EqualTermsNotes;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What limits an answer: few blocks, disturbed trials, trials that never settled. */
public final class Limitations {
  private static final double ORDER_CONFIDENCE = 0.99;

  /** A first trial that reaches significantly less than this of a late one is reported. */
  private static final double NOTICEABLY_SLOWER = 0.9;

  /** A ratio that may be 1 is unknown where its interval is wider than by this factor. */
  private static final double FACTOR_UNKNOWN = 2;

  private Limitations() {}

  /** Limits of all figures of a run; empty where there are none. */
  public static List<Finding> of(RunRecord run) {
    List<TrialRecord> counting = run.counting();
    List<Finding> findings = new ArrayList<>();
    notWarm(counting).ifPresent(findings::add);
    CompiledByC1.finding(counting).ifPresent(findings::add);
    if (run.blocksSeen() == 1) {
      findings.add(
          notice("Only one block: no confidence intervals.", "A run with --blocks 3 or more."));
    } else if (run.blocksSeen() < 5) {
      findings.add(
          notice(
              "Only %d blocks: intervals are wide, and the confidence in a choice is at most medium."
                  .formatted(run.blocksSeen()),
              "A run with --blocks 5 or more."));
    }
    List<String> unequal = EqualTermsNotes.unequal(run.plan());
    if (!unequal.isEmpty() && run.plan().drivers().size() > 1) {
      findings.add(
          notice(
              "Terms that are not equal (U): " + String.join(" ", unequal),
              "The same terms for all products, where they have them."));
    }
    lateStarts(counting).ifPresent(findings::add);
    stopped(run).ifPresent(findings::add);
    if (run.plan().testbed().attach().isPresent()) {
      agentsAlone(counting).ifPresent(findings::add);
    }
    long disturbed = counting.stream().filter(TrialRecord::disturbed).count();
    if (disturbed > 0) {
      findings.add(
          notice(
              "%d of %d trials %s disturbed by the machine: %s."
                  .formatted(
                      disturbed,
                      counting.size(),
                      disturbed == 1 ? "was" : "were",
                      causes(counting)),
              "A run on a machine that does nothing else."));
    }
    findings.addAll(settling(counting));
    attemptsDiffer(run).ifPresent(findings::add);
    position(
            run,
            "throughput",
            trial -> OfferedRate.of(trial) > 0 ? Optional.empty() : trial.throughput())
        .ifPresent(findings::add);
    position(
            run,
            "speed (1 / p99)",
            trial ->
                OfferedRate.of(trial) > 0
                    ? RateSearch.worst(trial, LatencyStatistic.P99).map(p99 -> 1 / p99)
                    : Optional.empty())
        .ifPresent(findings::add);
    VarianceComponents.of(run).ifPresent(findings::add);
    return findings;
  }

  /** Trials whose p99 is in part the lateness of the load generator. */
  private static Optional<Finding> lateStarts(List<TrialRecord> trials) {
    List<TrialRecord> late =
        trials.stream()
            .filter(
                trial ->
                    trial.validity().stream().anyMatch(check -> check.disturbed() && isSlip(check)))
            .toList();
    if (late.isEmpty()) {
      return Optional.empty();
    }
    DoubleSummaryStatistics percent =
        late.stream()
            .flatMap(trial -> trial.validity().stream().filter(Limitations::isSlip))
            .mapToDouble(Check::value)
            .summaryStatistics();
    int threads =
        late.stream().mapToInt(trial -> trial.settings().get(CoreSettings.THREADS)).max().orElse(1);
    int more =
        late.stream()
            .mapToInt(trial -> CoreSettings.openLoopThreads(trial.settings()))
            .map(byRate -> Math.max(byRate, 2 * threads))
            .max()
            .orElse(1);
    return Optional.of(
        Finding.notice(
            Kind.LATENCY,
            "The generator began calls late in %d of %d trials, by %.0f to %.0f %% of their p99: raise 'threads' from %d, as with --set threads=%d."
                .formatted(
                    late.size(), trials.size(), percent.getMin(), percent.getMax(), threads, more),
            "More threads or agents, or a lower rate."));
  }

  private static boolean isSlip(Check check) {
    return check.name().equals(Check.SCHEDULE_SLIP);
  }

  /** Trials on servers of others whose CPU time is not known. */
  private static Optional<Finding> agentsAlone(List<TrialRecord> trials) {
    List<TrialRecord> told = trials.stream().filter(t -> t.value(Metric.CPU).isPresent()).toList();
    List<TrialRecord> alone =
        told.stream()
            .filter(t -> t.value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU).isEmpty())
            .toList();
    if (alone.isEmpty()) {
      return Optional.empty();
    }
    String why =
        alone.stream()
            .flatMap(t -> Stream.ofNullable(t.configuration().get(CpuScope.KEY)))
            .filter(text -> text.startsWith(CpuScope.AGENTS_ALONE))
            .map(text -> text.substring(CpuScope.AGENTS_ALONE.length()))
            .findFirst()
            .orElse("the servers of an attached grid did not tell theirs.");
    String remedy = "Servers whose JMX ports Pyrometer can reach, or a grid that it starts itself.";
    return Optional.of(
        alone.size() == told.size()
            ? notice("CPU time is that of the agents alone: " + why, remedy)
            : Finding.warning(
                Kind.DISTURBED,
                "%d of %d trials have the CPU time of the agents alone and cannot be compared with the others by it: %s"
                    .formatted(alone.size(), told.size(), why),
                remedy));
  }

  /** Trials that were measured while the JIT compilers of a process were at work. */
  private static Optional<Finding> notWarm(List<TrialRecord> trials) {
    List<TrialRecord> marked = trials.stream().filter(TrialRecord::notWarm).toList();
    if (marked.isEmpty()) {
      return Optional.empty();
    }
    double most = Rankings.jitPercent(marked).orElse(0.0);
    return Optional.of(
        Finding.warning(
            Kind.STEADY_STATE,
            String.format(
                Locale.ROOT,
                "%d of %d trials %s not warm: JIT compilers used up to %.0f %% of a process's CPU"
                    + " time. Their figures and the ratios between them change with a longer"
                    + " warm-up.%s",
                marked.size(),
                trials.size(),
                marked.size() == 1 ? "was" : "were",
                most,
                marked.stream().allMatch(Limitations::isWarmLoad)
                    ? " A load that a new process makes runs such code: measure it with --set"
                        + " common-warm-up=0s."
                    : ""),
            "A longer common warm-up, as with --set common-warm-up=120s."));
  }

  private static boolean isWarmLoad(TrialRecord trial) {
    return CoreSettings.loadsOnce(trial.settings())
        && trial.settings().find(CoreSettings.COMMON_WARM_UP).orElse(0.0) > 0;
  }

  /** How an adaptive run stopped, and what its intervals are worth. */
  private static Optional<Finding> stopped(RunRecord run) {
    return run.plan()
        .stopping()
        .filter(rule -> run.blocksSeen() >= rule.first())
        .map(
            rule ->
                run.blocksSeen() >= rule.cap()
                    ? notice(
                        "All %d blocks of an adaptive run were made; where an interval is wider than ±%s, more would be needed."
                            .formatted(rule.cap(), Figures.percent(rule.relativeHalfWidth())),
                        "A higher maximum of blocks.")
                    : Finding.info(
                        Kind.ESTIMATE,
                        "Stopped after %d blocks, as every estimate was within ±%s. The intervals are widened for the chosen stop, so that they cover %s."
                            .formatted(
                                run.blocksSeen(),
                                Figures.percent(rule.relativeHalfWidth()),
                                Figures.percent(rule.confidence())),
                        "A smaller half-width."));
  }

  /** The effect of a trial's position in its block, of any run with at least two blocks. */
  private static Optional<Finding> position(
      RunRecord run, String of, Function<TrialRecord, Optional<Double>> value) {
    return OrderEffect.firstAgainstLate(points(run, value), ORDER_CONFIDENCE)
        .map(
            first -> {
              boolean slower = first.high() < NOTICEABLY_SLOWER;
              boolean open = first.contains(1) && first.high() > FACTOR_UNKNOWN * first.low();
              return Finding.of(
                  Kind.STEADY_STATE,
                  slower ? Severity.NOTICE : Severity.INFO,
                  first.tooWide() || open
                      ? "Position within a block: too few blocks to estimate its effect on the %s."
                          .formatted(of)
                      : String.format(
                          Locale.ROOT,
                          "Position within a block: the first trial after a start reached %.0f %%"
                              + " [%.0f, %.0f] of the %s of the same treatment later%s.",
                          100 * first.value(),
                          100 * first.low(),
                          100 * first.high(),
                          of,
                          slower
                              ? ", so the processes were still warming up"
                              : first.contains(1) ? ", no significant effect" : ""),
                  Map.of("first trial against late ones", first),
                  "A longer common warm-up, as with --set common-warm-up=60s.");
            });
  }

  private static List<OrderEffect.Point> points(
      RunRecord run, Function<TrialRecord, Optional<Double>> value) {
    Map<String, Integer> places = new HashMap<>();
    for (Group group : run.plan().groups()) {
      for (int i = 0; i < group.trials().size(); i++) {
        places.put(group.trials().get(i).id(), i + 1);
      }
    }
    List<OrderEffect.Point> points = new ArrayList<>();
    for (TrialRecord trial : run.finished()) {
      Integer place = places.get(trial.id());
      if (trial.attempt() == 1 && place != null) {
        value
            .apply(trial)
            .filter(of -> of > 0)
            .ifPresent(
                of ->
                    points.add(
                        new OrderEffect.Point(
                            Labels.of(trial.levels(), ""), trial.block(), place, of)));
      }
    }
    return points;
  }

  /** A repeat that differs says that one of the two was measured in another state. */
  private static Optional<Finding> attemptsDiffer(RunRecord run) {
    Map<TrialRecord, Estimate> differing = Attempts.differing(run.finished());
    if (differing.isEmpty()) {
      return Optional.empty();
    }
    String ratios =
        differing.entrySet().stream()
            .limit(3)
            .map(
                each ->
                    String.format(
                        Locale.ROOT,
                        "%s ×%.2f [%.2f, %.2f]",
                        each.getKey().label(),
                        each.getValue().value(),
                        each.getValue().low(),
                        each.getValue().high()))
            .collect(Collectors.joining(", "));
    return Optional.of(
        notice(
            "%s from the first attempt by more than the noise within a trial: %s. Of two equally disturbed attempts the warmer one counts."
                .formatted(
                    differing.size() == 1
                        ? "1 repeated trial differs"
                        : differing.size() + " repeated trials differ",
                    ratios),
            "A longer common warm-up, as with --set common-warm-up=60s."));
  }

  private static Optional<Finding> notJudged(Job job) {
    return KindReport.of(job).flatMap(KindReport::steadinessNotJudged);
  }

  private static List<Finding> settling(List<TrialRecord> counting) {
    List<TrialRecord> all = counting.stream().filter(t -> t.outcome() == Outcome.OK).toList();
    List<TrialRecord> right =
        all.stream()
            .filter(trial -> !trial.openLoop() || trial.steadinessJudged())
            .filter(trial -> !CoreSettings.loadsOnce(trial.settings()))
            .filter(trial -> notJudged(trial.job()).isEmpty())
            .toList();
    List<TrialRecord> judged = right.stream().filter(TrialRecord::steadinessJudged).toList();
    long unsettled = judged.stream().filter(t -> !t.timeline().warmUp().settled()).count();
    String remedy =
        "A longer warm-up and measured part, as with --set warm-up=10s --set measure=10s.";
    List<Finding> findings = new ArrayList<>();
    all.stream()
        .map(TrialRecord::job)
        .distinct()
        .forEach(job -> notJudged(job).ifPresent(findings::add));
    if (judged.size() < right.size()) {
      findings.add(
          notice(
              "%d of %d trials lasted less than 4 seconds, too short to judge their steady state."
                  .formatted(right.size() - judged.size(), counting.size()),
              remedy));
    }
    if (unsettled > 0) {
      findings.add(
          notice(
              "%d of %d trials did not reach a steady state within their warm-up."
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
            .map(Check::words)
            .distinct()
            .toList();
    return Phrases.and(names);
  }

  private static Finding notice(String sentence, String wouldChange) {
    return Finding.notice(Kind.DISTURBED, sentence, wouldChange);
  }
}
