package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How deep throughput falls and how long it takes to come back when a server leaves, is killed,
 * joins or comes back, and whether keys were lost; blocks are the replicates.
 */
final class RunElasticity {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "elasticity";
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return PlannedTreatment.require(
          treatments,
          each ->
              each.settings()
                  .find(CoreSettings.SERVER_EVENT)
                  .filter(event -> !event.equals("none"))
                  .isPresent(),
          "'elasticity' needs a server event, and no treatment has one; give 'server-event: kill' or"
              + " another, or remove it.");
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunElasticity.of(run);
    }
  }

  private static final double CONFIDENCE = 0.95;
  private static final double SAMPLE_SECONDS = 0.1;
  private static final int SAMPLES_A_SECOND = 10;

  /** So much before an event is what throughput is compared with. */
  private static final int MOST_BEFORE = 50;

  private final RunRecord run;

  /** By treatment and event, in the order of the run. */
  private final Map<Key, List<Dip>> dips = new LinkedHashMap<>();

  private final Map<Key, List<Double>> joinSeconds = new LinkedHashMap<>();

  private record Key(String treatment, String event) {}

  private RunElasticity(RunRecord run) {
    this.run = run;
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            "elasticity",
            "",
            "server events",
            "",
            true,
            RunAnalyses.analyze(() -> new RunElasticity(run).analyze())));
  }

  private StudyResult analyze() {
    run.counting().forEach(this::add);
    if (dips.isEmpty()) {
      throw new BadDataException(
          "No trial has a server event with enough samples around it; set 'server-event', and 'event-after' to a second or more.");
    }
    List<List<String>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    keys().ifPresent(findings::add);
    dips.forEach(
        (key, of) -> {
          rows.add(row(key, of));
          findings.add(finding(key, of));
        });
    Section section =
        new Section(
            "elasticity",
            "Dips of throughput",
            "Throughput in windows of half a second, against its mean in up to five seconds before"
                + " the event, until the next event or the end. Depth: by how much the lowest window"
                + " falls short. Below 90 %: the sum of the times in which windows are (or are below"
                + " the lowest one before the event, if that is lower). Back for good: from the"
                + " event to the end of the last such window. Missed: what was not done meanwhile,"
                + " in seconds of the load before, of which an open loop catches up. Starting a server takes CPU time of the machine"
                + " that it starts on, also from the other processes there.",
            List.of(
                Exhibit.of(
                    "One row a treatment and event",
                    Table.ofWords(
                            List.of(
                                "treatment",
                                "event",
                                "depth [%]",
                                "below 90 % [s]",
                                "back for good after [s]",
                                "not back",
                                "missed [s of load]",
                                "join took [s]",
                                "blocks"),
                            rows)
                        .withAbsent("no block came back before the end, or nothing joined"))));
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private void add(TrialRecord trial) {
    List<ServerEvents.Event> events = ServerEvents.of(trial);
    List<Long> samples = trial.timeline().samples();
    int measuredFrom = trial.timeline().measuredFrom();
    for (int i = 0; i < events.size(); i++) {
      ServerEvents.Event event = events.get(i);
      int begin = measuredFrom + (int) (event.begin() * SAMPLES_A_SECOND);
      int floor =
          i == 0
              ? measuredFrom
              : measuredFrom + (int) Math.ceil(events.get(i - 1).end() * SAMPLES_A_SECOND);
      int from = Math.max(floor, begin - MOST_BEFORE);
      int to =
          i + 1 < events.size()
              ? measuredFrom + (int) (events.get(i + 1).begin() * SAMPLES_A_SECOND)
              : samples.size();
      if (begin - from >= Dip.LEAST_BEFORE && Math.min(to, samples.size()) - begin >= Dip.WINDOW) {
        double[] around =
            samples.subList(from, Math.min(to, samples.size())).stream()
                .mapToDouble(Long::doubleValue)
                .toArray();
        Key key = new Key(Rankings.label(trial), event.words());
        dips.computeIfAbsent(key, k -> new ArrayList<>())
            .add(Dip.after(around, SAMPLE_SECONDS, begin - from));
        if (event.end() > event.begin()) {
          joinSeconds.computeIfAbsent(key, k -> new ArrayList<>()).add(event.end() - event.begin());
        }
      }
    }
  }

  private List<String> row(Key key, List<Dip> of) {
    List<Double> took = joinSeconds.getOrDefault(key, List.of());
    return List.of(
        key.treatment(),
        key.event(),
        Numbers.estimate(depth(of)),
        Numbers.estimate(below(of)),
        length(of).map(Numbers::estimate).orElse(Table.ABSENT),
        notBack(of) + " of " + of.size(),
        Numbers.shorten(
            of.stream()
                .mapToDouble(dip -> dip.missing() * SAMPLE_SECONDS / Math.max(dip.before(), 1e-9))
                .average()
                .orElse(0)),
        took.isEmpty()
            ? Table.ABSENT
            : Numbers.shorten(took.stream().mapToDouble(Double::doubleValue).average().orElse(0)),
        String.valueOf(of.size()));
  }

  private static Estimate depth(List<Dip> of) {
    return Means.arithmetic(
        of.stream().mapToDouble(dip -> 100 * dip.depth()).toArray(), "%", CONFIDENCE);
  }

  private static Estimate below(List<Dip> of) {
    return Means.arithmetic(of.stream().mapToDouble(Dip::below).toArray(), "s", CONFIDENCE);
  }

  /** Of the blocks that came back; empty if none did. */
  private static Optional<Estimate> length(List<Dip> of) {
    double[] seconds = of.stream().flatMapToDouble(dip -> dip.seconds().stream()).toArray();
    return seconds.length == 0
        ? Optional.empty()
        : Optional.of(Means.arithmetic(seconds, "s", CONFIDENCE));
  }

  private static long notBack(List<Dip> of) {
    return of.stream().filter(dip -> dip.seconds().isEmpty()).count();
  }

  private static Finding finding(Key key, List<Dip> of) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    long dipped = of.stream().filter(dip -> dip.depth() > 0).count();
    long notBack = notBack(of);
    String what = "When %s (%s), throughput ".formatted(key.event(), key.treatment());
    String sentence;
    if (dipped == 0) {
      sentence = what + "does not fall below what it was before by more than its noise or 10 %.";
    } else {
      Estimate depth = depth(of);
      estimates.put("depth", depth);
      Optional<Estimate> length = length(of);
      estimates.put("below 90 %", below(of));
      length.ifPresent(seconds -> estimates.put("back for good after", seconds));
      sentence =
          what
              + "falls by %s %%, is too low for %s s"
                  .formatted(Numbers.estimate(depth), Numbers.estimate(below(of)))
              + length
                  .map(
                      seconds ->
                          " and back for good after %s s".formatted(Numbers.estimate(seconds)))
                  .orElse("")
              + (notBack > 0
                  ? "; in %d of %d blocks it is not back before the next event or the end"
                      .formatted(notBack, of.size())
                  : "")
              + ".";
    }
    return new Finding(
        Finding.Kind.ESTIMATE,
        notBack > 0 ? Finding.Severity.NOTICE : Finding.Severity.INFO,
        sentence,
        estimates,
        "More blocks, more data to rebalance, or another load.");
  }

  /** Of all trials with an event: what their verification found of the keys. */
  private Optional<Finding> keys() {
    List<TrialRecord> trials =
        run.counting().stream().filter(trial -> !ServerEvents.of(trial).isEmpty()).toList();
    List<String> lost = new ArrayList<>();
    long judged = 0;
    for (TrialRecord trial : trials) {
      if (trial.outcome() == TrialRecord.Outcome.WRONG) {
        String keys =
            trial
                .value(Metric.WRONG_KEYS)
                .map(n -> " (%s keys)".formatted(Numbers.whole(n)))
                .orElse("");
        lost.add(Rankings.label(trial) + ", block " + (trial.block() + 1) + keys);
      }
      judged += trial.outcome() == TrialRecord.Outcome.FAILED ? 0 : 1;
    }
    if (!lost.isEmpty()) {
      return Optional.of(
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.WARNING,
              "Acknowledged writes are lost or stale after a server event: %s."
                  .formatted(Phrases.andOthers(lost)),
              Map.of(),
              "Nothing: one lost or stale key is proof."));
    }
    return judged == 0
        ? Optional.empty()
        : Optional.of(
            new Finding(
                Finding.Kind.COMPARISON,
                Finding.Severity.INFO,
                "No acknowledged write was lost or stale in the %d trials with a server event."
                    .formatted(judged),
                Map.of(),
                "One lost or stale key in more trials: finding none is no proof."));
  }
}
