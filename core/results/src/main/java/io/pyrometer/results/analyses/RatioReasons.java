package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why the throughput of a treatment is so many times that of its baseline. By the utilisation law
 * (Denning and Buzen 1978) throughput is the number of CPUs that are busy, divided by the CPU time
 * of a record, so that a ratio of throughputs is the product of two ratios; its shares are those of
 * their logarithms. The difference in CPU time is then divided by role and category of work.
 *
 * <p>Only undisturbed trials are compared, of blocks that have one of both treatments.
 */
public final class RatioReasons {
  /** Smaller ratios are not explained, and smaller differences of counters not mentioned. */
  private static final double WORTH_EXPLAINING = 1.5;

  /** CPU time that makes up less of a ratio is not its reason. */
  private static final double ACCOUNTS = 0.5;

  /** A part of the CPU time is named from this share of the difference on. */
  private static final double NAMED = 0.1;

  /** The largest part of the CPU time that remains is named from this share on. */
  private static final double REMAINS = 0.3;

  private static final int MAX_NAMED = 4;
  private static final int MAX_FINDINGS = 3;

  private static final List<Map.Entry<String, String>> COUNTERS =
      List.of(
          Map.entry(Metric.DEMAND_MESSAGES_OUT, "messages"),
          Map.entry(Metric.DEMAND_BYTES_OUT, "bytes sent"),
          Map.entry(Metric.DEMAND_SWITCHES, "context switches"));

  private final RunRecord run;
  private final Map<String, CpuProfile> profiles;
  private final List<Reason> reasons = new ArrayList<>();

  /**
   * The reason of a treatment's ratio to another.
   *
   * @param cpu how many times less CPU time a record costs; empty where that is not known
   * @param busy how many times as many CPUs are busy
   */
  private record Reason(
      Ranking.Row row,
      Ranking.Row base,
      String sentence,
      Optional<Estimate> cpu,
      Optional<Estimate> busy) {
    /** How far from 1 the ratio is. */
    double differs() {
      return row.ratio().map(ratio -> Math.abs(Math.log(ratio.value()))).orElse(0.0);
    }
  }

  private RatioReasons(RunRecord run) {
    this.run = run;
    this.profiles =
        CpuProfile.of(run).stream().collect(Collectors.toMap(CpuProfile::label, each -> each));
  }

  /** The reasons of all significant ratios from 1.5 on, or below its inverse, in a closed loop. */
  public static RatioReasons of(RunRecord run, List<Ranking> rankings) {
    RatioReasons reasons = new RatioReasons(run);
    rankings.stream().filter(ranking -> !ranking.openLoop()).forEach(reasons::add);
    return reasons;
  }

  private void add(Ranking ranking) {
    boolean counted =
        ranking.rows().stream()
            .flatMap(row -> undisturbed(row).stream())
            .anyMatch(t -> t.value(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU).isPresent());
    if (!counted) {
      return; // such as benchmarks of caches
    }
    for (Ranking.Row row : ranking.rows()) {
      row.ratio()
          .filter(RatioReasons::isWorthExplaining)
          .flatMap(ratio -> ranking.baselineOf(row).map(base -> reason(row, base, ratio)))
          .ifPresent(reasons::add);
    }
  }

  private static boolean isWorthExplaining(Estimate ratio) {
    boolean significant = !ratio.hasInterval() || ratio.low() > 1 || ratio.high() < 1;
    return significant && apart(ratio.value(), 1);
  }

  private static boolean apart(double one, double other) {
    return Math.max(one, other) > 0
        && Math.max(one, other) >= WORTH_EXPLAINING * Math.min(one, other);
  }

  /** The undisturbed trials of a treatment, one for each block that has any. */
  private List<TrialRecord> undisturbed(Ranking.Row row) {
    Map<Integer, TrialRecord> byBlock = new TreeMap<>();
    run.counting().stream()
        .filter(trial -> trial.levels().equals(row.replicates().levels()))
        .filter(trial -> trial.outcome() == Outcome.OK && !trial.disturbed())
        .filter(trial -> trial.throughput().orElse(0.0) > 0)
        .forEach(trial -> byBlock.putIfAbsent(trial.block(), trial));
    return List.copyOf(byBlock.values());
  }

  /** The undisturbed trials of one treatment in the blocks that have one of another. */
  private CountedCost cost(Ranking.Row row, Ranking.Row other) {
    List<Integer> blocks = undisturbed(other).stream().map(TrialRecord::block).toList();
    return new CountedCost(
        undisturbed(row).stream().filter(trial -> blocks.contains(trial.block())).toList(),
        Optional.ofNullable(profiles.get(row.label())));
  }

  private Reason reason(Ranking.Row row, Ranking.Row base, Estimate ratio) {
    CountedCost one = cost(row, base);
    CountedCost other = cost(base, row);
    String is =
        "%s is %s times %s".formatted(row.label(), Numbers.shorten(ratio.value()), base.label());
    if (one.trials().isEmpty() || !one.cpuIsWhole() || !other.cpuIsWhole()) {
      String why =
          one.trials().isEmpty()
              ? "no block has an undisturbed trial of both"
              : "the CPU time of some processes is not recorded";
      String sentence = "%s; not explained: %s.".formatted(is, why);
      return new Reason(row, base, sentence, Optional.empty(), Optional.empty());
    }
    Estimate cpu = one.timesLess(other, CountedCost::cpu);
    Estimate busy = other.timesLess(one, CountedCost::busy);
    String sentence = is + shares(one, other, cpu.value(), busy.value());
    if (apart(cpu.value(), 1)) {
      sentence += parts(one, other);
    }
    return new Reason(
        row, base, sentence + counters(one, other), Optional.of(cpu), Optional.of(busy));
  }

  /** What CPU time makes of a ratio: the rest of a sentence. */
  private static String shares(CountedCost one, CountedCost other, double cpu, double busy) {
    double share = Math.log(cpu) / Math.log(cpu * busy);
    String costs =
        "a record costs %s of CPU time instead of %s"
            .formatted(
                Numbers.micros(one.geometric(CountedCost::cpu)),
                Numbers.micros(other.geometric(CountedCost::cpu)));
    String used =
        "%s instead of %s CPUs are busy"
            .formatted(
                Numbers.shorten(one.geometric(CountedCost::busy)),
                Numbers.shorten(other.geometric(CountedCost::busy)));
    if (share < ACCOUNTS) {
      return ": %s not explained by CPU time, because calls wait %s (%s); %s."
          .formatted(
              percent(1 - Math.max(0, share)), cpu * busy > 1 ? "less" : "longer", used, costs);
    }
    return share > 1
        ? ", because %s, although %s.".formatted(costs, used)
        : ", because %s (%s of the ratio); %s.".formatted(costs, percent(share), used);
  }

  /** What makes the difference in CPU time, a sentence after a space. */
  private static String parts(CountedCost one, CountedCost other) {
    Map<String, Double> saved = new TreeMap<>();
    Map<String, Double> left = new TreeMap<>();
    List<String> roles = new ArrayList<>();
    for (String role : List.of(CpuProfile.CLIENTS, CpuProfile.SERVERS)) {
      roles.add(
          "%s %s instead of %s"
              .formatted(role, Numbers.micros(one.cpuOf(role)), Numbers.micros(other.cpuOf(role))));
      other.parts(role, one).forEach((part, micros) -> saved.merge(part, micros, Double::sum));
      one.parts(role, other)
          .forEach(
              (part, micros) -> {
                saved.merge(part, -micros, Double::sum);
                left.merge(part, micros, Double::sum);
              });
    }
    double all = CpuProfile.sum(saved);
    double open = saved.getOrDefault(CountedCost.NOT_EXPLAINED, 0.0) / all;
    saved.remove(CountedCost.NOT_EXPLAINED);
    left.remove(CountedCost.NOT_EXPLAINED);
    List<String> named =
        saved.entrySet().stream()
            .filter(part -> Math.abs(part.getValue() / all) >= NAMED)
            .sorted(Comparator.comparingDouble(part -> -part.getValue() / all))
            .limit(MAX_NAMED)
            .map(part -> part.getKey() + " " + percent(part.getValue() / all))
            .collect(Collectors.toCollection(ArrayList::new));
    if (named.isEmpty() || Math.round(100 * open) != 0) {
      named.add(CountedCost.NOT_EXPLAINED + " " + percent(open));
    }
    double remaining = one.of(Metric.DEMAND_CPU).orElse(Double.NaN);
    String remains =
        left.entrySet().stream()
            .filter(part -> all > 0 && part.getValue() >= REMAINS * remaining)
            .max(Map.Entry.comparingByValue())
            .map(
                part ->
                    " Of what remains, %s is %s."
                        .formatted(percent(part.getValue() / remaining), part.getKey()))
            .orElse("");
    return " Of the CPU time %s (%s): %s.%s"
        .formatted(
            all > 0 ? "saved" : "added",
            String.join(", ", roles),
            String.join(", ", named),
            remains);
  }

  /** The counters that differ, a sentence after a space; empty where none does. */
  private static String counters(CountedCost one, CountedCost other) {
    List<String> differing = new ArrayList<>();
    for (Map.Entry<String, String> counter : COUNTERS) {
      OptionalDouble own = one.of(counter.getKey());
      OptionalDouble others = other.of(counter.getKey());
      if (own.isPresent() && others.isPresent()) {
        addIfApart(differing, own.getAsDouble(), others.getAsDouble(), counter.getValue());
      }
    }
    addIfApart(differing, one.calls(), other.calls(), "calls");
    return differing.isEmpty() ? "" : " Per record: " + String.join(", ", differing) + ".";
  }

  private static void addIfApart(List<String> to, double one, double other, String words) {
    if (apart(one, other)) {
      to.add("%s instead of %s %s".formatted(Numbers.shorten(one), Numbers.shorten(other), words));
    }
  }

  private static String percent(double share) {
    return "%.0f %%".formatted(100 * share);
  }

  /**
   * The reasons for what is recommended, at most three, as far as the CPU time is known: against
   * its baseline or, of a baseline, that of the treatment which differs most from it.
   */
  public List<Finding> findings(List<Ranking.Row> recommended) {
    return recommended.stream()
        .flatMap(
            row ->
                reasons.stream()
                    .filter(reason -> reason.row().equals(row) || reason.base().equals(row))
                    .filter(reason -> reason.cpu().isPresent())
                    .max(Comparator.comparingDouble(Reason::differs))
                    .stream())
        .distinct()
        .limit(MAX_FINDINGS)
        .map(
            reason ->
                Finding.info(
                    Finding.Kind.ESTIMATE,
                    reason.sentence(),
                    "More blocks, profiles of several blocks ('telemetry: profile'), or other"
                        + " record or batch sizes."))
        .toList();
  }

  /** One row for each ratio with a reason, or with why it has none; empty where there is none. */
  public Optional<Figure> figure(Ranking ranking) {
    List<Reason> rows =
        reasons.stream().filter(reason -> ranking.rows().contains(reason.row())).toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new MetricTable<Reason>("not known")
                .text("treatment", reason -> reason.row().label())
                .formatted("less CPU time", reason -> ratio(reason.cpu()))
                .formatted("more CPUs busy", reason -> ratio(reason.busy()))
                .text("reason", Reason::sentence)
                .figure(
                    "Why: throughput is the number of busy CPUs by the CPU time of a record, so that a ratio is the product of two; shares of a ratio are on a log scale",
                    rows));
  }

  private static String ratio(Optional<Estimate> ratio) {
    return ratio.map(Numbers::ratio).orElse(Table.ABSENT);
  }
}
