package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * What one call costs one role, as a function of the cluster: D(N, b, q) = base + backup·min(b,
 * N−1) + hop·(1 − 1/N) + alone·min(1, 1/q), with N servers, b backups and q calls in flight. {@code
 * hop} is what a call costs more whose key lives on another server than the one it was sent to;
 * {@code alone} what it costs more where no other call shares the wake-ups and system calls.
 *
 * @param base seconds of a call on one server among many calls
 * @param backup seconds for each backup
 * @param hop seconds of a call that is forwarded
 * @param alone seconds more of a call that is alone
 */
public record DemandModel(double base, double backup, double hop, double alone) {
  private static final int TERMS = 4;
  private static final double RANK = 1e-8;

  /** What one call cost in one cell. */
  public record Point(int servers, int backups, double inFlight, double seconds) {

    double[] terms() {
      return DemandModel.terms(servers, backups, inFlight);
    }
  }

  /** Seconds of a call. */
  public double seconds(int servers, int backups, double inFlight) {
    double[] terms = terms(servers, backups, inFlight);
    return base * terms[0] + backup * terms[1] + hop * terms[2] + alone * terms[3];
  }

  private static double[] terms(int servers, int backups, double inFlight) {
    return new double[] {
      1, Math.min(backups, servers - 1), 1 - 1.0 / servers, 1 / Math.max(1, inFlight)
    };
  }

  /**
   * The terms, none negative, with the least sum of squared relative errors. A term that is not
   * estimated from the points, because nothing in them varies it, is 0.
   *
   * @param points at least one, each above 0 s
   */
  public static DemandModel fit(List<Point> points) {
    if (points.isEmpty() || points.stream().anyMatch(p -> !(p.seconds > 0))) {
      throw new BadDataException("Service demands need trials with CPU time above 0.");
    }
    double[] best = {};
    double least = Double.POSITIVE_INFINITY;
    for (int subset = 1; subset < 1 << TERMS; subset++) {
      List<Integer> columns = columns(subset);
      double[] fitted = solve(points, columns);
      if (fitted.length > 0) {
        double rss = rss(points, fitted);
        // A further term must earn its place, else crowded points make one of rounding.
        if (rss < least - 1e-12) {
          least = rss;
          best = fitted;
        }
      }
    }
    return new DemandModel(best[0], best[1], best[2], best[3]);
  }

  private static List<Integer> columns(int subset) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < TERMS; i++) {
      if ((subset >> i & 1) == 1) {
        columns.add(i);
      }
    }
    return columns;
  }

  /** All terms, those outside the columns 0; empty if some would be negative or undetermined. */
  private static double[] solve(List<Point> points, List<Integer> columns) {
    if (points.size() < columns.size()) {
      return new double[0];
    }
    double[][] rows = new double[points.size()][columns.size()];
    double[] ones = new double[points.size()];
    for (int i = 0; i < rows.length; i++) {
      double[] terms = points.get(i).terms();
      ones[i] = 1;
      for (int j = 0; j < columns.size(); j++) {
        rows[i][j] = terms[columns.get(j)] / points.get(i).seconds;
      }
    }
    SingularValueDecomposition parts =
        new SingularValueDecomposition(new Array2DRowRealMatrix(scaled(rows), false));
    double[] singular = parts.getSingularValues();
    if (singular[singular.length - 1] <= RANK * singular[0]) {
      return new double[0];
    }
    double[] scales = scales(rows);
    RealVector solved = parts.getSolver().solve(new ArrayRealVector(ones));
    double[] all = new double[TERMS];
    for (int j = 0; j < columns.size(); j++) {
      double value = solved.getEntry(j) / scales[j];
      if (value < 0) {
        return new double[0];
      }
      all[columns.get(j)] = value;
    }
    return all;
  }

  private static double[] scales(double[][] rows) {
    double[] scales = new double[rows[0].length];
    for (int j = 0; j < scales.length; j++) {
      double sum = 0;
      for (double[] row : rows) {
        sum += row[j] * row[j];
      }
      scales[j] = sum == 0 ? 1 : Math.sqrt(sum);
    }
    return scales;
  }

  private static double[][] scaled(double[][] rows) {
    double[] scales = scales(rows);
    double[][] scaled = new double[rows.length][scales.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < scales.length; j++) {
        scaled[i][j] = rows[i][j] / scales[j];
      }
    }
    return scaled;
  }

  private static double rss(List<Point> points, double[] terms) {
    DemandModel model = new DemandModel(terms[0], terms[1], terms[2], terms[3]);
    return points.stream()
        .mapToDouble(p -> model.seconds(p.servers, p.backups, p.inFlight) / p.seconds - 1)
        .map(error -> error * error)
        .sum();
  }
}
