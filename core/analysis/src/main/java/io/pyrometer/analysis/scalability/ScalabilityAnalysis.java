package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes a {@link Scalability}. */
final class ScalabilityAnalysis {
  /** AICc leans on large n; below this many points nested models are compared by F instead. */
  private static final int FEW_POINTS = 10;

  private static final double SIGNIFICANT = 0.05;
  private static final Set<Model> NESTED = EnumSet.of(Model.LINEAR, Model.AMDAHL, Model.UNIVERSAL);
  private static final int CURVE_POINTS = 65;
  private static final int CURVE_POINTS_BEYOND = 8;

  private final List<ScalePoint> points;
  private final FitOptions options;
  private final LawFitter fitter;

  ScalabilityAnalysis(List<ScalePoint> points, FitOptions options) {
    this.points = points;
    this.options = options;
    this.fitter = new LawFitter(points, options);
  }

  Scalability analyse() {
    return complete(fitted());
  }

  Scalability fitted() {
    refuseUnfit();
    List<LawFit> fits =
        Stream.of(Model.values()).filter(fitter::canFit).flatMap(this::fitted).toList();
    LawFit law = of(fits, Model.UNIVERSAL);
    List<NestedModelTest> nested =
        List.of(
            NestedModelTest.of(of(fits, Model.LINEAR), of(fits, Model.AMDAHL)),
            NestedModelTest.of(of(fits, Model.AMDAHL), law));
    List<Candidate> candidates = candidates(fits);
    LawFit chosen =
        points.size() < FEW_POINTS ? byNestedTests(fits, nested) : candidates.get(0).fit();
    return new Scalability(
        options,
        law,
        chosen,
        candidates,
        nested,
        LawReading.peak(law, options, largest()),
        LawReading.hop(law, options),
        (int) points.stream().mapToDouble(ScalePoint::n).distinct().count(),
        leastReplicates(),
        List.of(),
        OutlyingPoints.of(points, options, fits, fitter.blocks()),
        List.of());
  }

  /** The law and what it contains must be there; another model that fits nowhere is no rival. */
  private Stream<LawFit> fitted(Model model) {
    try {
      return Stream.of(fitter.fit(model));
    } catch (BadDataException nowhere) {
      if (NESTED.contains(model)) {
        throw nowhere;
      }
      return Stream.empty();
    }
  }

  private static Scalability complete(Scalability bare) {
    return new Scalability(
        bare.options(),
        bare.law(),
        bare.chosen(),
        bare.candidates(),
        bare.nested(),
        bare.peak(),
        bare.hop(),
        bare.levels(),
        bare.leastReplicates(),
        curve(bare),
        bare.outliers(),
        ScalabilitySentences.of(bare));
  }

  private void refuseUnfit() {
    long distinct = points.stream().mapToDouble(ScalePoint::n).distinct().count();
    if (points.size() < 4 || distinct < 3) {
      throw BadDataException.of(
          "The scalability law needs at least 4 points at 3 different numbers of %s, but there are"
              + " %d at %d; add levels.",
          options.what(), points.size(), distinct);
    }
    if (points.stream().mapToDouble(ScalePoint::throughput).distinct().count() == 1) {
      throw BadDataException.of(
          "The throughput is the same to the last digit for every number of %s; look at how it was"
              + " measured.",
          options.what());
    }
  }

  private double largest() {
    return points.stream().mapToDouble(ScalePoint::n).max().orElseThrow();
  }

  private int leastReplicates() {
    Map<Double, Long> counts =
        points.stream().collect(Collectors.groupingBy(ScalePoint::n, Collectors.counting()));
    return (int) counts.values().stream().mapToLong(Long::longValue).min().orElseThrow();
  }

  private static LawFit of(List<LawFit> fits, Model model) {
    return fits.stream().filter(fit -> fit.model() == model).findFirst().orElseThrow();
  }

  private static List<Candidate> candidates(List<LawFit> fits) {
    double least =
        fits.stream()
            .flatMapToDouble(fit -> fit.aicc().stream())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return fits.stream()
        .map(fit -> new Candidate(fit, delta(fit, least)))
        .sorted(Comparator.comparingDouble(c -> c.deltaAicc().orElse(Double.MAX_VALUE)))
        .toList();
  }

  private static OptionalDouble delta(LawFit fit, double least) {
    return fit.aicc().isPresent()
        ? OptionalDouble.of(fit.aicc().getAsDouble() - least)
        : OptionalDouble.empty();
  }

  /**
   * The largest of the nested models that is significantly better than the one that it contains; if
   * the points rule that one out, the closest of all models.
   */
  private static LawFit byNestedTests(List<LawFit> fits, List<NestedModelTest> nested) {
    Model model = Model.LINEAR;
    for (NestedModelTest test : nested) {
      model = test.p() < SIGNIFICANT ? test.larger() : model;
    }
    LawFit chosen = of(fits, model);
    LawFit closest = fits.stream().min(Comparator.comparingDouble(LawFit::rss)).orElseThrow();
    return NestedModelTest.of(chosen, closest, 1).p() < Scalability.RULED_OUT ? closest : chosen;
  }

  /** In the measured range at many places, since that is quick; beyond it at some. */
  private static List<Prediction> curve(Scalability found) {
    double from = found.smallestN();
    double to = found.largestN();
    double[] measured =
        found.chosen().points().stream().mapToDouble(FittedPoint::n).distinct().toArray();
    int beyond = found.noExtrapolation().isPresent() ? 0 : CURVE_POINTS_BEYOND;
    double[] at = new double[CURVE_POINTS + measured.length + beyond];
    for (int i = 0; i < CURVE_POINTS; i++) {
      at[i] = from + i * (to - from) / (CURVE_POINTS - 1);
    }
    System.arraycopy(measured, 0, at, CURVE_POINTS, measured.length);
    for (int i = 1; i <= beyond; i++) {
      at[CURVE_POINTS + measured.length + i - 1] = to * (1 + 0.5 * i / beyond);
    }
    List<Prediction> curve = new ArrayList<>();
    Arrays.stream(at).sorted().distinct().forEach(n -> curve.add(found.at(n)));
    return curve;
  }
}
