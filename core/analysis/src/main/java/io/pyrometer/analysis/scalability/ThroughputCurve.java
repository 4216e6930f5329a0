package io.pyrometer.analysis.scalability;

/** A curve up to its level: X = λ·g(at; θ). */
interface ThroughputCurve {
  /** The names of θ, without λ. */
  String[] shapeParameters();

  /** The least physical value of each parameter of θ. */
  double[] lowerBounds();

  /** Where the search for θ starts, one row a start. */
  double[][] starts();

  /**
   * g and its gradient.
   *
   * @param at the number of nodes, or clients and nodes
   * @param theta the parameters
   * @param gradient receives dg/dθ; of the length of theta
   * @return g, or NaN where the curve does not exist
   */
  double value(double[] at, double[] theta, double[] gradient);
}
