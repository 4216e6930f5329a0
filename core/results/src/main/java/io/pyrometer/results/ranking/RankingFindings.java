package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Answer.Choice;
import io.pyrometer.results.ranking.Recommendation.Choices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The answer and the findings of a run's rankings. */
public final class RankingFindings {
  /** Other machines, networks and versions: a smaller factor does not contradict a figure. */
  private static final double ALIKE = 2;

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

  /** The answer, without the next command. */
  public Answer answer() {
    List<Choice> choices =
        recommendations.stream()
            .filter(each -> !each.get(0).ranking().rows().isEmpty())
            .flatMap(each -> Choices.of(each).stream())
            .toList();
    List<Recommendation> made =
        recommendations.stream().flatMap(List::stream).filter(r -> r.best().isPresent()).toList();
    return new Answer(
        choices,
        made.stream().map(Recommendation::confidence).min(Comparator.naturalOrder()),
        doubts(made),
        made.isEmpty() ? List.of() : validFor(),
        Optional.empty());
  }

  /** One finding of each kind, which counts the further choices that it concerns. */
  private static List<Finding> doubts(List<Recommendation> made) {
    return made.stream()
        .flatMap(each -> each.doubts().stream())
        .distinct()
        .collect(ListsByKey.by(Finding::id))
        .values()
        .stream()
        .map(some -> some.size() == 1 ? some.get(0) : some.get(0).with("others", some.size() - 1))
        .toList();
  }

  /** The systems that the figures apply to. */
  private List<Finding> validFor() {
    List<Finding> valid = new ArrayList<>();
    List<Host> hosts = run.plan().testbed().hosts();
    boolean oversubscribed = run.any(TrialRecord::oversubscribed);
    boolean servers = run.any(trial -> trial.settings().find(CoreSettings.NODES).orElse(0) > 0);
    if (run.plan().testbed().attach().isPresent()) {
      valid.add(Finding.info("valid.attached-grid"));
    } else if (!hosts.isEmpty() && !hosts.equals(List.of(Host.NAMESPACES)) && !oversubscribed) {
      valid.add(Finding.info("valid.cluster").with("hosts", hosts.size()));
    } else if (servers) {
      Finding machine = Finding.notice("valid.cpu-cost-of-machine");
      valid.add(
          oversubscribed && run.ranks()
              ? machine.with("mark", Mark.of(Mark.Kind.OVERSUBSCRIBED, "").symbol())
              : machine);
    } else {
      valid.add(Finding.info("valid.machine"));
    }
    if (run.compiledByC1()) {
      valid.add(Finding.notice("valid.c1-code"));
    }
    return valid;
  }

  /** Never empty. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(missed("rate.missed", rate -> rate.least() < OfferedRate.LEAST_HELD));
    findings.addAll(missed("rate.backlog", OfferedRate::drained));
    List<Finding> disturbed = disturbed();
    if (disturbed.isEmpty()) {
      findings.addAll(choices());
      findings.addAll(guarantees());
    } else {
      findings.addAll(disturbed);
    }
    TreatmentNotes.hiddenHops(run, rankings).ifPresent(findings::add);
    findings.addAll(TreatmentNotes.weakWrites(run));
    findings.addAll(unranked());
    return findings;
  }

  /** One for each choice, then the doubts; or why there is no answer. */
  private List<Finding> choices() {
    Answer answer = answer();
    if (answer.choices().isEmpty()) {
      boolean valid = run.any(TrialRecord::valid);
      return List.of(Finding.warning("no-answer." + (valid ? "not-ranked" : "no-valid-trial")));
    }
    return Stream.of(
            answer.choices().stream().map(RankingFindings::choice),
            answer.loweredBy().stream(),
            answer.validFor().stream())
        .flatMap(each -> each)
        .toList();
  }

  private static Finding choice(Choice choice) {
    return choice
        .recommended()
        .map(
            of -> {
              double rate = choice.rate();
              Finding finding =
                  Finding.info(rate > 0 ? "answer.lowest-p99" : "answer.throughput")
                      .with("job", choice.label())
                      .with("rate", Optional.of(Value.rate(rate)).filter(each -> rate > 0))
                      .with("treatment", of.treatment())
                      .with("baseline", of.baseline())
                      .with("figure", of.figure());
              return of.ratio().map(ratio -> finding.with("ratio", ratio)).orElse(finding);
            })
        .or(choice::none)
        .orElseThrow();
  }

  /** The treatments that lack a guarantee, or of which a probe says nothing. */
  public List<Finding> guarantees() {
    List<Ranking.Row> rows = rankings.stream().flatMap(r -> r.rows().stream()).toList();
    List<Finding> findings = new ArrayList<>();
    rows.stream().flatMap(this::refuted).distinct().forEach(findings::add);
    findings.addAll(excluded(rows));
    named("guarantee.outlived-a-server", rows, row -> outlived(row, true)).ifPresent(findings::add);
    named("guarantee.lost-nothing-by-chance", rows, row -> outlived(row, false))
        .ifPresent(findings::add);
    outages(rows).ifPresent(findings::add);
    return findings;
  }

  private static boolean outlived(Ranking.Row row, boolean promised) {
    return row.probes().outlivedAServer()
        && row.guarantees().contains(Requirement.SURVIVES_ONE_SERVER) == promised;
  }

  /** A finding that names the treatments that a condition holds for; empty without any. */
  private static Optional<Finding> named(
      String id, List<Ranking.Row> rows, Predicate<Ranking.Row> which) {
    return Finding.notice(id).naming("treatments", labels(rows.stream().filter(which)));
  }

  private static List<String> labels(Stream<Ranking.Row> rows) {
    return rows.map(Ranking.Row::label).distinct().toList();
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

  /** One finding for each offered rate that treatments did not keep to. */
  private List<Finding> missed(String id, Predicate<OfferedRate> which) {
    List<Finding> findings = new ArrayList<>();
    for (Ranking ranking : rankings) {
      Map<String, Double> least = new LinkedHashMap<>();
      for (Ranking.Row row : ranking.rows()) {
        row.offered().filter(which).ifPresent(rate -> least.put(row.label(), rate.least()));
      }
      if (!least.isEmpty()) {
        findings.add(
            Finding.warning(id)
                .with("rate", Value.rate(ranking.rate()))
                .with("treatments", least.keySet())
                .with("least", Value.share(Collections.min(least.values()))));
      }
    }
    return findings;
  }

  /** Treatments that lack a required guarantee: one finding for each set of lacking ones. */
  private List<Finding> excluded(List<Ranking.Row> all) {
    Set<Requirement> required = new TreeSet<>(run.experiment().require());
    return all.stream()
        .filter(row -> row.refuted().isEmpty() && !row.lacks(required).isEmpty())
        .collect(ListsByKey.by(row -> row.lacks(required)))
        .entrySet()
        .stream()
        .map(
            each ->
                Finding.notice("guarantee.lacks-required")
                    .with("treatments", labels(each.getValue().stream()))
                    .with("lacking", Phrases.promises(each.getKey())))
        .toList();
  }

  /** One finding for each probe that refuted a claim of a treatment. */
  private Stream<Finding> refuted(Ranking.Row row) {
    return row.refuted().stream()
        .map(
            kind -> {
              ProbeCounts found = row.probes().found(kind).orElseThrow();
              Finding finding =
                  Finding.warning("guarantee.refuted-by-" + kind.id())
                      .with("treatment", row.label())
                      .with("lost", found.staleOrLost())
                      .with("checked", found.checked());
              return row.ratio().map(ratio -> finding.with("ratio", ratio)).orElse(finding);
            });
  }

  /** The longest outage that the users of a treatment notice when a server dies. */
  private static Optional<Finding> outages(List<Ranking.Row> all) {
    record Outage(Ranking.Row row, ProbeCounts found) {}
    return all.stream()
        .flatMap(row -> row.probes().found(ProbeKind.KILL).map(f -> new Outage(row, f)).stream())
        .max(Comparator.comparingDouble(outage -> outage.found().worstStallSeconds()))
        .map(
            longest ->
                Finding.info("guarantee.outage")
                    .with("treatment", longest.row().label())
                    .with("stall", Value.seconds(longest.found().worstStallSeconds()))
                    .with("failed", longest.found().failedCalls()));
  }

  /** One finding for each reason why treatments failed. */
  private List<Finding> unranked() {
    return rankings.stream()
        .flatMap(ranking -> ranking.unranked().stream())
        .collect(ListsByKey.by(Ranking.Unranked::why))
        .entrySet()
        .stream()
        .map(
            each ->
                Finding.warning("ranking.no-valid-trial")
                    .with(
                        "treatments",
                        each.getValue().stream().map(Ranking.Unranked::label).toList())
                    .with("why", each.getKey()))
        .toList();
  }

  /** Where ratios agree with published ones, in one finding, then each that does not. */
  public static List<Finding> published(String source, List<Ranking> rankings) {
    List<Finding> findings = new ArrayList<>();
    List<String> alike = new ArrayList<>();
    for (Ranking.Row row : rankings.stream().flatMap(r -> r.rows().stream()).toList()) {
      if (row.published().isPresent() && row.ratio().isPresent()) {
        double here = row.ratio().map(Estimate::value).orElseThrow();
        Ranking.PublishedRatio published = row.published().get();
        if (here <= ALIKE * published.value() && published.value() <= ALIKE * here) {
          alike.add(row.label());
        } else {
          Finding differs =
              Finding.notice("published.differs")
                  .with("treatment", row.label())
                  .with("to", published.to())
                  .with("here", Value.ratio(here))
                  .with("published", Value.ratio(published.value()))
                  .with("source", source);
          findings.add(differs.with("why", published.why().map(Value::name)));
        }
      }
    }
    Finding.info("published.agrees")
        .with("source", source)
        .naming("treatments", alike)
        .ifPresent(agrees -> findings.add(0, agrees));
    return findings;
  }
}
