package io.pyrometer.analysis.scalability;

import java.util.Arrays;
import java.util.List;

/** The curves that may explain how throughput goes with N, each times its level λ. */
@SuppressWarnings("ImmutableEnumChecker") // its arrays leave it as copies only
public enum Model {
  /** λN: every node adds the same. */
  LINEAR("linear", "λN", List.of(), new double[] {}, new double[][] {{}}) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      return n;
    }
  },

  /** λN/(1+σ(N−1)): a share σ of the work is serial (Amdahl). */
  AMDAHL(
      "Amdahl",
      "λN/(1+σ(N−1))",
      List.of("σ"),
      new double[] {0},
      new double[][] {{0.01}, {0.1}, {2}}) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      double d = 1 + theta[0] * (n - 1);
      gradient[0] = -n * (n - 1) / (d * d);
      return d > 0 ? n / d : Double.NaN;
    }
  },

  /**
   * λN/(1+σ(N−1)+κN(N−1)): contention σ and crosstalk κ. With h = σ−1 it is the same curve as
   * λ/(1+h(1−1/N)+κ(N−1)), where a request costs h more when its key lives on another node.
   */
  UNIVERSAL(
      "scalability law",
      "λN/(1+σ(N−1)+κN(N−1))",
      List.of("σ", "κ"),
      new double[] {0, 0},
      new double[][] {{0.01, 1e-4}, {0.1, 0.01}, {2, 0.1}}) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      double d = 1 + theta[0] * (n - 1) + theta[1] * n * (n - 1);
      gradient[0] = -n * (n - 1) / (d * d);
      gradient[1] = n * gradient[0];
      return d > 0 ? n / d : Double.NaN;
    }
  },

  /** λN^−b: a power of the number of nodes. */
  POWER(
      "power",
      "λN^−b",
      List.of("b"),
      new double[] {Double.NEGATIVE_INFINITY},
      new double[][] {{-0.7}, {0.4}}) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      double g = Math.pow(n, -theta[0]);
      gradient[0] = -Math.log(n) * g;
      return g;
    }
  },

  /** λ(1/(1+h(1−1/N))−c(N−1)): a hop to another node, and the same loss for each node. */
  HOP_LINEAR(
      "hop − linear",
      "λ(1/(1+h(1−1/N))−c(N−1))",
      List.of("h", "c"),
      new double[] {-1, 0},
      new double[][] {{0.1, 0.001}, {1, 0.01}, {-0.9, 0.001}}) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      double d = 1 + theta[0] * (1 - 1 / n);
      double g = 1 / d - theta[1] * (n - 1);
      gradient[0] = -(1 - 1 / n) / (d * d);
      gradient[1] = -(n - 1);
      return d > 0 ? g : Double.NaN;
    }
  },

  /** λ·min(N, s): in proportion up to s, where something else is used up (asymptotic bounds). */
  BOUNDS("asymptotic bounds", "λ·min(N, s)", List.of("s"), new double[] {1}, new double[0][]) {
    @Override
    double at(double n, double[] theta, double[] gradient) {
      gradient[0] = n < theta[0] ? 0 : 1;
      return Math.min(n, theta[0]);
    }
  };

  private final String label;
  private final String formula;
  private final List<String> names;
  private final double[] lower;
  private final double[][] starts;

  Model(String label, String formula, List<String> names, double[] lower, double[][] starts) {
    this.label = label;
    this.formula = formula;
    this.names = names;
    this.lower = lower;
    this.starts = starts;
  }

  /**
   * X(n)/λ and its gradient.
   *
   * @param theta the parameters but λ
   * @param gradient receives the derivatives by theta
   * @return NaN where the curve does not exist
   */
  abstract double at(double n, double[] theta, double[] gradient);

  /** The name of the model. */
  public String label() {
    return label;
  }

  /** The formula of X(N). */
  public String formula() {
    return formula;
  }

  /** The number of parameters, λ included. */
  public int parameters() {
    return names.size() + 1;
  }

  /** The names of θ, without λ. */
  public List<String> shapeParameters() {
    return names;
  }

  /** The least physical value of each parameter of θ. */
  double[] lowerBounds() {
    return lower.clone();
  }

  /**
   * Starting points of the search for θ, one row a start: models that saturate may do so anywhere.
   */
  double[][] starts(double[] places) {
    return starts.length > 0
        ? starts.clone()
        : Arrays.stream(places).mapToObj(n -> new double[] {n}).toArray(double[][]::new);
  }
}
