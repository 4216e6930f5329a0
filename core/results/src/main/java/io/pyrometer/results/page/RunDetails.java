package io.pyrometer.results.page;

import static io.pyrometer.protocol.ProbeKind.KILL;
import static io.pyrometer.protocol.ProbeKind.ORDER;
import static io.pyrometer.protocol.ProbeKind.READ;
import static io.pyrometer.protocol.ProbeKind.STOP;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.EqualTermsNotes;
import io.pyrometer.results.ranking.Ranking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The sections of a report that state facts: guarantees, validity, environment. */
final class RunDetails {
  private RunDetails() {}

  static Section guarantees(RunRecord run, List<Ranking> rankings) {
    record Ranked(Ranking ranking, Ranking.Row row) {}
    return new Section(
        "guarantees",
        "Guarantees of the paths",
        "Overwrites: a write replaces an existing record. Ordered: the last write of a thread to a"
            + " key remains. Durable: when the call returns, the copies that the cache's write"
            + " synchronisation names hold the record. Atomic: a call's records become visible"
            + " together. A probe can refute a guarantee but never prove it: 'order' writes versions"
            + " over 2,000 keys in rounds and counts those that do not hold the last acknowledged"
            + " one, 'read' reads what was just acknowledged, 'kill' kills a server while the path"
            + " writes, 'stop' stops one gracefully. A treatment whose guarantee a probe refuted is not recommended, and"
            + " fewer than 300 keys or reads do not count as tested.",
        List.of(
            new MetricTable<Ranked>()
                .text("path", each -> each.row().label())
                .text("job", each -> Phrases.title(each.ranking().job()))
                .text("guarantees", each -> Phrases.promises(each.row().claimed()))
                .text("stale or lost keys", each -> each.row().probes().staleOrLost(ORDER))
                .text("stale reads", each -> each.row().probes().staleOrLost(READ))
                .text("after a kill", each -> each.row().probes().staleOrLost(KILL))
                .text("after a stop", each -> each.row().probes().staleOrLost(STOP))
                .text("description", each -> each.row().summary())
                .figure(
                    "Access paths",
                    rankings.stream()
                        .flatMap(of -> of.rows().stream().map(row -> new Ranked(of, row)))
                        .toList())));
  }

  /** Empty where the run holds no terms equal between products. */
  static Optional<Section> equalTerms(RunRecord run) {
    List<List<String>> rows = EqualTermsNotes.rows(run.plan());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "equal-terms",
                "Equal terms",
                "What the experiment holds equal between products, and the settings that make it so."
                    + " Where something stays unequal, the ranking marks the product's figures.",
                List.of(
                    Figure.of(
                        "Terms by product",
                        Table.ofWords(
                            List.of("product", "term", "settings", "what stays unequal"), rows)))));
  }

  static Section validity(RunRecord run) {
    Map<String, TrialRecord> counting = new HashMap<>();
    run.counting().forEach(trial -> counting.put(trial.id(), trial));
    return new Section(
        "validity",
        "Every trial and its validity",
        "A trial that failed or was disturbed by the machine is repeated once, and both attempts are"
            + " kept. The attempt that counts is chosen by disturbances, then steady state, then the"
            + " achieved rate, then order, never by its figures. "
            + limits(ValidityLimits.USUAL),
        List.of(
            new MetricTable<TrialRecord>("no throughput: the trial or its verification failed")
                .text("trial", TrialRecord::id)
                .text("attempt", trial -> String.valueOf(trial.attempt()))
                .text("counts", trial -> counts(trial, counting.getOrDefault(trial.id(), trial)))
                .text("outcome", trial -> trial.outcome().name().toLowerCase(Locale.ROOT))
                .text(
                    "records/s",
                    trial -> trial.throughput().map(Numbers::shorten).orElse(Table.ABSENT))
                .text("warm-up", RunDetails::settling)
                .text("verification", RunDetails::checked)
                .text("marks", Attempts::marks)
                .figure("Trials in the order made", run.finished())));
  }

  private static String counts(TrialRecord trial, TrialRecord counting) {
    return counting.attempt() == trial.attempt()
        ? "yes"
        : "no: " + Attempts.whyNot(trial, counting);
  }

  private static String settling(TrialRecord trial) {
    String settled = !trial.steadinessJudged() ? "not judged" : trial.timeline().warmUp().verdict();
    return "%s after %.1f s".formatted(settled, trial.timeline().warmUp().seconds());
  }

  private static String checked(TrialRecord trial) {
    if (trial.result().verification().isEmpty()) {
      return trial.why().orElse("not verified");
    }
    Verification check = trial.result().verification().get();
    return check.passed()
        ? "passed: " + check.found()
        : "failed: expected " + check.expected() + ", found " + check.found();
  }

  private static String limits(ValidityLimits l) {
    return String.format(
        Locale.ROOT,
        "Limits: steal %.0f %%, CPU of other processes %.0f %%, CPU pressure %.0f %% (where the"
            + " trial leaves room), any throttling by a CPU quota, a clock step of %.0f ms, client CPU"
            + " %.0f %% of its cores, client GC %.0f %%, errors %.1f %%, achieved under %.0f %% of"
            + " the offered rate, schedule slip %.0f %% of p99, under %.0f times the"
            + " load generator's ceiling, and oversubscribed from %.0f %% of the CPU time that"
            + " other processes leave on a machine, used by the trial's own processes without"
            + " limits that keep them apart. Where requests are followed through several processes:"
            + " parts that differ from the whole by %.0f"
            + " %%, and under %.0f %% of the completed requests followed through all processes.",
        l.steal() * 100,
        l.foreignCpu() * 100,
        l.pressurePercent(),
        l.clockStepMillis(),
        l.clientCpu() * 100,
        l.clientGc() * 100,
        l.errors() * 100,
        l.achieved() * 100,
        l.slipOfP99() * 100,
        l.generator(),
        l.ownCpu() * 100,
        l.split() * 100,
        l.followed() * 100);
  }

  static Section environment(RunRecord run) {
    Environment e = run.environment();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CPU", "%s, %d cores".formatted(e.cpu(), e.cores())));
    rows.add(List.of("memory", Numbers.shorten(e.memoryBytes() / (double) (1L << 30)) + " GiB"));
    rows.add(List.of("system", e.operatingSystem() + ", " + e.kernel()));
    rows.add(List.of("JVM", e.jvm()));
    e.versions().forEach((what, version) -> rows.add(List.of(what, version)));
    rows.add(List.of("commit", e.commit().isEmpty() ? "unknown" : e.commit()));
    e.workerFlags().forEach((kind, flags) -> rows.add(List.of(kind, String.join(" ", flags))));
    rows.add(List.of("seed", String.valueOf(run.plan().seed())));
    return new Section(
        "environment",
        "Environment",
        "",
        List.of(
            Figure.of("Machine and versions", Table.ofWords(List.of("item", "value"), rows)),
            Figure.of(
                "Configuration of the first trial, as read back from the grid",
                Table.ofWords(List.of("setting", "value"), configuration(run)))));
  }

  private static List<List<String>> configuration(RunRecord run) {
    Map<String, String> sorted = new TreeMap<>();
    run.finished().stream()
        .map(TrialRecord::configuration)
        .filter(configuration -> !configuration.isEmpty())
        .findFirst()
        .ifPresent(sorted::putAll);
    return sorted.entrySet().stream().map(e -> List.of(e.getKey(), e.getValue())).toList();
  }
}
