package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A two-level design with its measured responses.
 *
 * @param design the runs
 * @param responses one row per run of the design, one value per replicate, the same number in each
 * @param blocked whether the values of one column come from one block; replicates that share no
 *     block, as those whose every row has an id of its own, have nothing in common to take out
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out; two of them are never compared
public record FactorialData(TwoLevelDesign design, double[][] responses, boolean blocked) {
  /** The name of the response in {@link #observations}. */
  static final String RESPONSE = "the response";

  /** Copies the arrays; throws {@link BadDataException} if they do not fit the design. */
  public FactorialData {
    responses = Arrays.stream(responses).map(double[]::clone).toArray(double[][]::new);
    if (responses.length != design.runs()) {
      throw BadDataException.of(
          "The design has %d runs but there are responses of %d.", design.runs(), responses.length);
    }
    for (double[] row : responses) {
      if (Samples.checked(row, 1, "the response").length != responses[0].length) {
        throw new BadDataException(
            "The runs differ in their number of replicates; leave incomplete blocks out.");
      }
    }
    if (Arrays.stream(responses).flatMapToDouble(Arrays::stream).distinct().count() < 2) {
      throw new BadDataException(
          "The response is the same to the last digit in every run; look at how it was measured.");
    }
  }

  /** One response per run. */
  public static FactorialData unreplicated(TwoLevelDesign design, double[] responses) {
    double[][] rows =
        Arrays.stream(responses).mapToObj(y -> new double[] {y}).toArray(double[][]::new);
    return new FactorialData(design, rows, true);
  }

  /** One observation for each value. */
  List<Observation> observations() {
    List<Observation> rows = new ArrayList<>();
    for (int run = 0; run < responses.length; run++) {
      for (int r = 0; r < replicates(); r++) {
        String block = blocked ? String.valueOf(r + 1) : "run %d.%d".formatted(run + 1, r + 1);
        rows.add(new Observation(design.levels(run), block, Map.of(RESPONSE, responses[run][r])));
      }
    }
    return rows;
  }

  /** A copy of the responses. */
  @Override
  public double[][] responses() {
    return Arrays.stream(responses).map(double[]::clone).toArray(double[][]::new);
  }

  /** The number of values of each run. */
  public int replicates() {
    return responses[0].length;
  }

  /**
   * Recognises the design behind observations. Levels that are numbers are ordered by size, others
   * as they come.
   *
   * @throws BadDataException if a factor has not two levels, the treatments are no regular
   *     fraction, or a block lacks a treatment; {@link LevelEffects} takes those
   */
  public static FactorialData of(
      List<Observation> observations, List<String> factors, String response) {
    List<Treatment> treatments = Treatment.group(observations, factors, response);
    return of(treatments, Factor.of(treatments, factors));
  }

  /** As above, with the factors' low and high levels given. */
  public static FactorialData of(List<Treatment> treatments, List<Factor> factors) {
    for (Factor factor : factors) {
      if (factor.levels().size() != 2) {
        throw BadDataException.of(
            "Factor %s has %d levels where a two-level analysis takes two.",
            factor.name(), factor.levels().size());
      }
    }
    int[][] signs =
        treatments.stream()
            .map(
                t ->
                    factors.stream()
                        .mapToInt(f -> f.low().equals(t.levels().get(f.name())) ? -1 : 1)
                        .toArray())
            .toArray(int[][]::new);
    TwoLevelDesign design = new TwoLevelDesign(factors, signs);
    if (design.resolution() == 2) {
      throw BadDataException.of(
          "Two factors have the same levels in every run (%s); leave one out.",
          design.definingRelation());
    }
    return replicated(design, treatments);
  }

  private static FactorialData replicated(TwoLevelDesign design, List<Treatment> treatments) {
    List<String> values =
        treatments.stream().flatMap(t -> t.replicates().keySet().stream()).toList();
    long blocks = values.stream().distinct().count();
    int each = treatments.get(0).replicates().size();
    boolean complete = values.size() == blocks * treatments.size();
    boolean unblocked = values.size() == blocks && blocks == (long) each * treatments.size();
    if (!complete && !unblocked) {
      throw BadDataException.of(
          "%s of %s were not measured in every block; a model of several levels takes that.",
          Figures.count(blocks * treatments.size() - values.size(), "value"),
          Figures.count(treatments.size(), "treatment"));
    }
    double[][] rows = treatments.stream().map(Treatment::values).toArray(double[][]::new);
    return new FactorialData(design, rows, complete);
  }
}
