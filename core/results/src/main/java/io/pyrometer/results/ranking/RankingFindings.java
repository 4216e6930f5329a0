package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.Oversubscription;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of rankings: a missed rate, then the recommended treatments, then the details. */
public final class RankingFindings {
  /** Other machines, networks and versions: a smaller factor does not contradict a figure. */
  private static final double ALIKE = 2;

  private static final String WOULD_CHANGE =
      "The published machines and versions, or a run on machines like those.";

  private final RunRecord run;
  private final List<Ranking> rankings;
  private final List<List<Recommendation>> recommendations;

  /** Judges the rankings of a run. */
  public RankingFindings(RunRecord run, List<Ranking> rankings) {
    this.run = run;
    this.rankings = rankings;
    this.recommendations =
        rankings.stream().map(ranking -> Recommendation.byCondition(run, ranking)).toList();
  }

  /** Never empty. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    missed(row -> row.offered().filter(o -> o.least() < OfferedRate.LEAST_HELD).isPresent())
        .map(
            rates ->
                Finding.warning(
                    Kind.LATENCY,
                    "The offered rate of %s: that is overload, where latency grows with the length of the trial, so these treatments are not recommended."
                        .formatted(named(rates, "was not held by", "not by")),
                    "A lower rate, which they hold."))
        .ifPresent(findings::add);
    missed(row -> row.offered().filter(OfferedRate::drained).isPresent())
        .map(
            rates ->
                Finding.warning(
                    Kind.LATENCY,
                    "A backlog drained into the measured part at the offered rate of %s: the latency includes calls that were overdue before, so these treatments are not recommended."
                        .formatted(named(rates, "for", "for")),
                    "A longer warm-up, or a lower rate."))
        .ifPresent(findings::add);
    List<Finding> disturbed = disturbed();
    if (disturbed.isEmpty()) {
      findings.add(answer());
      price().ifPresent(findings::add);
      findings.addAll(guarantees());
    } else {
      findings.addAll(disturbed);
    }
    HiddenHops.of(run, rankings).ifPresent(findings::add);
    findings.addAll(WeakWrites.of(run));
    LongCalls.of(run).ifPresent(findings::add);
    withoutP99().ifPresent(findings::add);
    unranked(findings);
    for (List<Recommendation> each : recommendations) {
      Recommendation first = each.get(0);
      String part = first.ranking().openLoop() ? "" : first.ranking().part();
      first.models().forEach(model -> findings.addAll(model.outliers(part)));
      first.models().forEach(model -> model.dependence(part).ifPresent(findings::add));
    }
    Oversubscription.of(
            run.counting(),
            "the ranking compares CPU cost, not what a cluster on machines of its own can do")
        .ifPresent(findings::add);
    return findings;
  }

  /** The treatments that lack a guarantee, or of which a probe says nothing. */
  public List<Finding> guarantees() {
    List<Ranking.Row> rows = rankings.stream().flatMap(r -> r.rows().stream()).toList();
    return Stream.of(
            refuted(rows).stream(),
            excluded(rows).stream(),
            untested(rows).stream(),
            held(rows),
            outages(rows).stream())
        .flatMap(each -> each)
        .toList();
  }

  /** The treatments that are recommended, in the order of the rankings. */
  public List<Ranking.Row> recommended() {
    return recommendations.stream()
        .flatMap(List::stream)
        .flatMap(made -> made.best().stream())
        .toList();
  }

  /**
   * About how many blocks show whether the first two treatments differ, of the ranking that takes
   * the fewest; infinite where no number is known, empty where nothing is open.
   */
  public OptionalDouble blocksWanted() {
    return recommendations.stream()
        .flatMap(List::stream)
        .flatMapToDouble(recommendation -> recommendation.blocksWanted().stream())
        .min();
  }

  /**
   * The findings that a run begins with whose trials were mostly disturbed: what its probes found,
   * which the noise of speed does not touch, then that its figures are no answer. Empty of others.
   */
  public List<Finding> disturbed() {
    return NextStep.ofDisturbed(run)
        .map(none -> Stream.concat(guarantees().stream(), Stream.of(none)).toList())
        .orElse(List.of());
  }

  /** The price of each recommended treatment. */
  private Optional<Finding> price() {
    List<String> parts =
        recommended().stream()
            .map(row -> row.label() + " takes " + row.price().words())
            .distinct()
            .toList();
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.info(
                Kind.ESTIMATE,
                "Price: %s.".formatted(String.join("; ", parts)),
                "Other threads, batches or limits of a client's own copies."));
  }

  /** By rate, the treatments of it that did something, with the achieved share. */
  private Optional<Map<String, String>> missed(Predicate<Ranking.Row> which) {
    Map<String, String> byRate = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      List<String> rows =
          ranking.rows().stream()
              .filter(which)
              .map(
                  row ->
                      "%s (%s of it)"
                          .formatted(row.label(), row.offered().map(OfferedRate::share).orElse("")))
              .toList();
      if (!rows.isEmpty()) {
        byRate.merge(
            Figures.plain(ranking.rate()), Phrases.andOthers(rows), (a, b) -> a + ", " + b);
      }
    }
    return byRate.isEmpty() ? Optional.empty() : Optional.of(byRate);
  }

  private static String named(Map<String, String> rates, String first, String others) {
    List<String> parts = new ArrayList<>();
    rates.forEach(
        (rate, rows) ->
            parts.add(
                parts.isEmpty()
                    ? "%s calls/s %s %s".formatted(rate, first, rows)
                    : "that of %s calls/s %s %s".formatted(rate, others, rows)));
    return String.join("; ", parts);
  }

  private Finding answer() {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    List<Recommendation> made = new ArrayList<>();
    Set<String> said = new HashSet<>();
    for (List<Recommendation> each : recommendations) {
      if (!each.get(0).ranking().rows().isEmpty()) {
        parts.add(Recommendation.Sentence.of(each, said));
        each.stream().filter(of -> of.best().isPresent()).forEach(made::add);
      }
    }
    made.forEach(each -> estimates.putAll(each.estimates()));
    if (made.isEmpty()) {
      return noAnswer(parts);
    }
    Optional<Double> jit = jitPercent(made);
    return Finding.of(
        Kind.ESTIMATE,
        jit.isPresent() ? Severity.NOTICE : Severity.INFO,
        Phrases.capital(String.join("; ", parts))
            + jit.map(Recommendation.Sentence::provisional).orElse("")
            + ".",
        estimates,
        "More blocks, other records, or other machines: repeat it with your own.");
  }

  /** The most that JIT compilers used for a recommended treatment that had no warm trial. */
  private static Optional<Double> jitPercent(List<Recommendation> made) {
    return made.stream()
        .flatMap(each -> each.best().flatMap(Ranking.Row::jitPercent).stream())
        .max(Double::compare);
  }

  private Finding noAnswer(List<String> reasons) {
    if (rankings.isEmpty() && !run.counting().isEmpty()) {
      return NextStep.noAnswer(
          "these treatments are not compared by throughput",
          "Name the analysis that compares them under 'analyses'.");
    }
    if (reasons.isEmpty()) {
      return NextStep.noAnswer("no trial is valid", "The reasons are listed with each trial.");
    }
    return NextStep.noAnswer(
        String.join("; ", reasons),
        run.plan().experiment().require().isEmpty()
            ? "Use a lower rate, longer trials, or treatments that keep their guarantees."
            : "Add paths or settings that have what 'require' names, or require less.");
  }

  /** What lacks a required guarantee, with the reason. */
  private Optional<Finding> excluded(List<Ranking.Row> all) {
    Set<Requirement> required = new TreeSet<>(run.plan().experiment().require());
    Map<String, List<String>> byLack = new LinkedHashMap<>();
    all.stream()
        .filter(row -> row.refuted().isEmpty() && !row.lacks(required).isEmpty())
        .forEach(row -> ListsByKey.add(byLack, Phrases.lacks(row.lacks(required)), costing(row)));
    List<String> parts = new ArrayList<>();
    byLack.forEach((lack, rows) -> parts.add(Phrases.and(rows) + ": " + lack));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.COMPARISON,
                "Excluded by 'require': %s.".formatted(String.join("; ", parts)),
                "Other requirements, or settings with which the product guarantees more."));
  }

  /** A treatment that is not recommended, with its throughput, which is what guarantees cost. */
  private String costing(Ranking.Row row) {
    boolean ranks = run.plan().experiment().analyses().contains(AnalysisDeclaration.RANKING);
    return rankings.stream()
        .filter(ranking -> ranks && !ranking.openLoop() && ranking.rows().contains(row))
        .flatMap(
            ranking ->
                row.ratio().filter(r -> !row.isBaseline() && !r.tooWide()).stream()
                    .map(r -> Recommendation.Sentence.figure(r.value()))
                    .map(
                        times ->
                            " (%s times the throughput of %s)"
                                .formatted(times, ranking.baseline())))
        .findFirst()
        .map(row.label()::concat)
        .orElse(row.label());
  }

  private Optional<Finding> refuted(List<Ranking.Row> all) {
    List<Ranking.Row> rows = all.stream().filter(row -> !row.refuted().isEmpty()).toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    String sentence =
        rows.size() == 1
            ? "%s does not keep its guarantees and is not recommended: %s."
                .formatted(costing(rows.get(0)), Phrases.and(rows.get(0).refuted()))
            : "%d treatments do not keep their guarantees and are not recommended. %s."
                .formatted(
                    rows.size(),
                    rows.stream()
                        .map(row -> costing(row) + ": " + Phrases.and(row.refuted()))
                        .collect(Collectors.joining("; ")));
    return Optional.of(
        Finding.warning(
            Kind.COMPARISON, sentence, "Nothing: one stale or lost key is conclusive."));
  }

  /** A probe that says nothing of a treatment is no reason to trust it. */
  private static Optional<Finding> untested(List<Ranking.Row> all) {
    List<String> rows =
        all.stream()
            .filter(row -> row.refuted().isEmpty() && !row.probes().untested().isEmpty())
            .map(
                row -> "%s (%s)".formatted(row.label(), String.join(", ", row.probes().untested())))
            .toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.COMPARISON,
                "Not tested, because a probe failed or checked fewer than %d keys or reads: %s."
                    .formatted(ProbeCounts.MIN_CHECKED, Phrases.andOthers(rows)),
                "A probe of more keys in its time, as with a smaller batch or more threads."));
  }

  /** Treatments that lost nothing when a server ended, by what they promise for that case. */
  private static Stream<Finding> held(List<Ranking.Row> all) {
    Map<Boolean, Set<String>> byPromise = new TreeMap<>();
    all.stream()
        .filter(row -> row.probes().outlivedAServer())
        .forEach(
            row ->
                byPromise
                    .computeIfAbsent(
                        row.guarantees().contains(Requirement.SURVIVES_ONE_SERVER),
                        promised -> new LinkedHashSet<>())
                    .add(row.label()));
    return byPromise.entrySet().stream()
        .map(
            of ->
                Finding.notice(
                    Kind.COMPARISON,
                    "No acknowledged write was lost when one server ended, which is no proof; by declaration %s %s: %s."
                        .formatted(
                            of.getValue().size() == 1 ? "this treatment" : "these treatments",
                            of.getKey()
                                ? "must not lose them"
                                : Requirement.SURVIVES_ONE_SERVER.lack(),
                            Phrases.andOthers(List.copyOf(of.getValue()))),
                    "More probes: one key lost in any of them is conclusive."));
  }

  /** What the users of a treatment notice when a server dies, the longest first. */
  private static Optional<Finding> outages(List<Ranking.Row> all) {
    Map<String, ProbeCounts> killed = new LinkedHashMap<>();
    all.forEach(
        row ->
            row.probes()
                .found(ProbeKind.KILL)
                .filter(found -> !killed.containsValue(found)) // one probe of several rates
                .ifPresent(found -> killed.put(row.label(), found)));
    List<String> parts =
        killed.entrySet().stream()
            .sorted(
                Map.Entry.comparingByValue(
                    Comparator.comparingDouble(ProbeCounts::worstStallSeconds).reversed()))
            .map(of -> of.getKey() + " " + outage(of.getValue()))
            .toList();
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.info(
                Kind.COMPARISON,
                "Longest time without an acknowledged write after a server was killed: %s."
                    .formatted(String.join(", ", parts)),
                "More probes: each killed one server once."));
  }

  private static String outage(ProbeCounts found) {
    String failed =
        found.failedCalls() == 0 ? "" : " and " + Figures.count(found.failedCalls(), "failed call");
    return found.worstStall() + failed;
  }

  private Optional<Finding> withoutP99() {
    List<String> rows =
        rankings.stream()
            .filter(Ranking::openLoop)
            .flatMap(ranking -> ranking.rows().stream())
            .filter(row -> row.worstP99().isEmpty())
            .map(Ranking.Row::label)
            .toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Kind.LATENCY,
                "%s too few calls for a p99 of every operation, which takes 1,000 calls of each: ranked last."
                    .formatted(Phrases.andOthers(rows) + (rows.size() == 1 ? " has" : " have")),
                "A longer measured part."));
  }

  /** What failed for one reason is one finding. */
  private void unranked(List<Finding> findings) {
    rankings.stream()
        .flatMap(ranking -> ranking.unranked().stream())
        .collect(
            Collectors.groupingBy(
                Ranking.Unranked::why,
                LinkedHashMap::new,
                Collectors.mapping(Ranking.Unranked::label, Collectors.toList())))
        .forEach(
            (why, labels) ->
                findings.add(
                    Finding.warning(
                        Kind.DISTURBED,
                        "%s no valid trial: %s"
                            .formatted(
                                Phrases.andOthers(labels) + (labels.size() == 1 ? " has" : " have"),
                                why),
                        "A valid trial.")));
  }

  /** Where ratios agree with published ones, in one sentence, then each that does not. */
  public static List<Finding> published(String source, List<Ranking> rankings) {
    List<Finding> findings = new ArrayList<>();
    List<String> alike = new ArrayList<>();
    for (Ranking ranking : rankings) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.published().isPresent() && row.ratio().isPresent()) {
          double here = row.ratio().get().value();
          Ranking.PublishedRatio published = row.published().get();
          String words =
              "%s is %s times %s here, %s times as published"
                  .formatted(
                      ranking.part().isEmpty() ? row.label() : ranking.part() + ", " + row.label(),
                      text(here),
                      published.to(),
                      text(published.value()));
          if (here <= ALIKE * published.value() && published.value() <= ALIKE * here) {
            alike.add(words);
          } else {
            findings.add(
                Finding.notice(
                    Kind.COMPARISON,
                    "Different from the published ratio (%s): %s%s."
                        .formatted(
                            source, words, published.why().map(why -> "; " + why).orElse("")),
                    WOULD_CHANGE));
          }
        }
      }
    }
    if (!alike.isEmpty()) {
      findings.add(
          0,
          Finding.info(
              Kind.COMPARISON,
              "Within a factor of two of the published ratios (%s): %s."
                  .formatted(source, String.join("; ", alike)),
              WOULD_CHANGE));
    }
    return findings;
  }

  private static String text(double ratio) {
    if (ratio < 0.1) {
      return Numbers.shorten(ratio);
    }
    double step = ratio >= 100 ? 1 : ratio >= 10 ? 0.1 : 0.01;
    return Figures.plain(Math.round(ratio / step) * step);
  }
}
