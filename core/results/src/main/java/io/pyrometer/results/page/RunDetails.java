package io.pyrometer.results.page;

import static io.pyrometer.protocol.ProbeKind.KILL;
import static io.pyrometer.protocol.ProbeKind.ORDER;
import static io.pyrometer.protocol.ProbeKind.READ;
import static io.pyrometer.protocol.ProbeKind.STOP;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The sections of a report that state facts: guarantees, validity, environment. */
final class RunDetails {
  /** Recorded even where the experiment asks for no telemetry. */
  private static final String ALWAYS = "cpu.";

  private RunDetails() {}

  static Section guarantees(List<Ranking> rankings) {
    record Ranked(Ranking ranking, Ranking.Row row) {}
    return Section.of(
        "guarantees",
        "Guarantees of the paths",
        "Overwrites: a write replaces an existing record. Ordered: the last write of a thread to a"
            + " key remains. Durable: when the call returns, the copies that the cache's write"
            + " synchronisation names hold the record. Atomic: a call's records become visible"
            + " together. A probe can refute a guarantee but never prove it: 'order' writes"
            + " versions over 2,000 keys in rounds and counts those that do not hold the last"
            + " acknowledged one, 'read' reads what was just acknowledged, 'kill' kills a server"
            + " while the path writes, 'stop' stops one gracefully. A treatment whose guarantee a"
            + " probe refuted is not recommended, and fewer than 300 keys or reads do not count as"
            + " tested.",
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
                    .toList()));
  }

  /** Empty where the run holds no terms equal between products. */
  static Optional<Section> equalTerms(RunRecord run) {
    List<List<String>> rows = EqualTermsNotes.rows(run.plan());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Section.of(
                "equal-terms",
                "Equal terms",
                "What the experiment holds equal between products, and the settings that make it so. Where something stays unequal, the ranking marks the product's figures.",
                Figure.of(
                    "Terms by product",
                    Table.ofWords(
                        List.of("product", "term", "settings", "what stays unequal"), rows))));
  }

  static Section validity(RunRecord run) {
    Map<String, TrialRecord> counting = new HashMap<>();
    run.counting().forEach(trial -> counting.put(trial.id(), trial));
    return Section.of(
        "validity",
        "Every trial and its validity",
        "A trial that failed or was disturbed by the machine is repeated once, and both attempts are kept. The attempt that counts is chosen by disturbances, then steady state, then the achieved rate, then order, never by its figures. "
            + limits(ValidityLimits.USUAL),
        new MetricTable<TrialRecord>("no throughput: the trial or its verification failed")
            .text("trial", TrialRecord::id)
            .text("attempt", trial -> String.valueOf(trial.attempt()))
            .text("counts", trial -> counts(trial, counting.getOrDefault(trial.id(), trial)))
            .text("outcome", trial -> trial.outcome().name().toLowerCase(Locale.ROOT))
            .text(
                "records/s", trial -> trial.throughput().map(Numbers::shorten).orElse(Table.ABSENT))
            .text("warm-up", RunDetails::settling)
            .text("verification", RunDetails::checked)
            .text("marks", Attempts::marks)
            .figure("Trials in the order made", run.finished()));
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
            + " trial leaves room), any throttling by a CPU quota, a clock step of %.0f ms, client"
            + " CPU %.0f %% of its cores, client GC %.0f %%, errors %.1f %%, achieved under %.0f %%"
            + " of the offered rate, schedule slip %.0f %% of p99, under %.0f times the load"
            + " generator's ceiling, and oversubscribed from %.0f %% of the CPU time that other"
            + " processes leave on a machine, used by the trial's own processes without limits that"
            + " keep them apart. Where requests are followed through several processes: parts that"
            + " differ from the whole by %.0f %%, and under %.0f %% of the completed requests"
            + " followed through all processes.",
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
    return Section.of(
        "environment",
        "Environment",
        "",
        Figure.of("Machine and versions", Table.ofWords(List.of("item", "value"), rows)),
        Figure.of(
            "Configuration of the first trial, as read back from the grid",
            Table.ofWords(List.of("setting", "value"), configuration(run))));
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

  /** What was recorded beside the load; empty where the run's experiment asked for none. */
  static Optional<Section> telemetry(RunRecord run) {
    Figure metrics = Figure.of("Metrics, mean over the blocks", metrics(run));
    Figure files = Figure.of("Artefacts", files(run));
    Figure unavailable = Figure.of("Telemetry that could not record", unavailable(run));
    boolean more =
        !files.table().rows().isEmpty()
            || !unavailable.table().rows().isEmpty()
            || metrics.table().rows().stream().anyMatch(row -> !row.get(1).startsWith(ALWAYS));
    return !more
        ? Optional.empty()
        : Optional.of(
            new Section(
                "telemetry",
                "Telemetry",
                "Recorded from the start of the measured part until the agents stopped. Sums over the processes of a role; maxima are the largest of any process.",
                Stream.of(metrics, files, unavailable)
                    .filter(figure -> !figure.table().rows().isEmpty())
                    .toList()));
  }

  private static Table metrics(RunRecord run) {
    record Values(String treatment, String metric, List<Metric> of) {}
    Map<String, Map<String, Values>> byTreatment = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      String treatment = trial.label();
      Map<String, Values> values = byTreatment.computeIfAbsent(treatment, label -> new TreeMap<>());
      trial
          .metrics()
          .forEach(
              (name, metric) -> {
                if (name.endsWith(".nodes") || name.endsWith(".agents")) {
                  values
                      .computeIfAbsent(name, n -> new Values(treatment, n, new ArrayList<>()))
                      .of()
                      .add(metric);
                }
              });
    }
    return new MetricTable<Values>()
        .text("treatment", Values::treatment)
        .text("metric", Values::metric)
        .number("mean", each -> average(each.of()))
        .text("unit", each -> each.of().get(0).unit())
        .count("blocks", each -> each.of().size())
        .of(byTreatment.values().stream().flatMap(of -> of.values().stream()).toList());
  }

  private static Optional<Double> average(List<Metric> metrics) {
    return Optional.of(metrics.stream().mapToDouble(Metric::value).average().orElseThrow());
  }

  private static Table files(RunRecord run) {
    record File(TrialRecord trial, TrialRecord.Artefact artefact) {}
    return new MetricTable<File>()
        .text("trial", f -> f.trial().label() + ", block " + (f.trial().block() + 1))
        .text("kind", f -> f.artefact().kind())
        .text("of", f -> f.artefact().process())
        .text("file", f -> f.artefact().file())
        .of(
            run.finished().stream()
                .flatMap(t -> t.artefacts().stream().map(artefact -> new File(t, artefact)))
                .filter(f -> !f.artefact().kind().equals(RunFolder.HISTOGRAM))
                .toList());
  }

  private static Table unavailable(RunRecord run) {
    return new MetricTable<String>()
        .text("reason", Function.identity())
        .of(
            run.finished().stream()
                .map(trial -> trial.configuration().get(TrialRecord.UNAVAILABLE))
                .filter(Objects::nonNull)
                .distinct()
                .toList());
  }
}
