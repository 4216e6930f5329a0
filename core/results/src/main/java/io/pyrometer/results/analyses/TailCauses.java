package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.latency.EventOverlap;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Why the tail is long: the slowest calls of each treatment and operation against the events of all
 * processes at the same time. A cause is claimed where slow calls overlap its events more often
 * than by chance, judged over all causes of the run together.
 */
public final class TailCauses extends WholeRunAnalysis {
  /** Reports of longer runs show it only if the experiment names it. */
  private static final int MAX_TRIALS_UNNAMED = 100;

  private static final double FALSE_CLAIMS = 0.05;

  /** With more tails whose causes are known, one sentence names all; the table has the rest. */
  private static final int MOST_SENTENCES = 3;

  /** Below, more than half of the calls that overlap the cause would do so by chance. */
  private static final double MIN_LIFT = 2;

  public TailCauses() {
    super("tail-causes", "latency", "ms");
  }

  @Override
  public boolean always(RunRecord run) {
    return run.counting().size() <= MAX_TRIALS_UNNAMED
        && run.counting().stream().anyMatch(t -> has(t, SlowCallLog.KIND))
        && run.counting().stream()
            .anyMatch(t -> has(t, "gc-log") || has(t, TelemetryKind.STALLS.id()));
  }

  private static boolean has(TrialRecord trial, String kind) {
    return trial.artefacts().stream().anyMatch(artefact -> artefact.kind().equals(kind));
  }

  private static boolean clocksAreKnown(TrialRecord trial) {
    return trial.metrics().keySet().stream()
        .filter(name -> name.startsWith(Metric.CLOCK_ERROR + "agent"))
        .map(name -> name.substring(Metric.CLOCK_ERROR.length()))
        .allMatch(agent -> TrialEvents.clockIsKnown(trial, agent));
  }

  /**
   * A cause of a tail, or what is left without one.
   *
   * @param overlap empty where chance does not enter
   * @param p99Millis without the calls that the cause explains: those beyond chance
   */
  private record Row(
      Tail of,
      String cause,
      double share,
      Optional<EventOverlap> overlap,
      Optional<Double> p99Millis) {
    boolean claimed(double adjusted) {
      return adjusted <= FALSE_CLAIMS
          && lift()
              .filter(lift -> lift.value() >= MIN_LIFT && (!lift.hasInterval() || lift.low() > 1))
              .isPresent();
    }

    Optional<Estimate> lift() {
      return overlap.flatMap(EventOverlap::lift);
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows = TreatmentRow.valid(run, trial -> has(trial, SlowCallLog.KIND));
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No valid trial recorded its slowest calls, so that the tail has no causes to show.");
    }
    if (rows.stream()
        .allMatch(row -> row.trials().stream().noneMatch(TailCauses::clocksAreKnown))) {
      throw BadDataException.of(
          "The clocks of the clients' hosts are known no better than to %s ms, so that calls cannot be set against events; use hosts that answer sooner.",
          Numbers.shorten(TrialEvents.MAX_CLOCK_ERROR_MILLIS));
    }
    List<Tail> tails = rows.stream().flatMap(row -> tails(run, row).stream()).toList();
    List<Row> tested = new ArrayList<>();
    for (Tail tail : tails) {
      for (String cause : tail.causes()) {
        EventOverlap overlap = tail.overlap(cause);
        if (overlap.share() > 0) {
          tested.add(
              new Row(
                  tail,
                  cause,
                  overlap.share(),
                  Optional.of(overlap),
                  tail.p99Without(tail.overlapping(cause, overlap), overlap.aboveChance())));
        }
      }
    }
    double[] adjusted =
        MultipleTesting.holm(
            tested.stream().mapToDouble(row -> row.overlap().orElseThrow().p()).toArray());
    Set<Row> claimed = new LinkedHashSet<>();
    for (int i = 0; i < adjusted.length; i++) {
      if (tested.get(i).claimed(adjusted[i])) {
        claimed.add(tested.get(i));
      }
    }
    return result(tails, tested, claimed);
  }

  private static List<Tail> tails(RunRecord run, TreatmentRow row) {
    Map<String, List<Tail.Part>> byOperation = new LinkedHashMap<>();
    for (TrialRecord trial : row.trials()) {
      if (clocksAreKnown(trial)) {
        Map<String, List<Span>> events = new LinkedHashMap<>();
        for (TrialEvents.Lane lane : TrialEvents.of(run, trial)) {
          List<Span> spans = events.computeIfAbsent(lane.cause(), c -> new ArrayList<>());
          lane.events().forEach(event -> spans.add(new Span(event.begin(), event.end())));
        }
        for (SlowCallLog.OfOperation slow : slowCalls(run, trial)) {
          byOperation
              .computeIfAbsent(slow.operation(), o -> new ArrayList<>())
              .add(new Tail.Part(run, trial, slow, events));
        }
      }
    }
    List<Tail> tails = new ArrayList<>();
    byOperation.forEach(
        (operation, parts) ->
            tails.add(
                new Tail(
                    row.label() + (byOperation.size() == 1 ? "" : ", " + operation),
                    operation,
                    parts)));
    return tails;
  }

  private static List<SlowCallLog.OfOperation> slowCalls(RunRecord run, TrialRecord trial) {
    try {
      return SlowCallLog.read(run.folder(), trial.artefacts());
    } catch (IOException failure) {
      throw new RunException(
          "The slow calls of %s cannot be read (%s).".formatted(trial.id(), failure.getMessage()),
          failure);
    }
  }

  private static StudyResult result(List<Tail> tails, List<Row> tested, Set<Row> claimed) {
    List<Row> shown = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    List<Row> named = new ArrayList<>();
    List<String> unexplained = new ArrayList<>();
    List<String> compiling = new ArrayList<>();
    for (Tail tail : tails) {
      List<Row> own = tested.stream().filter(row -> row.of() == tail).toList();
      List<Row> causes = own.stream().filter(claimed::contains).toList();
      List<boolean[]> explained = tail.late();
      Row late = row(tail, "late starts", explained);
      causes.forEach(
          row -> Tail.or(explained, tail.overlapping(row.cause(), row.overlap().orElseThrow())));
      shown.addAll(own);
      if (late.share() > 0) {
        shown.add(late);
      }
      double rest = 1 - tail.share(explained);
      shown.add(new Row(tail, "not explained", rest, Optional.empty(), Optional.empty()));
      List<String> parts = new ArrayList<>(causes.stream().map(TailCauses::words).toList());
      named.addAll(causes);
      if (late.share() >= FALSE_CLAIMS) {
        named.add(late);
        parts.add(
            "%s were started late by the generator for most of their time%s"
                .formatted(percent(late.share()), without(late, ", ")));
      }
      if (parts.isEmpty()) {
        unexplained.add(tail.label());
        own.stream()
            .filter(row -> row.cause().equals(TrialEvents.COMPILATION))
            .filter(row -> MIN_LIFT * row.overlap().orElseThrow().byChance() >= 1)
            .forEach(row -> compiling.add(tail.label()));
      } else {
        findings.add(
            Finding.info(
                Finding.Kind.LATENCY,
                "Of the slowest %s of the calls of %s%s, %s; %s are not explained."
                    .formatted(
                        percent(tail.slowShare()),
                        tail.label(),
                        tail.p99Millis()
                            .map(ms -> " (p99 %s ms)".formatted(Numbers.shorten(ms)))
                            .orElse(""),
                        Phrases.and(parts),
                        percent(rest)),
                "Longer trials: rare events need time to occur."));
      }
    }
    if (findings.size() > MOST_SENTENCES) {
      findings.clear();
      findings.add(summary(named));
    }
    if (!unexplained.isEmpty()) {
      findings.add(
          Finding.info(
              Finding.Kind.LATENCY,
              "No recorded event explains the slowest calls of %s."
                  .formatted(Phrases.andOthers(unexplained)),
              "More telemetry ('gc', 'stalls', 'grid'), and longer trials."));
    }
    if (!compiling.isEmpty()) {
      findings.add(
          Finding.notice(
              Finding.Kind.LATENCY,
              "JIT compilers were at work for most of the time of %s, so that they may have caused slow calls without more overlap than by chance."
                  .formatted(Phrases.andOthers(compiling)),
              "A longer warm-up, or telemetry 'stalls', which records compilation to 50 ms."));
    }
    return StudyResult.of(findings, section(tails, shown, claimed));
  }

  /** One sentence for the tails of many treatments and operations, the commonest cause first. */
  private static Finding summary(List<Row> named) {
    Map<String, List<Row>> byCause = new LinkedHashMap<>();
    named.forEach(row -> byCause.computeIfAbsent(row.cause(), c -> new ArrayList<>()).add(row));
    List<String> parts =
        byCause.values().stream()
            .sorted(Comparator.comparingInt((List<Row> rows) -> -rows.size()))
            .map(
                rows -> {
                  DoubleSummaryStatistics shares =
                      rows.stream().mapToDouble(Row::share).summaryStatistics();
                  String range =
                      rows.size() == 1
                          ? percent(shares.getMax())
                          : percent(shares.getMin()) + " to " + percent(shares.getMax());
                  return "%s %s with %s"
                      .formatted(
                          range,
                          rows.get(0).overlap().isPresent()
                              ? "overlap " + rows.get(0).cause()
                              : "were started late by the generator",
                          Phrases.andOthers(rows.stream().map(row -> row.of().label()).toList()));
                })
            .toList();
    return Finding.info(
        Finding.Kind.LATENCY,
        "Causes of long tails, as shares of the slowest 1 %% of the calls: %s."
            .formatted(String.join("; ", parts)),
        "Longer trials: rare events need time to occur.");
  }

  private static Row row(Tail tail, String cause, List<boolean[]> which) {
    List<boolean[]> copy = which.stream().map(boolean[]::clone).toList();
    return new Row(tail, cause, tail.share(copy), Optional.empty(), tail.p99Without(copy, 1));
  }

  private static String words(Row row) {
    EventOverlap overlap = row.overlap().orElseThrow();
    return "%s overlap %s (%s by chance%s%s)"
        .formatted(
            percent(row.share()),
            row.cause(),
            percent(overlap.byChance()),
            row.lift().map(lift -> ", lift " + Numbers.ratio(lift)).orElse(""),
            without(row, "; "));
  }

  private static String without(Row row, String before) {
    return row.p99Millis()
        .map(ms -> "%sp99 without them %s ms".formatted(before, Numbers.shorten(ms)))
        .orElse("");
  }

  private static String percent(double share) {
    return Numbers.shorten(100 * share, 2) + " %";
  }

  private static Section section(List<Tail> tails, List<Row> rows, Set<Row> claimed) {
    Set<String> recorded = new LinkedHashSet<>();
    tails.forEach(tail -> recorded.addAll(tail.causes()));
    return Section.of(
        "tail-causes",
        "Why the tail is long",
        "The slowest 1 % of the calls of all trials (or as many as were recorded) and the part of"
            + " them that overlaps each kind of event. Chance: that part if the same events had"
            + " happened a little earlier or later; lift: the one by the other. A cause is"
            + " claimed from a lift of 2 on, where at most 5 % of all runs without any cause would"
            + " claim one; p99 then leaves out the calls that overlap it beyond chance. Late starts are"
            + " part of the latency itself. Recorded: "
            + (recorded.isEmpty() ? "nothing" : Phrases.and(List.copyOf(recorded)))
            + ".",
        new MetricTable<Row>("not claimed, or fewer than 1 % of the calls recorded")
            .text("treatment", row -> row.of().label())
            .text("cause", Row::cause)
            .number("slow [%]", row -> Optional.of(100 * row.share()))
            .number("chance [%]", row -> row.overlap().map(overlap -> 100 * overlap.byChance()))
            .formatted("lift [95 %]", row -> row.lift().map(Numbers::ratio).orElse(Table.ABSENT))
            .number(
                "p99 then [ms]",
                row ->
                    row.p99Millis().filter(ms -> row.overlap().isEmpty() || claimed.contains(row)))
            .figure("One row per cause", rows));
  }
}
