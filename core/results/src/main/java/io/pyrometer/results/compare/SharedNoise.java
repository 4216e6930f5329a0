package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.ranking.RankingModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The treatments of each metric and candidate in one model: of interleaved versions the ratios of
 * each block, of runs made at different times one value a run. Single runs are in none.
 */
final class SharedNoise {
  private static final double CONFIDENCE = 0.95;
  private static final double OUTLYING = 0.05;

  /** Differences of ln y below this are rounding. */
  private static final double SAME = 1e-9;

  private final boolean interleaved;
  private final List<Part> parts = new ArrayList<>();

  /**
   * What shares its noise.
   *
   * @param widening of the intervals, for blocks that depend on each other
   */
  private record Part(List<ComparedMetric> of, TreatmentModel model, double widening) {}

  SharedNoise(List<ComparedMetric> all, boolean interleaved) {
    this.interleaved = interleaved;
    Map<List<Object>, Map<ComparedMetric, List<Measurement>>> shared = new LinkedHashMap<>();
    for (ComparedMetric each : all) {
      if (interleaved || each.repeated()) {
        shared
            .computeIfAbsent(List.of(each.candidate(), each.metric()), key -> new LinkedHashMap<>())
            .put(each, interleaved ? each.ratiosOfBlocks() : each.valuesOfRuns());
      }
    }
    shared.values().forEach(this::add);
  }

  private void add(Map<ComparedMetric, List<Measurement>> values) {
    List<Measurement> rows = values.values().stream().flatMap(List::stream).toList();
    if (!interleaved && movesAsOne(rows)) {
      values.forEach((each, own) -> parts.add(new Part(List.of(each), TreatmentModel.of(own), 1)));
    } else if (!rows.isEmpty()) {
      double widening = interleaved ? widening(values.values()) : 1;
      parts.add(new Part(List.copyOf(values.keySet()), TreatmentModel.of(rows), widening));
    }
  }

  /**
   * Whether the runs differ in all treatments by exactly the same ratio, as coarse values do: then
   * nothing is left beside the runs' own differences that treatments could share.
   */
  private static boolean movesAsOne(List<Measurement> rows) {
    Map<String, Double> levels =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    Measurement::treatment,
                    Collectors.averagingDouble(row -> Math.log(row.value()))));
    Map<String, DoubleSummaryStatistics> ofRuns =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    Measurement::block,
                    Collectors.summarizingDouble(
                        row -> Math.log(row.value()) - levels.getOrDefault(row.treatment(), 0.0))));
    return ofRuns.values().stream().anyMatch(run -> run.getCount() > 1)
        && ofRuns.values().stream().allMatch(run -> run.getMax() - run.getMin() < SAME);
  }

  private static double widening(Collection<List<Measurement>> treatments) {
    return SequentialComparison.widening(
        treatments.stream()
            .map(of -> of.stream().mapToDouble(each -> Math.log(each.value())).toArray())
            .toList());
  }

  /** ln of candidate over baseline; empty with too few blocks or runs to judge it by. */
  Optional<Contrast> lnRatio(ComparedMetric each) {
    int fewest = interleaved ? SequentialComparison.FIRST_LOOK : 1;
    return parts.stream()
        .filter(part -> part.of().contains(each))
        .filter(part -> each.replicates(interleaved) >= fewest)
        .filter(part -> interleaved || each.runs(0).size() + each.runs(each.candidate()).size() > 2)
        .map(part -> lnRatio(part, each))
        .findFirst();
  }

  private Contrast lnRatio(Part part, ComparedMetric each) {
    if (!interleaved) {
      return part.model().lnRatio(each.in(0), each.in(each.candidate()));
    }
    Contrast ln = each.ofCalls().orElseGet(() -> part.model().lnMean(each.treatment()));
    return new Contrast(ln.value(), ln.standardError() * part.widening(), ln.degreesOfFreedom());
  }

  /** Values, or ratios of pairs, that do not belong with the others; each stays in every figure. */
  List<Finding> outliers() {
    return parts.stream()
        .flatMap(part -> part.model().outliers(OUTLYING).stream().map(each -> outlier(part, each)))
        .toList();
  }

  private Finding outlier(Part part, TreatmentModel.Outlying outlying) {
    NamedMetric metric = part.of().get(0).metric();
    String what =
        interleaved
            ? "ratio of the %s of %s to A"
                .formatted(metric.label(), RunComparison.letter(part.of().get(0).candidate()))
            : metric.label();
    String unit = interleaved ? "" : metric.unit();
    Estimate with = Means.geometric(values(part.model(), outlying, true), unit, CONFIDENCE);
    Estimate without = Means.geometric(values(part.model(), outlying, false), unit, CONFIDENCE);
    return RankingModel.outlying(what, outlying, without, with);
  }

  private static double[] values(
      TreatmentModel model, TreatmentModel.Outlying outlying, boolean withIt) {
    return model.measurements(outlying.measurement().treatment()).stream()
        .filter(each -> withIt || !each.equals(outlying.measurement()))
        .mapToDouble(Measurement::value)
        .toArray();
  }
}
