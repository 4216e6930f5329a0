package io.pyrometer.results.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.tuning.TuningOutcome;
import io.pyrometer.analysis.tuning.TuningOutcome.Effect;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.model.Tuning.Measure;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.BriefText;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialLimits;
import io.pyrometer.results.page.Limitations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A search for the best configuration as a page: the configuration to use first, then why. */
public final class TuningPage {
  /** The ratio of a latency, memory or CPU time to the default from which on it is a warning. */
  private static final double COSTLY = 1.25;

  private static final List<String> CONTENDERS = List.of("default", "winner", "runner-up");

  private final TuningResult result;
  private final Tuning tuning;
  private final Measure measure;
  private final List<Finding> answer = new ArrayList<>();
  private final List<Finding> limits = new ArrayList<>();

  private TuningPage(TuningResult result) {
    this.result = result;
    this.tuning = result.tuning();
    this.measure = tuning.goal().measure();
    result
        .outcome()
        .filter(found -> result.run().whole())
        .ifPresentOrElse(this::conclude, () -> answer.add(nothing()));
    limit();
  }

  /**
   * Makes the page.
   *
   * @param command as typed, to search again
   */
  public static Page of(TuningResult result, String command) {
    TuningPage page = new TuningPage(result);
    List<Page.Command> commands = new ArrayList<>();
    result
        .chosen()
        .map(result::diff)
        .ifPresent(diff -> commands.add(new Page.Command("The experiment's file", diff.yaml())));
    commands.add(new Page.Command("Search again", command));
    List<Section> sections = new ArrayList<>();
    result.outcome().ifPresent(outcome -> sections.addAll(page.sections(outcome)));
    sections.add(page.trials());
    List<Finding> findings = new ArrayList<>(page.answer);
    findings.addAll(page.limits);
    return new Page(
        "tune",
        "Which configuration has the best %s?".formatted(page.measure.words()),
        page.about(),
        findings,
        sections,
        commands);
  }

  /** The configuration to use with its settings and the limits, for the terminal. */
  public static BriefText brief(TuningResult result) {
    TuningPage page = new TuningPage(result);
    Figure table =
        result
            .outcome()
            .map(outcome -> page.settings(outcome, result.chosen().isPresent()))
            .orElseGet(() -> page.trials().figures().get(0));
    return new BriefText(List.of(page.about()), page.answer, table, page.limits);
  }

  private String about() {
    return "%s: %s of at most %d; seed %d"
        .formatted(
            result.run().plan().name(),
            Figures.count(result.measured().size(), "trial"),
            tuning.trials(),
            result.run().plan().seed());
  }

  private Finding nothing() {
    boolean begun = result.measured().stream().anyMatch(each -> each.response().isPresent());
    return begun
        ? Finding.warning(result.run().whole() ? "tune.only-default-works" : "tune.unfinished")
        : Finding.warning("tune.default-fails")
            .with(
                "why",
                result.run().counting().stream()
                    .findFirst()
                    .flatMap(TrialRecord::why)
                    .map(why -> Value.name(why.replaceAll("\\.$", ""))));
  }

  private void conclude(TuningOutcome outcome) {
    Optional<Integer> chosen = result.chosen();
    Optional<Estimate> gain = outcome.gains().get(chosen.orElse(1) - 1).map(this::ofFigure);
    Finding best =
        chosen.isPresent() ? Finding.info("tune.best") : Finding.notice("tune.no-difference");
    answer.add(
        changed(best, gain)
            .with("figure", measure.words())
            .with("settings", label(outcome, chosen.orElse(1))));
    for (int i = 1; i < outcome.contenders().size(); i++) {
      Finding.warning("tune.guarantee-refuted")
          .with("contender", CONTENDERS.get(i))
          .naming("probes", result.refuted(i).stream().map(Phrases::word).toList())
          .ifPresent(answer::add);
    }
    chosen.ifPresent(this::traded);
    answer.add(bound(outcome));
  }

  /** A change of the figure, of which less may be better. */
  private Estimate ofFigure(Estimate ratio) {
    return measure == Measure.THROUGHPUT ? ratio : ratio.map(of -> 1 / of, ratio.unit());
  }

  private static Finding changed(Finding finding, Optional<Estimate> ratio) {
    Optional<Estimate> shown = ratio.filter(each -> each.hasInterval() && !each.tooWide());
    Finding with =
        finding
            .with("change", shown.map(each -> Value.change(each.value())))
            .with("low", shown.map(each -> Value.change(each.low())))
            .with("high", shown.map(each -> Value.change(each.high())))
            .with("blocks", shown.map(each -> Value.count(each.replicates())));
    return ratio.map(each -> with.with("ratio to the default", each)).orElse(with);
  }

  private String label(TuningOutcome outcome, int contender) {
    return tuning.label(outcome.contenders().get(contender));
  }

  private void traded(int chosen) {
    Finding.warning("tune.guarantees-given-up")
        .naming("guarantees", result.givenUp(chosen))
        .ifPresent(answer::add);
    result
        .traded(chosen)
        .forEach(
            (figure, ratio) -> {
              if (!figure.equals(TuningResult.THROUGHPUT)
                  && ratio.hasInterval()
                  && ratio.low() > COSTLY) {
                answer.add(
                    changed(Finding.warning("tune.costly"), Optional.of(ratio))
                        .with("figure", figure));
              }
            });
  }

  private Finding bound(TuningOutcome outcome) {
    if (outcome.possible().isEmpty()) {
      return Finding.notice("tune.no-bound");
    }
    double possible = outcome.possible().getAsDouble();
    return possible <= 1
        ? Finding.info("tune.best-of-model")
        : Finding.info("tune.bound")
            .with("figure", measure.words())
            .with(
                "possible", Value.change(measure == Measure.THROUGHPUT ? possible : 1 / possible));
  }

  private void limit() {
    tuning
        .omitted()
        .map(
            omitted ->
                Finding.notice("tune.omitted")
                    .with("settings", omitted.settings())
                    .with("minutes", String.valueOf((long) Math.ceil(omitted.seconds() / 60))))
        .ifPresent(limits::add);
    TrialLimits.oversubscribed(result.run().counting()).ifPresent(limits::add);
    limits.addAll(Limitations.of(result.run()));
    long failed = result.measured().stream().filter(m -> m.response().isEmpty()).count();
    if (failed > 0 && failed < result.measured().size()) {
      limits.add(Finding.notice("tune.failed-trials").with("failed", failed));
    }
    if (!tuning.excluded().isEmpty()) {
      limits.add(Finding.info("tune.excluded").with("levels", tuning.excluded().size()));
    }
  }

  private List<Section> sections(TuningOutcome outcome) {
    List<Integer> contenders = IntStream.range(0, outcome.contenders().size()).boxed().toList();
    List<Figure> effects = new ArrayList<>();
    effects.add(
        IntervalChart.points(
            "Effect on the %s with its 95 %% interval".formatted(measure.words()),
            "×",
            sorted(outcome).stream().map(this::ranked).toList()));
    effects.add(settings(outcome, false));
    if (!tuning.excluded().isEmpty()) {
      effects.add(
          Figure.of(
              "Levels that were not tried",
              Table.ofWords(List.of("reason"), tuning.excluded().stream().map(List::of).toList())));
    }
    List<Figure> confirmed = new ArrayList<>();
    confirmed.add(
        new MetricTable<Integer>("failed, or fewer than two blocks")
            .text("", CONTENDERS::get)
            .text("configuration", i -> label(outcome, i))
            .number(measure.words(), result::figure)
            .formatted(
                "ratio to the default",
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
            .figure("Confirmed configurations", contenders));
    result
        .chosen()
        .map(result::traded)
        .ifPresent(
            traded ->
                confirmed.add(
                    new MetricTable<Map.Entry<String, Estimate>>()
                        .text("figure", Map.Entry::getKey)
                        .formatted("ratio to the default", each -> Numbers.ratio(each.getValue()))
                        .figure("Other figures", List.copyOf(traded.entrySet()))));
    return List.of(
        Texts.section("tune.confirmation", Texts.of("tune.confirmation.lead"), confirmed),
        Texts.section("tune.effects", Texts.of("tune.effects.lead"), effects));
  }

  private Knob knob(Effect effect) {
    return tuning.knobs().get(effect.knob());
  }

  private Figure settings(TuningOutcome outcome, boolean changedOnly) {
    return new MetricTable<Effect>()
        .text("setting", effect -> knob(effect).setting())
        .text("default", effect -> level(effect, knob(effect).initial()))
        .text("best", effect -> level(effect, effect.level()))
        .formatted("effect [95 %]", effect -> Numbers.ratio(ofFigure(effect.ratio())))
        .text("verdict", TuningPage::verdict)
        .figure(
            "Settings and their effect on the %s".formatted(measure.words()),
            sorted(outcome).stream()
                .filter(effect -> !changedOnly || effect.level() != knob(effect).initial())
                .toList());
  }

  private Ranked ranked(Effect effect) {
    String setting = knob(effect).setting();
    return new Ranked(setting, ofFigure(effect.ratio()), Optional.empty(), verdict(effect));
  }

  private String level(Effect effect, int level) {
    return knob(effect).levels().get(level).label();
  }

  private static String verdict(Effect effect) {
    return effect.irrelevant() ? "no relevant effect" : effect.matters() ? "relevant" : "open";
  }

  private static List<Effect> sorted(TuningOutcome outcome) {
    return outcome.effects().stream()
        .sorted(Comparator.comparingDouble(e -> -Math.abs(Math.log(e.ratio().value()))))
        .toList();
  }

  private Section trials() {
    return Section.of(
        "trials",
        "Trials",
        "",
        new MetricTable<TrialRecord>("failed")
            .count("", trial -> trial.ordinal() + 1L)
            .text("stage", level(Tuning.STAGE))
            .text("configuration", level(Tuning.CONFIGURATION))
            .number(measure.words(), result.search()::figure)
            .text("failed", trial -> trial.why().orElse(""))
            .figure("Every trial", result.run().counting()));
  }

  private static Function<TrialRecord, String> level(String name) {
    return trial -> trial.levels().getOrDefault(name, "");
  }
}
