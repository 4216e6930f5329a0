package io.pyrometer.analysis.scalability;

/**
 * A least-squares solution.
 *
 * @param level λ on the linear scale, ln λ on the logarithmic one, in the engine's scaled units
 * @param theta the other parameters
 * @param rss the residual sum of squares on the engine's scale
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record Solution(double level, double[] theta, double rss) {
  double[] all() {
    double[] all = new double[theta.length + 1];
    all[0] = level;
    System.arraycopy(theta, 0, all, 1, theta.length);
    return all;
  }

  static Solution of(double[] all, double rss) {
    double[] theta = new double[all.length - 1];
    System.arraycopy(all, 1, theta, 0, theta.length);
    return new Solution(all[0], theta, rss);
  }
}
