package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects.Term;
import io.pyrometer.analysis.factorial.Lenth;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Chart.Mark;
import io.pyrometer.report.Chart.Series;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Figures of a factorial experiment: effects by size, what is aliased, and means by the levels of
 * one factor, or of two, as small multiples on one scale.
 */
public final class FactorialCharts {
  private FactorialCharts() {}

  /** Effects by size, with Lenth's limits where nothing was replicated. */
  public static Figure pareto(String caption, FactorialEffects found, List<Factor> factors) {
    Chart chart =
        new Chart(
            Kind.EFFECTS,
            Axis.linear("size of the effect |2q|"),
            Axis.PLAIN,
            List.of(series(found, "significant", true), series(found, "not significant", false)),
            limits(found));
    return Figure.of(caption, chart, table(found, factors));
  }

  private static Series series(FactorialEffects found, String name, boolean active) {
    return new Series(
        name,
        found.terms().stream()
            .map(
                effect ->
                    Chart.point(
                        name(effect),
                        Estimate.unreplicated(
                            effect.active() == active ? Math.abs(size(found, effect)) : 0, ""),
                        "change %s\n%s of the variation"
                            .formatted(change(found, effect), Numbers.percent(effect.share()))))
            .toList());
  }

  private static double size(FactorialEffects found, Term effect) {
    return effect.size(found.options().scale());
  }

  private static List<Mark> limits(FactorialEffects found) {
    if (found.replicated() || found.lenth().isEmpty()) {
      return List.of();
    }
    Lenth lenth = found.lenth().get();
    double largest =
        found.terms().stream().mapToDouble(e -> Math.abs(size(found, e))).max().orElse(0);
    Mark me = new Mark("", lenth.me(), lenth.me(), "ME");
    return lenth.sme() < 2 * largest
        ? List.of(me, new Mark("", lenth.sme(), lenth.sme(), "SME"))
        : List.of(me);
  }

  private static Table table(FactorialEffects found, List<Factor> factors) {
    boolean ratio = found.options().scale() == ResponseScale.LN;
    return new MetricTable<Term>()
        .text("Effect", FactorialCharts::chain)
        .text("Means", effect -> means(factors, effect))
        .formatted(ratio ? "Change, ratio" : "Change", effect -> change(found, effect))
        .formatted("2q", effect -> Numbers.shorten(size(found, effect), 4))
        .formatted("Variation", effect -> Numbers.percent(effect.share()))
        .formatted("Variation of y", effect -> Numbers.percent(effect.plainShare().orElse(0)))
        .formatted(
            found.replicated() ? "p (Holm)" : "Lenth's t",
            effect ->
                effect.adjustedP().isPresent()
                    ? Figures.bareP(effect.adjustedP().getAsDouble())
                    : Numbers.fixed(lenthT(found, effect), 2))
        .formatted("Significant", effect -> effect.active() ? "yes" : "no")
        .of(found.terms());
  }

  private static double lenthT(FactorialEffects found, Term effect) {
    return found.lenth().map(lenth -> size(found, effect) / lenth.pse()).orElse(0.0);
  }

  private static String chain(Term effect) {
    return effect.chain().stream()
        .flatMap(chain -> chain.terms().stream())
        .map(AliasChain.Term::signed)
        .limit(4)
        .collect(Collectors.joining(" = "));
  }

  /** A main effect with its direction. */
  private static String means(List<Factor> factors, Term effect) {
    return factors.stream()
        .filter(factor -> factor.name().equals(effect.name()))
        .map(factor -> "%s, %s against %s".formatted(factor.name(), factor.high(), factor.low()))
        .findFirst()
        .orElse(effect.name());
  }

  private static String change(FactorialEffects found, Term effect) {
    Estimate change = effect.change().orElseThrow();
    return found.options().scale() == ResponseScale.LN
        ? Numbers.ratio(change)
        : Numbers.estimate(change);
  }

  private static String rivals(AliasChain chain) {
    return chain.rivals(2).stream()
        .map(term -> (term.sign() < 0 ? "−" : "") + term.name())
        .collect(Collectors.joining(", "));
  }

  /** The aliases of each effect; a table alone. */
  public static Figure aliases(String caption, List<AliasChain> chains) {
    return new MetricTable<AliasChain>()
        .text("Chain", AliasChain::letters)
        .text("Simplest", chain -> chain.first().name())
        .text("Aliased with", FactorialCharts::rivals)
        .figure(caption, chains);
  }

  /** The name of an effect, behind its letters where it has any. */
  public static String name(Term effect) {
    return effect.chain().map(chain -> chain.first().letters() + "  ").orElse("") + effect.name();
  }

  /** Means at the levels of each factor. */
  public static Figure mainMeans(String caption, List<CellMean> means) {
    List<Series> series = new ArrayList<>();
    means.stream()
        .collect(ListsByKey.by(mean -> mean.levels().keySet().iterator().next()))
        .forEach((factor, cells) -> series.add(line("", factor, factor, cells)));
    return Figure.of(caption, chart(series), table(means));
  }

  /** The means of pairs of factors: lines that are not parallel are interactions. */
  public static Figure interactionMeans(String caption, List<List<CellMean>> pairs) {
    List<Series> series = new ArrayList<>();
    for (List<CellMean> cells : pairs) {
      List<String> factors = List.copyOf(cells.get(0).levels().keySet());
      String across = factors.get(0);
      String lines = factors.get(1);
      cells.stream()
          .collect(ListsByKey.by(cell -> level(cell, lines)))
          .forEach((level, of) -> series.add(line(level, across + " × " + lines, across, of)));
    }
    return Figure.of(caption, chart(series), table(pairs.stream().flatMap(List::stream).toList()));
  }

  private static Chart chart(List<Series> series) {
    return new Chart(Kind.MEANS, Axis.PLAIN, Axis.PLAIN, series);
  }

  private static Series line(String name, String panel, String factor, List<CellMean> cells) {
    return new Series(
        name,
        panel,
        cells.stream().map(cell -> Chart.point(level(cell, factor), cell.mean(), "")).toList());
  }

  private static String level(CellMean cell, String factor) {
    return String.valueOf(cell.levels().get(factor));
  }

  private static String words(CellMean cell) {
    return cell.levels().entrySet().stream()
        .map(level -> level.getKey() + " " + level.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Table table(List<CellMean> cells) {
    return new MetricTable<CellMean>("no interval: without replicates the noise is not measured")
        .text("Levels", FactorialCharts::words)
        .formatted("Mean", cell -> Numbers.shorten(cell.mean().value(), 4))
        .formatted("Interval", cell -> Numbers.interval(cell.mean()))
        .of(cells);
  }
}
