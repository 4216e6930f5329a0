package io.pyrometer.results.capacity;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.capacity.CapacityPlan;
import io.pyrometer.analysis.capacity.CapacityPlan.Request;
import io.pyrometer.analysis.capacity.CapacityPlan.State;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Figures of a capacity plan with their intervals over the blocks of a run.
 *
 * @param pooled the plan by the demands of all blocks
 * @param blocks the plan by the demands of each block
 * @param heldOut by which the model's own errors widen the intervals
 */
record PlanEstimates(
    CapacityPlan pooled, List<CapacityPlan> blocks, Request request, CrossValidation heldOut) {
  /** The estimate of a figure over the blocks; the pooled plan's value lies in its interval. */
  Estimate over(String unit, Function<CapacityPlan, Double> figure) {
    double value = figure.apply(pooled);
    double[] values =
        blocks.stream()
            .mapToDouble(figure::apply)
            .filter(v -> v > 0 && Double.isFinite(v))
            .toArray();
    return value > 0 && values.length > 1
        ? around(value, values, unit)
        : Estimate.unreplicated(value, unit);
  }

  /**
   * The same of a prediction: the interval holds the error of the model, and its upper end what
   * follows if demands go on growing beyond the measured servers.
   *
   * @param error a factor of at least 1
   */
  Estimate predicted(String unit, double error, Function<CapacityPlan, Double> figure) {
    Estimate within = over(unit, figure);
    if (!within.hasInterval()) {
      return within;
    }
    double growing =
        Stream.concat(Stream.of(pooled), blocks.stream())
            .mapToDouble(plan -> figure.apply(plan.continued()))
            .filter(Double::isFinite)
            .max()
            .orElse(0);
    return within.within(within.low() / error, Math.max(within.high(), growing) * error);
  }

  /** A value with the interval of the geometric mean of others, widened to hold the value. */
  static Estimate around(double value, double[] values, String unit) {
    Estimate mean = Means.geometric(values, unit);
    return new Estimate(
        value,
        Math.min(value, mean.low()),
        Math.max(value, mean.high()),
        Means.USUAL_CONFIDENCE,
        values.length,
        unit);
  }

  /** A time with so many servers, ms; empty where the model has none. */
  Optional<Estimate> millis(int servers, Function<State, Optional<Double>> of) {
    return of.apply(pooled.with(servers, request)).isEmpty()
        ? Optional.empty()
        : Optional.of(
            predicted(
                "ms",
                heldOut.p99Error(),
                plan -> of.apply(plan.with(servers, request)).map(s -> s * 1e3).orElse(0.0)));
  }

  private Estimate cpu(int servers) {
    return predicted(
        "%", heldOut.throughputError(), plan -> 100 * plan.with(servers, request).cpu());
  }

  /** The plan with fewer and more servers than the answer. */
  Section loads(int answer) {
    int least = request.backups() + 1;
    TreeSet<Integer> servers = new TreeSet<>();
    for (double factor : new double[] {0.5, 0.75, 1, 1.25, 1.5, 2}) {
      servers.add(Math.max(least, (int) Math.rint(answer * factor)));
    }
    servers.add(Math.max(least, answer - 1));
    List<Figure> figures = new ArrayList<>();
    figures.add(
        IntervalChart.bars(
            "CPUs of the servers in use", "%", ranked(servers, n -> Optional.of(cpu(n)))));
    List<Ranked> p99 = ranked(servers, n -> millis(n, State::p99Seconds));
    if (!p99.isEmpty()) {
      figures.add(IntervalChart.points("p99 of a call in milliseconds", "ms", p99));
    }
    figures.add(
        new MetricTable<Integer>(
                "no interval: too few blocks; beyond full use there is no latency; the data's size needs --data")
            .formatted("servers", String::valueOf)
            .formatted("CPU", n -> Numbers.shorten(cpu(n).value()) + " %")
            .formatted("95 %", n -> Numbers.interval(cpu(n)))
            .formatted("link", n -> Numbers.percent(pooled.with(n, request).link()))
            .estimate("p50 ms", n -> millis(n, State::p50Seconds))
            .estimate("p99 ms", n -> millis(n, State::p99Seconds))
            .number("data GB each", this::gigabytes)
            .figure("At the rate asked for", List.copyOf(servers)));
    return new Section(
        "servers",
        "Around the answer",
        "Means by the product form of an open network, percentiles by the measured distribution of"
            + " the nearest cell, scaled with the mean. Intervals are over blocks, widened by the"
            + " error of the cells that were left out; beyond the measured servers the upper end"
            + " holds a demand that goes on growing with their number. Locks, hot keys, moving data"
            + " and queues inside the product are not modelled: where one of them limits, no number"
            + " here holds.",
        figures);
  }

  private static List<Ranked> ranked(
      TreeSet<Integer> servers, Function<Integer, Optional<Estimate>> of) {
    return servers.stream()
        .flatMap(
            n -> of.apply(n).map(e -> new Ranked(n + " servers", e, Optional.empty(), "")).stream())
        .toList();
  }

  private Optional<Double> gigabytes(int servers) {
    return Optional.of(request.storedBytes() / servers / 1e9).filter(size -> size > 0);
  }

  /** What one call takes of clients and servers. */
  Section demands(double recordsPerCall) {
    Map<String, Function<CapacityPlan, Double>> terms = new LinkedHashMap<>();
    terms.put("client, base", p -> p.model().client().base());
    terms.put("client, alone", p -> p.model().client().alone());
    terms.put("servers, primary", p -> p.model().server().base());
    terms.put("servers, each backup", p -> p.model().server().backup());
    terms.put("servers, forwarded (× (1 − 1/N))", p -> p.model().server().hop());
    terms.put("servers, alone", p -> p.model().server().alone());
    terms.put("servers, each backup alone", p -> p.model().server().aloneBackup());
    terms.put("servers, spread (× ln N)", p -> p.model().server().spread());
    terms.put("delay without CPU", p -> p.model().delay().base());
    terms.put("delay, forwarded (× (1 − 1/N))", p -> p.model().delay().hop());
    Map<String, Estimate> micros = new LinkedHashMap<>();
    terms.forEach((name, of) -> micros.put(name, over("µs", plan -> of.apply(plan) * 1e6)));
    return Section.of(
        "demands",
        "The demands of one call",
        "A call carries %s. 'Alone' is what a call costs more when no other is under way: more calls"
                .formatted(Figures.count(Math.round(recordsPerCall), "record"))
            + " at a time share wake-ups and system calls. 'Spread' is what a call costs more with more servers; part of it may be the caches that the servers of the run shared, so the answer is rather too many servers than too few. A term that is 'not separable' was fitted as 0: what it costs is in the other terms, or too little to be seen at this noise.",
        new MetricTable<Map.Entry<String, Estimate>>()
            .text("term", Map.Entry::getKey)
            .formatted("µs", term -> micros(term.getValue()))
            .formatted("95 %", term -> Numbers.interval(term.getValue()))
            .figure(
                "Microseconds, of the model of all blocks with intervals over the blocks",
                new ArrayList<>(micros.entrySet())));
  }

  /** Demands are fitted as at least 0, so that 0 is an edge and not a measurement. */
  private static String micros(Estimate demand) {
    return demand.value() == 0 ? "not separable" : Numbers.shorten(demand.value());
  }
}
