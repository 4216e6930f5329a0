package io.pyrometer.results.study;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.FactorialCharts;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.results.Texts;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The effects of factors on a response. */
public final class FactorStudy {
  /** A model of more parameters takes more memory and time than its answers are worth. */
  private static final int MAX_PARAMETERS = 300;

  /** Aliases are looked for among all 2^k products of factors; of more factors by main effects. */
  private static final int MAX_ALIASED_FACTORS = 15;

  /** Interactions of three factors are left out where no more values than these would be left. */
  private static final int MIN_LEFT = 8;

  private FactorStudy() {}

  /**
   * Studies the effects of the factors on the response.
   *
   * @param order the levels of factors in their order, of two the lower first; where a factor is
   *     not named, by size or by the alphabet
   * @throws BadDataException in one sentence, if the effects cannot be estimated
   */
  public static StudyResult of(
      StudyData measured, List<String> factors, Map<String, List<String>> order) {
    refuseUnfit(measured.observations(), factors);
    AnalysisOptions options =
        AnalysisOptions.DEFAULT.on(measured.scale()).named(measured.response(), measured.unit());
    String about =
        "analysed on "
            + (measured.scale() == ResponseScale.LN ? "logarithms" : "the figures as they are");
    FactorialEffects found =
        twoLevels(measured, factors, order, options)
            .orElseGet(() -> levels(measured, factors, options));
    return new StudyResult(
        about,
        EffectFindings.of(found),
        found.design().map(design -> sections(found, design)).orElseGet(() -> sections(found)));
  }

  /** Empty if the treatments are no regular two-level design, or all effects are too many. */
  private static Optional<FactorialEffects> twoLevels(
      StudyData measured,
      List<String> factors,
      Map<String, List<String>> order,
      AnalysisOptions options) {
    List<Observation> observations = measured.observations();
    boolean two =
        factors.size() <= MAX_ALIASED_FACTORS
            && factors.stream().allMatch(f -> levels(observations, f) == 2);
    if (!two) {
      return Optional.empty();
    }
    if (observations.stream().map(o -> o.value(measured.response())).distinct().count() < 2) {
      throw BadDataException.of(
          "%s is the same to the last digit in every row, so nothing can explain it.",
          measured.response());
    }
    try {
      List<Factor> ordered =
          order.keySet().containsAll(factors)
              ? factors.stream().map(name -> inOrder(name, order, observations)).toList()
              : Factor.of(observations, factors);
      return Optional.of(
          FactorialEffects.ofDesign(observations, ordered, measured.response(), options));
    } catch (BadDataException irregular) {
      return Optional.empty();
    }
  }

  private static Factor inOrder(
      String name, Map<String, List<String>> order, List<Observation> observations) {
    List<String> present =
        order.getOrDefault(name, List.of()).stream()
            .filter(level -> observations.stream().anyMatch(o -> o.level(name).equals(level)))
            .toList();
    return new Factor(name, present);
  }

  /**
   * With all interactions of two factors if the runs can tell them apart, else without; between
   * factors of two levels also with those of three, if enough is left to judge them by.
   */
  private static FactorialEffects levels(
      StudyData measured, List<String> factors, AnalysisOptions options) {
    List<Observation> observations = measured.observations();
    boolean two = factors.stream().allMatch(f -> levels(observations, f) == 2);
    for (int order = two ? 3 : 2; order > 1; order--) {
      List<String> interactions = new ArrayList<>();
      long parameters = 1 + factors.stream().mapToLong(f -> levels(observations, f) - 1).sum();
      for (List<String> term : products(factors, order)) {
        interactions.add(String.join("*", term));
        parameters +=
            term.stream()
                .mapToLong(f -> levels(observations, f) - 1)
                .reduce(1, (a, b) -> Math.min(a * b, MAX_PARAMETERS + 1L));
      }
      if (parameters < observations.size() && parameters <= MAX_PARAMETERS) {
        try {
          FactorialEffects all =
              FactorialEffects.of(
                  observations, factors, interactions, measured.response(), options);
          if (all.errorDegreesOfFreedom() > (order == 2 ? 0 : MIN_LEFT)) {
            return all;
          }
        } catch (BadDataException tooFew) {
          // Fewer terms may do; if not, the main effects say why.
        }
      }
    }
    return FactorialEffects.of(observations, factors, List.of(), measured.response(), options);
  }

  /** All products of two to so many factors, shorter ones first. */
  private static List<List<String>> products(List<String> factors, int most) {
    List<List<String>> products = new ArrayList<>(factors.stream().map(List::of).toList());
    for (int i = 0; i < products.size(); i++) {
      List<String> shorter = products.get(i);
      int next = factors.indexOf(shorter.get(shorter.size() - 1)) + 1;
      for (int f = next; f < factors.size() && shorter.size() < most; f++) {
        products.add(Stream.concat(shorter.stream(), Stream.of(factors.get(f))).toList());
      }
    }
    return products.subList(factors.size(), products.size());
  }

  private static long levels(List<Observation> observations, String factor) {
    return observations.stream().map(o -> o.level(factor)).distinct().count();
  }

  private static void refuseUnfit(List<Observation> observations, List<String> factors) {
    long main = 1 + factors.stream().mapToLong(f -> levels(observations, f) - 1).sum();
    if (main > MAX_PARAMETERS) {
      throw new BadDataException(
          Texts.of("effects.too-many-levels", main + factors.size() - 1, MAX_PARAMETERS));
    }
  }

  private static List<Section> sections(FactorialEffects found, TwoLevelDesign design) {
    List<Section> sections = new ArrayList<>();
    sections.add(
        Texts.section(
            "effects",
            Texts.of(found.replicated() ? "effects.judged" : "effects.unreplicated"),
            List.of(FactorialCharts.pareto("Effects by size", found, design.factors()))));
    sections.add(means(found));
    sections.add(Texts.section("variation", "", List.of(variation(found))));
    if (design.resolution() > 0) {
      sections.add(fraction(design));
    }
    return sections;
  }

  private static Section means(FactorialEffects found) {
    String unit = found.options().unit();
    String what =
        (found.options().scale() == ResponseScale.LN ? "Geometric mean" : "Mean")
            + (unit.isEmpty() ? "" : " in " + unit);
    List<Figure> figures = new ArrayList<>();
    figures.add(FactorialCharts.mainMeans(what + " at each level", found.levelMeans()));
    if (!found.pairMeans().isEmpty()) {
      figures.add(
          FactorialCharts.interactionMeans(Texts.of("effects.pairs", what), found.pairMeans()));
    }
    return Texts.section("means", Texts.of("means.lead"), figures);
  }

  private static Figure variation(FactorialEffects found) {
    boolean design = found.design().isPresent();
    Map<String, Double> shares = new LinkedHashMap<>();
    found.terms().forEach(term -> shares.put(FactorialCharts.name(term), term.share()));
    if (design && found.replicated()) {
      shares.put("blocks", found.blocks() / found.total());
    }
    if (!design || found.replicated()) {
      shares.put("unexplained", found.error() / found.total());
    }
    return IntervalChart.shares("Share of the variation", shares);
  }

  /** The aliases of a fraction of all combinations, and the runs that would separate them. */
  private static Section fraction(TwoLevelDesign design) {
    List<Figure> figures = new ArrayList<>();
    figures.add(FactorialCharts.aliases(Texts.of("effects.aliases"), design.aliasChains()));
    if (design.resolution() == 3) {
      TwoLevelDesign foldover = design.foldover();
      MetricTable<Integer> table =
          new MetricTable<Integer>().text("Run", run -> String.valueOf(run + 1));
      for (Factor factor : foldover.factors()) {
        String name = factor.name();
        table.text(name, run -> foldover.levels(run).getOrDefault(name, ""));
      }
      TwoLevelDesign both = design.withFoldover();
      figures.add(
          table.figure(
              Texts.of("effects.foldover", both.resolution(), both.definingRelation()),
              IntStream.range(0, foldover.runs()).boxed().toList()));
    }
    String lead =
        "%d runs of resolution %d, %s."
            .formatted(design.runs(), design.resolution(), design.definingRelation());
    return new Section("design", "The design", lead, figures);
  }

  private static List<Section> sections(FactorialEffects found) {
    String unit = found.options().unit();
    return List.of(
        Texts.section(
            "levels.means",
            FactorialCharts.mainMeans(
                "Mean at each level" + (unit.isEmpty() ? "" : " in " + unit), found.levelMeans())),
        Texts.section(
            "variation", variation(found), terms().figure("Analysis of variance", found.terms())));
  }

  private static MetricTable<FactorialEffects.Term> terms() {
    return Texts.<FactorialEffects.Term>table("variation")
        .text("Term", FactorialEffects.Term::name)
        .count("Degrees of freedom", FactorialEffects.Term::degreesOfFreedom)
        .formatted("Variation", term -> Numbers.percent(term.share()))
        .formatted("F", term -> orAbsent(term.f(), Numbers::shorten))
        .formatted("p (unadjusted)", term -> orAbsent(term.p(), Figures::bareP))
        .formatted("p (Holm)", term -> orAbsent(term.adjustedP(), Figures::bareP))
        .formatted("Significant", term -> term.active() ? "yes" : "no");
  }

  private static String orAbsent(OptionalDouble figure, DoubleFunction<String> words) {
    return figure.isPresent() ? words.apply(figure.getAsDouble()) : Table.ABSENT;
  }

  /** Findings on the effects of factors: the significant ones first, then their limits. */
  static final class EffectFindings {
    private static final int MAX_OUTLIERS = 3;
    private static final int MAX_EFFECTS = 8;
    private static final int MAX_ALIASES = 3;

    private final FactorialEffects found;
    private final AnalysisOptions options;
    private final List<Finding> findings = new ArrayList<>();

    private EffectFindings(FactorialEffects found) {
      this.found = found;
      this.options = found.options();
    }

    static List<Finding> of(FactorialEffects found) {
      EffectFindings all = new EffectFindings(found);
      List<Term> active = found.terms().stream().filter(Term::active).toList();
      active.stream().limit(MAX_EFFECTS).forEach(all::active);
      if (found.lenth().isEmpty() && found.excluded().isEmpty()) {
        all.findings.add(Finding.notice("effect.saturated"));
      } else if (active.isEmpty()) {
        Term largest = found.terms().get(0);
        all.none(largest.name(), largest.share(), found.excluded());
      }
      if (found.lenth().isPresent()) {
        all.findings.add(Finding.notice("effect.not-enough-runs"));
      }
      found.outliers().stream().limit(MAX_OUTLIERS).forEach(all::outlier);
      if (found.spreadsDiffer()) {
        all.findings.add(Finding.notice("effect.spreads"));
      }
      List<Term> judged = active.isEmpty() ? found.terms().stream().limit(3).toList() : active;
      judged.stream()
          .flatMap(term -> term.chain().stream())
          .filter(EffectFindings::isMixed)
          .limit(MAX_ALIASES)
          .forEach(all::aliased);
      found
          .design()
          .filter(design -> design.resolution() == 3)
          .map(design -> Finding.notice("effect.foldover").with("runs", design.runs()))
          .ifPresent(all.findings::add);
      return all.findings;
    }

    private void outlier(FactorialEffects.Outlying outlier) {
      findings.add(
          Finding.warning("effect.outlier")
              .with("treatment", Labels.of(outlier.treatment(), ""))
              .with(
                  "block", Optional.of(outlier.block()).filter(b -> !b.isEmpty()).map(Value::name))
              .with("observed", Value.number(outlier.observed()))
              .with("expected", Value.number(outlier.expected())));
    }

    private void none(String largest, double share, OptionalDouble excluded) {
      // On ln y a difference without a limit says nothing.
      double widest = Math.log(Estimate.WIDEST) / 2;
      Optional<Value> limit =
          excluded.stream()
              .filter(difference -> options.scale() != ResponseScale.LN || difference <= widest)
              .mapToObj(difference -> change(options.scale().back(difference)))
              .findFirst();
      findings.add(
          Finding.notice("effect.none")
              .with("name", largest)
              .with("share", Value.share(share))
              .with("excluded", limit));
    }

    /** A change of the response: a ratio on ln y, a difference on y. */
    private Value change(double change) {
      if (options.scale() == ResponseScale.LN) {
        return Value.change(change);
      }
      String unit = options.unit().isEmpty() ? "" : " " + options.unit();
      return Value.name((change > 0 ? "+" : "") + Value.shorten(change) + unit);
    }

    private Finding main(String factor, String high, String low, Estimate change) {
      boolean wide = options.scale() == ResponseScale.LN && change.tooWide();
      Finding main =
          Finding.info("effect.main")
              .with("factor", factor)
              .with("high", high)
              .with("low", low)
              .with("response", options.name())
              .with("change", change(change.value()))
              .with(factor, change);
      return change.hasInterval() && !wide
          ? main.with("from", change(change.low())).with("to", change(change.high()))
          : main;
    }

    private void active(Term term) {
      String name = term.chain().map(chain -> likeliest(chain).name()).orElse(term.name());
      List<CellMean> own =
          found.levelMeans().stream().filter(cell -> cell.levels().containsKey(name)).toList();
      List<String> pair = List.of(name.split(" × "));
      if (term.extremes().isPresent()) {
        levels(term, term.extremes().get(), own);
      } else if (!own.isEmpty() && term.change().isPresent()) {
        findings.add(main(name, level(own.get(1)), level(own.get(0)), term.change().get()));
      } else if (pair.size() == 2 && term.change().isPresent()) {
        interaction(name, pair.get(0), pair.get(1), term.change().get());
      } else {
        findings.add(
            Finding.info("effect.joint")
                .with("name", name)
                .with("share", Value.share(term.share())));
      }
    }

    private void levels(Term term, FactorialEffects.Extremes extremes, List<CellMean> means) {
      Finding levels =
          Finding.info("effect.levels")
              .with("factor", term.name())
              .with("response", options.name())
              .with("largest", extremes.largest())
              .with("smallest", extremes.smallest())
              .with("difference", change(extremes.difference().value()));
      for (CellMean cell : means) {
        levels = levels.with(level(cell), cell.mean());
      }
      findings.add(levels);
      Finding.info("effect.similar-levels")
          .with("factor", term.name())
          .with("largest", extremes.largest())
          .naming("levels", extremes.alike())
          .ifPresent(findings::add);
    }

    private static String level(CellMean cell) {
      return String.join(", ", cell.levels().values());
    }

    private void interaction(String name, String a, String b, Estimate change) {
      List<CellMean> cells =
          found.pairMeans().stream()
              .filter(four -> four.get(0).levels().keySet().containsAll(List.of(a, b)))
              .findFirst()
              .orElseThrow();
      Map<String, String> low = cells.get(0).levels();
      Map<String, String> high = cells.get(3).levels();
      findings.add(
          Finding.info("effect.interaction")
              .with("a", a)
              .with("b", b)
              .with("high", String.valueOf(high.get(a)))
              .with("low", String.valueOf(low.get(a)))
              .with("response", options.name())
              .with("first", between(cells.get(0), cells.get(1)))
              .with("b-low", String.valueOf(low.get(b)))
              .with("second", between(cells.get(2), cells.get(3)))
              .with("b-high", String.valueOf(high.get(b)))
              .with(name, change));
    }

    private Value between(CellMean from, CellMean to) {
      double a = from.mean().value();
      double b = to.mean().value();
      return change(options.scale() == ResponseScale.LN ? b / a : b - a);
    }

    /**
     * The interaction that a chain most likely shows: the one of the factors with large effects.
     */
    private AliasChain.Term likeliest(AliasChain chain) {
      Comparator<AliasChain.Term> byWeakestParent =
          Comparator.comparingDouble(
              pair ->
                  pair.letters()
                      .chars()
                      .mapToObj(letter -> found.term(String.valueOf((char) letter)))
                      .mapToDouble(term -> Math.abs(term.size(options.scale())))
                      .min()
                      .orElse(0));
      return chain.first().order() != 2
          ? chain.first()
          : chain.terms().stream()
              .filter(term -> term.order() == 2)
              .max(byWeakestParent)
              .orElse(chain.first());
    }

    private static boolean isMixed(AliasChain chain) {
      return chain.first().order() <= 2 && !chain.rivals(2).isEmpty();
    }

    private void aliased(AliasChain chain) {
      AliasChain.Term about = likeliest(chain);
      List<String> others =
          chain.terms().stream()
              .filter(term -> term.order() <= 2 && !term.equals(about))
              .map(term -> (term.sign() * about.sign() < 0 ? "−" : "") + term.name())
              .toList();
      findings.add(
          Finding.notice("effect.aliased").with("effect", about.name()).with("others", others));
    }
  }
}
