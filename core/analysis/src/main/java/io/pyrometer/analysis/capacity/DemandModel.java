package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * What one call costs one role, as a function of the cluster: D(N, b, q) = base + backup·b' +
 * hop·(1 − 1/N) + (alone + aloneBackup·b')/max(1, q) + spread·ln min(N, M), with N servers, b' =
 * min(b, N−1) copies and q calls in flight on one process of the role.
 *
 * @param base seconds of a call on one server among many calls
 * @param backup seconds for each backup
 * @param hop seconds of a call that is forwarded to the server of its key
 * @param alone seconds more of a call that is alone, so that none shares its wake-ups and system
 *     calls
 * @param aloneBackup the same for each backup
 * @param spread seconds more for a factor of e in the number of servers, among which the same calls
 *     are spread: found in measurements, also of servers with CPU quotas, whatever causes it there
 * @param most M, the largest number of servers up to which {@code spread} was measured, beyond
 *     which it is not continued
 */
public record DemandModel(
    double base,
    double backup,
    double hop,
    double alone,
    double aloneBackup,
    double spread,
    int most) {
  static final DemandModel NONE = new DemandModel(0, 0, 0, 0, 0, 0, 1);

  private static final int TERMS = 6;
  private static final double RANK = 1e-8;

  /** The same with {@code spread} continued beyond the measured numbers of servers. */
  DemandModel continued() {
    return new DemandModel(base, backup, hop, alone, aloneBackup, spread, Integer.MAX_VALUE);
  }

  /**
   * What one call cost in one cell.
   *
   * @param inFlight calls under way on one process of the role
   */
  public record Point(int servers, int backups, double inFlight, double seconds) {

    double[] terms() {
      return DemandModel.terms(servers, backups, inFlight);
    }
  }

  /** Seconds of a call. */
  public double seconds(int servers, int backups, double inFlight) {
    double[] terms = terms(servers, backups, inFlight);
    terms[TERMS - 1] = Math.log(Math.min(servers, most));
    return sum(new double[] {base, backup, hop, alone, aloneBackup, spread}, terms);
  }

  private static double[] terms(int servers, int backups, double inFlight) {
    double copies = Math.min(backups, servers - 1);
    double alone = 1 / Math.max(1, inFlight);
    return new double[] {1, copies, 1 - 1.0 / servers, alone, copies * alone, Math.log(servers)};
  }

  private static double sum(double[] coefficients, double[] terms) {
    double sum = 0;
    for (int i = 0; i < TERMS; i++) {
      sum += coefficients[i] * terms[i];
    }
    return sum;
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
    for (int i = 1; i < 1 << TERMS; i++) {
      int subset = i;
      List<Integer> columns =
          IntStream.range(0, TERMS).filter(c -> (subset >> c & 1) == 1).boxed().toList();
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
    int most = points.stream().mapToInt(Point::servers).max().orElse(1);
    return new DemandModel(best[0], best[1], best[2], best[3], best[4], best[5], most);
  }

  /** All terms, those outside the columns 0; empty if some would be negative or undetermined. */
  private static double[] solve(List<Point> points, List<Integer> columns) {
    if (points.size() < columns.size()) {
      return new double[0];
    }
    double[][] relative = new double[points.size()][columns.size()];
    for (int i = 0; i < relative.length; i++) {
      double[] terms = points.get(i).terms();
      for (int j = 0; j < columns.size(); j++) {
        relative[i][j] = terms[columns.get(j)] / points.get(i).seconds;
      }
    }
    RealMatrix rows = new Array2DRowRealMatrix(relative, false);
    double[] norms = new double[columns.size()];
    for (int j = 0; j < norms.length; j++) {
      double norm = rows.getColumnVector(j).getNorm();
      norms[j] = norm > 0 ? norm : 1;
      rows.setColumnVector(j, rows.getColumnVector(j).mapDivide(norms[j]));
    }
    SingularValueDecomposition parts = new SingularValueDecomposition(rows);
    if (parts.getInverseConditionNumber() <= RANK) {
      return new double[0];
    }
    RealVector solved = parts.getSolver().solve(new ArrayRealVector(relative.length, 1));
    double[] all = new double[TERMS];
    for (int j = 0; j < norms.length; j++) {
      double value = solved.getEntry(j) / norms[j];
      if (value < 0) {
        return new double[0];
      }
      all[columns.get(j)] = value;
    }
    return all;
  }

  private static double rss(List<Point> points, double[] terms) {
    return points.stream()
        .mapToDouble(p -> sum(terms, p.terms()) / p.seconds - 1)
        .map(error -> error * error)
        .sum();
  }
}
