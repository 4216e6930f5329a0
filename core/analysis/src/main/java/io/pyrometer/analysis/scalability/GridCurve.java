package io.pyrometer.analysis.scalability;

/**
 * Clients and nodes at once: c/([1+h(1−1/n)+m(n−1)]·[1+σ(c−1)/n+κc(c−1)/n]). The first bracket is
 * what one request costs more on n nodes; the second is contention and crosstalk of c clients,
 * shared by the nodes.
 */
final class GridCurve implements ThroughputCurve {
  @Override
  public String[] shapeParameters() {
    return new String[] {"h", "m", "σ", "κ"};
  }

  @Override
  public double[] lowerBounds() {
    return new double[] {0, 0, 0, 0};
  }

  @Override
  public double[][] starts() {
    return new double[][] {{0.1, 0.01, 0.01, 1e-4}, {0.5, 0.01, 0.1, 0.001}, {1, 0.1, 0.5, 0.01}};
  }

  @Override
  public double value(double[] at, double[] theta, double[] gradient) {
    double c = at[0];
    double n = at[1];
    double cost = 1 + theta[0] * (1 - 1 / n) + theta[1] * (n - 1);
    double crowd = 1 + theta[2] * (c - 1) / n + theta[3] * c * (c - 1) / n;
    double g = c / (cost * crowd);
    gradient[0] = -g * (1 - 1 / n) / cost;
    gradient[1] = -g * (n - 1) / cost;
    gradient[2] = -g * (c - 1) / n / crowd;
    gradient[3] = -g * c * (c - 1) / n / crowd;
    return cost > 0 && crowd > 0 ? g : Double.NaN;
  }
}
