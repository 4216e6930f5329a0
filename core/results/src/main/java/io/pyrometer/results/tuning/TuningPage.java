package io.pyrometer.results.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.tuning.TuningOutcome;
import io.pyrometer.analysis.tuning.TuningOutcome.Effect;
import io.pyrometer.analysis.tuning.TuningSearch.Stage;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.model.Tuning.Measure;
import io.pyrometer.experiment.model.Tuning.Omitted;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.Oversubscription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A search for the best configuration as a page: what to set first, then why. */
public final class TuningPage {
  /** The ratio of a latency, memory or CPU time to the default from which on it is a warning. */
  private static final double COSTLY = 1.25;

  private static final List<String> CONTENDERS = List.of("default", "winner", "runner-up");

  private final TuningResult result;
  private final Tuning tuning;

  private TuningPage(TuningResult result) {
    this.result = result;
    this.tuning = result.tuning();
  }

  /**
   * @param command as typed, to search again
   */
  public static Page of(TuningResult result, String command) {
    TuningPage page = new TuningPage(result);
    List<Page.Command> again = new ArrayList<>();
    result
        .chosen()
        .map(result::diff)
        .ifPresent(
            diff -> {
              again.add(new Page.Command("The experiment's file", diff.yaml()));
            });
    again.add(new Page.Command("Search again", command));
    List<Section> sections = new ArrayList<>();
    result.outcome().ifPresent(outcome -> sections.addAll(page.sections(outcome)));
    sections.add(page.trials());
    return new Page(
        "tune",
        "Which configuration has the best %s?".formatted(page.tuning.goal().measure().words()),
        page.about(),
        page.findings(),
        sections,
        again);
  }

  private String about() {
    return "%s: %s, at most %d; run %s, seed %d."
        .formatted(
            result.run().plan().name(),
            Figures.count(result.measured().size(), "trial"),
            tuning.trials(),
            result.run().folder().path().getFileName(),
            result.run().plan().seed());
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (result.outcome().isEmpty()) {
      findings.add(nothing());
    } else {
      TuningOutcome outcome = result.outcome().get();
      findings.add(answer(outcome));
      for (int i = 1; i < outcome.contenders().size(); i++) {
        refuted(i).ifPresent(findings::add);
      }
      findings.addAll(effects(outcome));
      result.chosen().ifPresent(chosen -> findings.add(traded(chosen)));
      findings.add(distance(outcome));
    }
    tuning.omitted().map(TuningPage::omitted).ifPresent(findings::add);
    disturbed().ifPresent(findings::add);
    Oversubscription.of(
            result.run().counting(),
            "the search compares CPU time, not what a cluster on machines of its own reaches")
        .ifPresent(findings::add);
    failures().ifPresent(findings::add);
    CompiledByC1.finding(result.run().counting()).ifPresent(findings::add);
    tuning
        .excluded()
        .forEach(each -> findings.add(Finding.info(Kind.COMPARISON, each, "--allow.")));
    return findings;
  }

  private Finding nothing() {
    boolean begun = result.measured().stream().anyMatch(each -> each.response().isPresent());
    return Finding.warning(
        Kind.NOT_ENOUGH_RUNS,
        begun
            ? "No configuration was confirmed: %s."
                .formatted(
                    result.isComplete()
                        ? "none but the default works"
                        : "the search is not complete; resume it")
            : "The default itself has no valid trial%s, so that nothing can be compared with it."
                .formatted(
                    result.run().counting().stream()
                        .findFirst()
                        .flatMap(TrialRecord::why)
                        .map(why -> " (" + why.replaceAll("\\.$", "") + ")")
                        .orElse("")),
        "An experiment whose default configuration works.");
  }

  /** As a change of the figure, of which less may be better. */
  private Estimate ofFigure(Estimate ratio) {
    return tuning.goal().measure() == Measure.THROUGHPUT
        ? ratio
        : ratio.map(of -> 1 / of, ratio.unit());
  }

  private static String change(Estimate ratio) {
    return Figures.change(ratio.value())
        + (ratio.hasInterval() ? " (" + ratio.interval(Figures::change) + ")" : "");
  }

  private Finding answer(TuningOutcome outcome) {
    Optional<Integer> chosen = result.chosen();
    String words = tuning.goal().measure().words();
    if (chosen.isEmpty()) {
      Optional<Estimate> gain = outcome.gains().get(0).map(this::ofFigure);
      return Finding.notice(
          Kind.COMPARISON,
          "Keep the default: no configuration was confirmed to be better%s."
              .formatted(
                  gain.map(
                          g ->
                              g.tooWide()
                                  ? "; the gain of the best that was found, %s, is open (too few blocks)"
                                      .formatted(label(outcome, 1))
                                  : "; the best that was found, %s, changes the %s by %s"
                                      .formatted(label(outcome, 1), words, change(g)))
                      .orElse("")),
          gain.map(g -> Map.of("winner to default", g)).orElse(Map.of()),
          "A larger budget, or less noise.");
    }
    Estimate gain = ofFigure(outcome.gains().get(chosen.get() - 1).orElseThrow());
    return Finding.info(
        Kind.COMPARISON,
        "Set %s: this changes the %s by %s against the default, in %s of the confirmation, each with fresh processes."
            .formatted(
                label(outcome, chosen.get()),
                words,
                change(gain),
                Figures.count(gain.replicates(), "block")),
        Map.of("to the default", gain),
        "Another workload, data size or machine: search there.");
  }

  private String label(TuningOutcome outcome, int contender) {
    return tuning.label(outcome.contenders().get(contender));
  }

  private Optional<Finding> refuted(int contender) {
    Set<ProbeKind> refuted = result.refuted(contender);
    return refuted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Kind.COMPARISON,
                "The %s (%s) is not eligible: the probe %s found writes stale or lost that the default keeps."
                    .formatted(
                        CONTENDERS.get(contender),
                        label(result.outcome().orElseThrow(), contender),
                        refuted.stream()
                            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))),
                "The probe again, with more keys."));
  }

  private List<Finding> effects(TuningOutcome outcome) {
    Map<String, Estimate> matter = new LinkedHashMap<>();
    List<String> irrelevant = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (Effect effect : sorted(outcome)) {
      Knob knob = tuning.knobs().get(effect.knob());
      if (effect.irrelevant()) {
        irrelevant.add(knob.setting());
      } else if (effect.matters()) {
        matter.put(contrast(effect), ofFigure(effect.ratio()));
      } else {
        open.add(knob.setting());
      }
    }
    List<Finding> findings = new ArrayList<>();
    if (!matter.isEmpty()) {
      findings.add(
          Finding.info(
              Kind.EFFECT,
              "What matters: %s."
                  .formatted(
                      matter.entrySet().stream()
                          .map(each -> each.getKey() + " " + change(each.getValue()))
                          .collect(Collectors.joining("; "))),
              matter,
              "Effects are those of the model of all trials, at the winner; another winner has others."));
    }
    if (!irrelevant.isEmpty()) {
      findings.add(
          Finding.info(
              Kind.EFFECT,
              "May stay at their default, because the interval of their effect excludes 3 %%: %s."
                  .formatted(String.join(", ", irrelevant)),
              "Levels beyond those that were tried."));
    }
    if (!open.isEmpty()) {
      findings.add(
          Finding.info(
              Kind.NOT_ENOUGH_RUNS,
              "Open, because too few trials differ in them: %s.".formatted(String.join(", ", open)),
              "A larger budget."));
    }
    return findings;
  }

  private static List<Effect> sorted(TuningOutcome outcome) {
    return outcome.effects().stream()
        .sorted(
            Comparator.comparingDouble(
                (Effect effect) -> -Math.abs(Math.log(effect.ratio().value()))))
        .toList();
  }

  private String contrast(Effect effect) {
    Knob knob = tuning.knobs().get(effect.knob());
    return "%s %s instead of %s"
        .formatted(knob.setting(), level(knob, effect.level()), level(knob, effect.other()));
  }

  private static String level(Knob knob, int level) {
    String label = knob.levels().get(level).label();
    return level == knob.initial() ? label + " (the default)" : label;
  }

  private Finding traded(int chosen) {
    Set<String> lost = result.givenUp(chosen);
    String figures =
        result.traded(chosen).entrySet().stream()
            .map(each -> each.getKey() + " " + change(each.getValue()))
            .collect(Collectors.joining("; "));
    boolean costly =
        result.traded(chosen).entrySet().stream()
            .anyMatch(
                each ->
                    !each.getKey().equals(TuningResult.THROUGHPUT)
                        && each.getValue().hasInterval()
                        && each.getValue().low() > COSTLY);
    return Finding.of(
        Kind.COMPARISON,
        lost.isEmpty() && !costly ? Severity.INFO : Severity.WARNING,
        "Against the default: %s. %s"
            .formatted(
                figures,
                lost.isEmpty()
                    ? "No declared guarantee is given up."
                    : "It gives up " + String.join(", ", lost) + ", as --allow permits."),
        result.traded(chosen),
        "More blocks of the confirmation.");
  }

  private Finding distance(TuningOutcome outcome) {
    String caveat = "Settings and levels that were not in the search, of which nothing is known.";
    String explained =
        outcome.explained().isPresent()
            ? "the model explained %s of the variance of configurations drawn at random"
                .formatted(Figures.percent(Math.max(0, outcome.explained().getAsDouble())))
            : "too few configurations were drawn at random to check the model";
    if (outcome.possible().isEmpty()) {
      return Finding.notice(
          Kind.ESTIMATE,
          "A better configuration may exist, and no bound is given: %s.".formatted(explained),
          caveat);
    }
    double possible = outcome.possible().getAsDouble();
    return Finding.info(
        Kind.ESTIMATE,
        "If the model's assumption holds (similar configurations perform alike), %s; %s."
            .formatted(
                possible <= 1
                    ? "no configuration is better than the winner"
                    : "no configuration that works is more than %s the winner's %s (95 %%)"
                        .formatted(
                            tuning.goal().measure() == Measure.THROUGHPUT
                                ? Figures.percent(possible - 1) + " above"
                                : Figures.percent(1 - 1 / possible) + " below",
                            tuning.goal().measure().words()),
                explained),
        caveat);
  }

  private static Finding omitted(Omitted omitted) {
    return Finding.notice(
        Kind.NOT_ENOUGH_RUNS,
        "Not tuned, because the budget is too small: %s; all settings take %d minutes."
            .formatted(
                String.join(", ", omitted.settings()), (long) Math.ceil(omitted.seconds() / 60)),
        "--budget %dm.".formatted((long) Math.ceil(omitted.seconds() / 60)));
  }

  private Optional<Finding> disturbed() {
    List<TrialRecord> trials = result.run().counting();
    long disturbed = trials.stream().filter(TrialRecord::disturbed).count();
    return disturbed == 0
        ? Optional.empty()
        : Optional.of(
            Finding.of(
                Kind.DISTURBED,
                2 * disturbed > trials.size() ? Severity.WARNING : Severity.NOTICE,
                "%d of %s %s disturbed by the machine."
                    .formatted(
                        disturbed,
                        Figures.count(trials.size(), "trial"),
                        disturbed == 1 ? "was" : "were"),
                Map.of(),
                "A search on a machine that does nothing else."));
  }

  private Optional<Finding> failures() {
    long failed = result.measured().stream().filter(m -> m.response().isEmpty()).count();
    return failed == 0 || failed == result.measured().size()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.COMPARISON,
                "%s failed and %s avoided afterwards; the table of trials says why."
                    .formatted(Figures.count(failed, "trial"), failed == 1 ? "was" : "were"),
                "More memory or time for them."));
  }

  private List<Section> sections(TuningOutcome outcome) {
    List<Ranked> points =
        sorted(outcome).stream()
            .map(
                effect ->
                    new Ranked(
                        contrast(effect), ofFigure(effect.ratio()), Optional.empty(), "from model"))
            .toList();
    List<Integer> contenders = IntStream.range(0, outcome.contenders().size()).boxed().toList();
    Section confirmation =
        Section.of(
            "confirmation",
            "Confirmation",
            "Interleaved blocks, each trial with fresh processes. Trials of the search count nothing here, because the best of many noisy figures is too high.",
            new MetricTable<Integer>("failed, or fewer than two blocks")
                .text("", CONTENDERS::get)
                .text("configuration", i -> label(outcome, i))
                .number(tuning.goal().measure().words(), result::figure)
                .formatted(
                    "against the default",
                    i ->
                        i == 0
                            ? ""
                            : outcome
                                .gains()
                                .get(i - 1)
                                .map(this::ofFigure)
                                .map(Numbers::ratio)
                                .orElse(Table.ABSENT))
                .count("blocks", i -> result.confirmed(i).size())
                .figure("What was confirmed", contenders));
    return points.isEmpty()
        ? List.of(confirmation)
        : List.of(
            confirmation,
            Section.of(
                "effects",
                "Effects",
                "Each setting at the winner's level against its default, or against the level that differs most where the winner has the default; by the model of all trials.",
                IntervalChart.points(
                    "Ratio of the " + tuning.goal().measure().words() + ", with 95 % interval",
                    "×",
                    points)));
  }

  private Section trials() {
    Map<Stage, int[]> stages = result.stages();
    return Section.of(
        "trials",
        "Trials",
        stages.entrySet().stream()
            .map(
                each ->
                    "%s %d%s"
                        .formatted(
                            each.getKey().name().toLowerCase(Locale.ROOT),
                            each.getValue()[0],
                            each.getValue()[1] == 0 ? "" : " (" + each.getValue()[1] + " failed)"))
            .collect(Collectors.joining(", ", "Trials by stage: ", ".")),
        new MetricTable<TrialRecord>("failed")
            .count("", trial -> trial.ordinal() + 1L)
            .text("stage", trial -> trial.levels().getOrDefault(Tuning.STAGE, ""))
            .text("configuration", trial -> trial.levels().getOrDefault(Tuning.CONFIGURATION, ""))
            .number(tuning.goal().measure().words(), result.search()::figure)
            .text("failed", trial -> trial.why().orElse(""))
            .figure("Every trial", result.run().counting()));
  }
}
