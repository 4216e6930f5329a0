package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.MultipleTesting;
import io.pyrometer.analysis.latency.EventOverlap;
import io.pyrometer.analysis.latency.EventOverlap.Span;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Why the tail is long: the slowest calls of each treatment and operation against the events of all
 * processes at the same time. A cause is claimed where slow calls overlap its events more often
 * than by chance, judged over all causes of the run together.
 */
final class TailCauses {
  /** Reports of longer runs show it only if the experiment names it. */
  private static final int MAX_TRIALS_UNNAMED = 100;

  private static final double FALSE_CLAIMS = 0.05;

  private static final String LATE = "late starts";
  private static final String REST = "not explained";

  /** Below, more than half of the calls that overlap the cause would do so by chance. */
  private static final double MIN_LIFT = 2;

  static final Analysis DECLARATION =
      new DeclaredAnalysis("tail-causes", "latency", "ms", TailCauses::analyze)
          .shownFor(TailCauses::isShown);

  private TailCauses() {}

  private static boolean isShown(RunRecord run) {
    return run.counting().size() <= MAX_TRIALS_UNNAMED
        && run.any(t -> has(t, SlowCallLog.KIND))
        && run.any(t -> has(t, "gc-log") || has(t, TelemetryKind.STALLS.id()));
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
   * @param adjusted p over all causes of the run
   */
  private record Row(
      Tail of, String cause, double share, Optional<EventOverlap> overlap, double adjusted) {
    Row adjusted(double p) {
      return new Row(of, cause, share, overlap, p);
    }

    boolean claimed() {
      return overlap.isEmpty()
          ? cause.equals(LATE) && share >= FALSE_CLAIMS
          : adjusted <= FALSE_CLAIMS
              && lift()
                  .filter(l -> l.value() >= MIN_LIFT && (!l.hasInterval() || l.low() > 1))
                  .isPresent();
    }

    Optional<Estimate> lift() {
      return overlap.flatMap(EventOverlap::lift);
    }
  }

  private static StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows =
        RunAnalysis.require(
            "tail.no-trial", TreatmentRow.valid(run, trial -> has(trial, SlowCallLog.KIND)));
    if (rows.stream()
        .allMatch(row -> row.trials().stream().noneMatch(TailCauses::clocksAreKnown))) {
      throw new RunAnalysis.NoResult("tail.clocks-unknown");
    }
    List<Tail> tails = rows.stream().flatMap(row -> tails(run, row).stream()).toList();
    List<Row> tested = new ArrayList<>();
    for (Tail tail : tails) {
      for (String cause : tail.causes()) {
        EventOverlap overlap = tail.overlap(cause);
        if (overlap.share() > 0) {
          tested.add(new Row(tail, cause, overlap.share(), Optional.of(overlap), overlap.p()));
        }
      }
    }
    double[] adjusted = MultipleTesting.holm(tested.stream().mapToDouble(Row::adjusted).toArray());
    for (int i = 0; i < adjusted.length; i++) {
      tested.set(i, tested.get(i).adjusted(adjusted[i]));
    }
    return result(tails, tested.stream().collect(ListsByKey.by(Row::of)));
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
          ListsByKey.add(
              byOperation,
              slow.operation(),
              new Tail.Part(trial.counts().seconds(), slow.calls(), events));
        }
      }
    }
    List<Tail> tails = new ArrayList<>();
    byOperation.forEach(
        (operation, parts) ->
            tails.add(
                new Tail(row.label() + (byOperation.size() == 1 ? "" : ", " + operation), parts)));
    return tails;
  }

  private static List<SlowCallLog.OfOperation> slowCalls(RunRecord run, TrialRecord trial) {
    try {
      return JsonLines.read(
          run.folder(), trial.artefacts(), SlowCallLog.KIND, SlowCallLog.OfOperation.class);
    } catch (IOException failure) {
      throw new RunException(
          "The slow calls of %s cannot be read (%s).".formatted(trial.id(), failure.getMessage()),
          failure);
    }
  }

  private static StudyResult result(List<Tail> tails, Map<Tail, List<Row>> tested) {
    List<Row> shown = new ArrayList<>();
    Map<String, List<Row>> byCause = new LinkedHashMap<>();
    List<String> unexplained = new ArrayList<>();
    List<String> compiling = new ArrayList<>();
    for (Tail tail : tails) {
      List<Row> rows = new ArrayList<>(tested.getOrDefault(tail, List.of()));
      BitSet explained = tail.late();
      double late = tail.share(explained);
      for (Row row : rows) {
        if (row.claimed()) {
          explained.or(Tail.overlapping(row.overlap().orElseThrow()));
        }
      }
      if (late > 0) {
        rows.add(new Row(tail, LATE, late, Optional.empty(), 0));
      }
      rows.stream().filter(Row::claimed).forEach(r -> ListsByKey.add(byCause, r.cause(), r));
      if (rows.stream().noneMatch(Row::claimed)) {
        unexplained.add(tail.label());
        rows.stream()
            .filter(row -> row.cause().equals(TrialEvents.COMPILATION))
            .flatMap(row -> row.overlap().stream())
            .filter(overlap -> MIN_LIFT * overlap.byChance() >= 1)
            .forEach(overlap -> compiling.add(tail.label()));
      }
      rows.add(new Row(tail, REST, 1 - tail.share(explained), Optional.empty(), 0));
      shown.addAll(rows);
    }
    List<Finding> findings = new ArrayList<>();
    byCause.values().stream()
        .sorted(Comparator.comparingInt((List<Row> rows) -> -rows.size()))
        .forEach(rows -> findings.add(finding(rows)));
    Finding.info("tail.unexplained").naming("treatments", unexplained).ifPresent(findings::add);
    Finding.notice("tail.compiling").naming("treatments", compiling).ifPresent(findings::add);
    return StudyResult.of(findings, section(tails, shown));
  }

  /** One cause of the tails of some treatments and operations. */
  private static Finding finding(List<Row> rows) {
    Row most = Collections.max(rows, Comparator.comparingDouble(Row::share));
    return Finding.info(most.overlap().isPresent() ? "tail.cause" : "tail.late-starts")
        .with("treatments", rows.stream().map(row -> row.of().label()).toList())
        .with("cause", most.cause())
        .with("share", Value.share(most.share()))
        .with("chance", most.overlap().map(overlap -> Value.share(overlap.byChance())));
  }

  private static Section section(List<Tail> tails, List<Row> rows) {
    Set<String> recorded = new LinkedHashSet<>();
    tails.forEach(tail -> recorded.addAll(tail.causes()));
    Figure figure =
        Texts.<Row>table("tail-causes")
            .text("treatment", row -> row.of().label())
            .text("cause", Row::cause)
            .number("slow [%]", row -> Optional.of(100 * row.share()))
            .number("chance [%]", row -> row.overlap().map(overlap -> 100 * overlap.byChance()))
            .formatted("lift [95 %]", row -> row.lift().map(Numbers::ratio).orElse(Table.ABSENT))
            .figure("One row per cause", rows);
    String causes = recorded.isEmpty() ? "nothing" : String.join(", ", recorded);
    return Texts.section("tail-causes", Texts.of("tail-causes.lead", causes), List.of(figure));
  }

  /** The slow calls of one operation of one treatment in all of its trials. */
  private record Tail(String label, List<Part> parts) {
    /**
     * One trial.
     *
     * @param events of each cause that the trial recorded, even if there were none
     */
    record Part(double seconds, List<SlowCall> calls, Map<String, List<Span>> events) {
      private EventOverlap.Trial against(String cause) {
        List<Span> slow = new ArrayList<>();
        for (SlowCall call : calls) {
          double begin = call.beginMicros() / 1e6;
          slow.add(new Span(begin, begin + call.nanos() / 1e9));
        }
        return new EventOverlap.Trial(seconds, slow, events.getOrDefault(cause, List.of()));
      }
    }

    /** The slow calls of all parts in turn; sets of calls are of indexes in it. */
    private List<SlowCall> calls() {
      return parts.stream().flatMap(part -> part.calls().stream()).toList();
    }

    Set<String> causes() {
      Set<String> causes = new LinkedHashSet<>();
      parts.forEach(part -> causes.addAll(part.events().keySet()));
      return causes;
    }

    EventOverlap overlap(String cause) {
      return EventOverlap.of(parts.stream().map(part -> part.against(cause)).toList());
    }

    static BitSet overlapping(EventOverlap overlap) {
      BitSet marked = new BitSet();
      int call = 0;
      for (boolean[] trial : overlap.overlapping()) {
        for (boolean overlaps : trial) {
          marked.set(call++, overlaps);
        }
      }
      return marked;
    }

    /** The calls that waited for their start for most of their time. */
    BitSet late() {
      List<SlowCall> calls = calls();
      return IntStream.range(0, calls.size())
          .filter(i -> 2_000 * calls.get(i).lateMicros() > calls.get(i).nanos())
          .collect(BitSet::new, BitSet::set, BitSet::or);
    }

    double share(BitSet some) {
      return (double) some.cardinality() / Math.max(1, calls().size());
    }
  }
}
