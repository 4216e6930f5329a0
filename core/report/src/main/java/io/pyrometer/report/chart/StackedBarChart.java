package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Chart.Series;
import io.pyrometer.report.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Totals of time and the parts that they are made of, as stacked bars. */
public final class StackedBarChart {
  private static final String OTHER = "other";

  /** Parts with a colour of their own; with 'other' there are eight, as in the page's palette. */
  private static final int MAX_PARTS = 7;

  private static final int MAX_DIFFERENCES = 2;
  private static final double MIN_DIFFERENCE = 0.1;

  private StackedBarChart() {}

  /**
   * One bar.
   *
   * @param label of the bar, unique in its group
   * @param group title of the bars it stands with, such as a role; empty where there is only one
   * @param parts µs by part
   */
  public record Bar(String label, String group, Map<String, Double> parts) {
    private double total() {
      return parts.values().stream().mapToDouble(us -> us).sum();
    }
  }

  /**
   * Bars from the top. The largest parts come first, the small ones are merged into 'other'.
   *
   * @param baseline label of the bar in each group that the others are compared with: they name the
   *     parts that differ most
   */
  public static Chart of(List<Bar> bars, String baseline) {
    Map<String, Double> shares = new TreeMap<>();
    bars.forEach(
        bar ->
            bar.parts().forEach((part, us) -> shares.merge(part, us / bar.total(), Double::sum)));
    List<String> shown =
        shares.entrySet().stream()
            .filter(part -> !part.getKey().equals(OTHER))
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .limit(MAX_PARTS)
            .toList();
    List<Bar> merged = bars.stream().map(bar -> merged(bar, shown)).toList();
    List<String> names = new ArrayList<>(shown);
    if (merged.stream().anyMatch(bar -> bar.parts().getOrDefault(OTHER, 0.0) > 0)) {
      names.add(OTHER);
    }
    Set<String> groups =
        bars.stream().map(Bar::group).collect(Collectors.toCollection(LinkedHashSet::new));
    List<Series> series = new ArrayList<>();
    for (String group : groups) {
      List<Bar> its = merged.stream().filter(bar -> bar.group().equals(group)).toList();
      names.forEach(
          part ->
              series.add(
                  new Series(
                      part,
                      group,
                      its.stream()
                          .map(bar -> point(bar, bar.parts().getOrDefault(part, 0.0), ""))
                          .toList())));
      Optional<Bar> base = its.stream().filter(bar -> bar.label().equals(baseline)).findFirst();
      series.add(
          new Series(
              "",
              group,
              its.stream()
                  .map(
                      bar -> point(bar, bar.total(), base.map(b -> differences(bar, b)).orElse("")))
                  .toList()));
    }
    return new Chart(Kind.STACK, Axis.linear("µs"), Axis.PLAIN, series);
  }

  private static Bar merged(Bar bar, List<String> shown) {
    Map<String, Double> parts = new TreeMap<>(Map.of(OTHER, 0.0));
    bar.parts()
        .forEach((part, us) -> parts.merge(shown.contains(part) ? part : OTHER, us, Double::sum));
    return new Bar(bar.label(), bar.group(), parts);
  }

  private static List<Object> point(Bar bar, double micros, String note) {
    return Chart.point(bar.label(), Estimate.unreplicated(micros, "µs"), note);
  }

  /** The parts that make most of the difference of two totals: {@code marshalling −30 µs}. */
  private static String differences(Bar bar, Bar baseline) {
    if (bar.equals(baseline)) {
      return "baseline";
    }
    Map<String, Double> differences = new TreeMap<>(bar.parts());
    baseline.parts().forEach((part, us) -> differences.merge(part, -us, Double::sum));
    double least = MIN_DIFFERENCE * Math.max(bar.total(), baseline.total());
    return differences.entrySet().stream()
        .filter(part -> !part.getKey().equals(OTHER) && Math.abs(part.getValue()) >= least)
        .sorted(Comparator.comparingDouble(part -> -Math.abs(part.getValue())))
        .limit(MAX_DIFFERENCES)
        .map(
            part ->
                "%s %s%s"
                    .formatted(
                        part.getKey(),
                        part.getValue() > 0 ? "+" : "",
                        Numbers.micros(part.getValue())))
        .collect(Collectors.joining(", "));
  }
}
