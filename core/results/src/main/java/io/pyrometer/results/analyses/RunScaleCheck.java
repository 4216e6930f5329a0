package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.Analysis;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.TrialDemands;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Whether a testbed of processes with CPU quotas is to scale: a cell whose quotas are all k times
 * those of another must reach k times its throughput (the scale check of scaled emulation; Gupta
 * and others, DieCast, NSDI 2008). Where servers are the busier part, the CPU time that they use
 * idle is taken from their quotas, because it does not shrink with them, and so is that of the JVM
 * that supervises a native server under the server's quota. A pair of cells is to scale if the 95 %
 * interval of its ratio lies within ±10 %.
 */
final class RunScaleCheck {
  /** By how much a cell may be off, as a ratio. */
  static final double LIMIT = 1.1;

  private static final double CONFIDENCE = 0.95;

  /** Quotas are compared as what the kernel was told. */
  private static final double SAME = 0.01;

  private enum Verdict {
    TO_SCALE("yes"),
    OFF("no"),
    OPEN("not decided");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }
  }

  /** The valid trials of one cell at one pair of quotas, by block, on a machine of some cores. */
  private record Cell(double node, double agent, int cores, Map<Integer, TrialDemands> blocks) {
    double serversBusy(TrialDemands d) {
      return d.recordsPerSecond() * d.serverSeconds() / d.servers() / node
          + Math.min(1, besides(d) / node);
    }

    /** What a quota is used for that is no record's: CPUs. */
    private double besides(TrialDemands d) {
      double supervisors = d.trial().value(Metric.MACHINE_SUPERVISORS).orElse(0.0) / 100 * cores;
      return d.idleCpus() + supervisors / d.servers();
    }

    double clientsBusy(TrialDemands d) {
      return agent > 0 ? d.recordsPerSecond() * d.clientSeconds() / agent : 0;
    }

    double mean(ToDoubleFunction<TrialDemands> of) {
      return blocks.values().stream().mapToDouble(of).average().orElse(0);
    }

    boolean serversBusier() {
      return mean(this::serversBusy) >= mean(this::clientsBusy);
    }

    double room(TrialDemands d) {
      return Math.max(0.05 * node, node - besides(d));
    }
  }

  /** Two cells that differ in their quotas alone. */
  private record Pair(String label, Cell small, Cell large) {
    double factor() {
      return large.node / small.node;
    }

    /** Throughput of the larger quotas over what they should reach, for each block with both. */
    private double[] ratios(boolean withoutIdle) {
      List<Double> ratios = new ArrayList<>();
      boolean ofServers = withoutIdle && small.serversBusier();
      small.blocks.forEach(
          (block, less) ->
              Optional.ofNullable(large.blocks.get(block))
                  .ifPresent(
                      more -> {
                        double expected =
                            ofServers ? large.room(more) / small.room(less) : factor();
                        ratios.add(more.recordsPerSecond() / less.recordsPerSecond() / expected);
                      }));
      return ratios.stream().mapToDouble(Double::doubleValue).toArray();
    }

    Estimate ratio(boolean withoutIdle) {
      return Means.geometric(ratios(withoutIdle), "", CONFIDENCE);
    }

    boolean sharesABlock() {
      return ratios(false).length > 0;
    }

    Verdict verdict() {
      Estimate ratio = ratio(true);
      if (!ratio.hasInterval()) {
        return Verdict.OPEN;
      }
      if (ratio.low() >= 1 / LIMIT && ratio.high() <= LIMIT) {
        return Verdict.TO_SCALE;
      }
      return ratio.low() > LIMIT || ratio.high() < 1 / LIMIT ? Verdict.OFF : Verdict.OPEN;
    }
  }

  private final List<Pair> pairs;

  private RunScaleCheck(List<Pair> pairs) {
    this.pairs = pairs;
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            Analysis.SCALE_CHECK.word(),
            "",
            "throughput for each CPU of quota",
            "",
            true,
            RunAnalyses.studied(() -> new RunScaleCheck(pairs(run)).studied())));
  }

  private static List<Pair> pairs(RunRecord run) {
    Map<Map<String, Object>, TreeMap<Double, Cell>> groups = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      double node = quota(trial.settings(), CoreSettings.NODE_CPUS);
      Optional<TrialDemands> demands = TrialDemands.of(trial);
      if (node > 0 && demands.isPresent()) {
        double agent = quota(trial.settings(), CoreSettings.AGENT_CPUS);
        groups
            .computeIfAbsent(withoutQuotas(trial.settings()), g -> new TreeMap<>())
            .computeIfAbsent(
                node,
                cpus ->
                    new Cell(
                        cpus,
                        agent * trial.settings().get(CoreSettings.AGENTS),
                        run.environment().cores(),
                        new TreeMap<>()))
            .blocks
            .put(trial.block(), demands.get());
      }
    }
    List<Map<String, String>> texts = groups.keySet().stream().map(RunScaleCheck::texts).toList();
    List<Pair> pairs = new ArrayList<>();
    int i = 0;
    for (TreeMap<Double, Cell> cells : groups.values()) {
      String label = Phrases.differing(texts.get(i++), texts);
      List<Cell> slowestFirst = List.copyOf(cells.values());
      for (int next = 1; next < slowestFirst.size(); next++) {
        Pair pair = new Pair(label, slowestFirst.get(next - 1), slowestFirst.get(next));
        if (scaledAlike(pair) && pair.sharesABlock()) {
          pairs.add(pair);
        }
      }
    }
    return pairs;
  }

  /** Whether the clients' quotas differ as the servers' do; clients may have none. */
  private static boolean scaledAlike(Pair pair) {
    double agents = pair.small.agent > 0 ? pair.large.agent / pair.small.agent : pair.factor();
    return Math.abs(agents / pair.factor() - 1) < SAME;
  }

  private static double quota(Settings settings, SettingKey<Double> key) {
    return settings.has(key.name()) ? settings.get(key) : 0;
  }

  private static Map<String, Object> withoutQuotas(Settings settings) {
    Map<String, Object> group = new TreeMap<>(settings.values());
    group.remove(CoreSettings.NODE_CPUS.name());
    group.remove(CoreSettings.AGENT_CPUS.name());
    return group;
  }

  private static Map<String, String> texts(Map<String, Object> group) {
    Map<String, String> texts = new TreeMap<>();
    group.forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  private StudyResult studied() {
    if (pairs.isEmpty()) {
      throw new BadDataException(
          "No two cells differ in their CPU quotas alone, so nothing can be said of the scale: give a factor levels that set node-cpus and agent-cpus in the same proportion.");
    }
    Section section =
        new Section(
            "scale",
            "Throughput in proportion to the quotas",
            "The throughput of the larger quotas, divided by what it should be: that of the smaller"
                + " ones times the ratio of the quotas. Idle work of servers, and what the JVM uses that"
                + " supervises a native server, is taken from their quotas where servers are busier"
                + " than clients. Each pair is of the same block.",
            List.of(Exhibit.of("One row a pair of cells", table())));
    return new StudyResult("", List.of(finding()), List.of(section), items());
  }

  private List<StudyResult.Item> items() {
    return pairs.stream()
        .map(pair -> new StudyResult.Item(words(pair), pair.ratio(true), "1 is to scale"))
        .toList();
  }

  private static String words(Pair pair) {
    return "%s: %s against %s CPUs"
        .formatted(pair.label, Numbers.shorten(pair.large.node), Numbers.shorten(pair.small.node));
  }

  private Finding finding() {
    List<String> off = words(Verdict.OFF);
    List<String> open = words(Verdict.OPEN);
    int held = pairs.size() - off.size() - open.size();
    String sentence =
        off.isEmpty() && open.isEmpty()
            ? "The testbed is to scale within 10 %% in all %d pairs of cells: throughput grows as the CPU quotas do."
                .formatted(pairs.size())
            : "The testbed is to scale within 10 %% in %d of %d pairs of cells%s%s."
                .formatted(
                    held,
                    pairs.size(),
                    off.isEmpty() ? "" : "; not for " + Phrases.andOthers(off),
                    open.isEmpty() ? "" : "; not decided for " + Phrases.andOthers(open));
    return new Finding(
        Finding.Kind.COMPARISON,
        off.isEmpty() && open.isEmpty() ? Finding.Severity.INFO : Finding.Severity.WARNING,
        sentence,
        Map.of(),
        "More blocks decide pairs that are not; other quotas can be to scale where these are not.");
  }

  private List<String> words(Verdict verdict) {
    return pairs.stream()
        .filter(pair -> pair.verdict() == verdict)
        .map(RunScaleCheck::words)
        .toList();
  }

  private Table table() {
    List<List<String>> rows =
        pairs.stream()
            .map(
                pair -> {
                  boolean servers = pair.small.serversBusier();
                  double busy =
                      pair.small.mean(servers ? pair.small::serversBusy : pair.small::clientsBusy);
                  return List.of(
                      pair.label,
                      Numbers.shorten(pair.small.node),
                      Numbers.whole(pair.small.mean(TrialDemands::recordsPerSecond)),
                      Numbers.shorten(pair.large.node),
                      Numbers.whole(pair.large.mean(TrialDemands::recordsPerSecond)),
                      Numbers.estimate(pair.ratio(false)),
                      Numbers.estimate(pair.ratio(true)),
                      "%s, %s".formatted(servers ? "servers" : "clients", Numbers.percent(busy)),
                      pair.verdict().words);
                })
            .toList();
    return Table.ofWords(
        List.of(
            "cell",
            "CPUs of a server",
            "records/s",
            "CPUs of a server",
            "records/s",
            "ratio as measured",
            "ratio without idle work",
            "busiest, at the smaller quotas",
            "to scale"),
        rows);
  }
}
