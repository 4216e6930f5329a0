package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The law of clients and nodes at once, fitted on ln X:
 * X(c,n)=λc/{[1+h(1−1/n)+m(n−1)]·[1+σ(c−1)/n+κc(c−1)/n]}.
 *
 * @param parameters λ, h, m, σ, κ
 * @param residualSd of ln X: the coefficient of variation
 * @param condition of the column-scaled Jacobian; over 100 the grid cannot tell them apart
 * @param points observed, in the order given, with the fitted throughput beside each
 * @param findings in words
 */
public record ClientsAndNodes(
    List<Parameter> parameters,
    double rss,
    int degreesOfFreedom,
    double residualSd,
    double condition,
    List<Fitted> points,
    List<Finding> findings) {
  /** The least number of different clients and of different nodes. */
  public static final int ENOUGH_LEVELS = 4;

  /** A measured point beside its fit; the residual is ln(observed/fitted). */
  public record Fitted(GridPoint point, double fitted, double residual) {}

  /** Copies the lists. */
  public ClientsAndNodes {
    parameters = List.copyOf(parameters);
    points = List.copyOf(points);
    findings = List.copyOf(findings);
  }

  /**
   * Fits the law.
   *
   * @throws BadDataException on fewer than 4 different numbers of clients or of nodes
   */
  public static ClientsAndNodes of(List<GridPoint> points, String unit, double confidence) {
    refuseUnfit(points);
    double[][] at =
        points.stream().map(p -> new double[] {p.clients(), p.nodes()}).toArray(double[][]::new);
    double[] throughputs = points.stream().mapToDouble(GridPoint::throughput).toArray();
    FitOptions options = new FitOptions(FitScale.LOG, true, confidence, "clients", unit);
    CurveFit fit =
        new CurveFit.Fitter(new GridCurve(), at, throughputs, options, Blocks.NONE)
            .fit("clients and nodes");
    List<Fitted> fitted =
        points.stream()
            .map(
                p -> {
                  double x = throughput(fit.lambda(), fit.theta(), p.clients(), p.nodes());
                  return new Fitted(p, x, Math.log(p.throughput() / x));
                })
            .toList();
    return new ClientsAndNodes(
        fit.parameters(),
        fit.rss(),
        fit.degreesOfFreedom(),
        Math.sqrt(fit.rss() / fit.degreesOfFreedom()),
        fit.condition(),
        fitted,
        findings(points, fit));
  }

  private static void refuseUnfit(List<GridPoint> points) {
    long clients = points.stream().mapToDouble(GridPoint::clients).distinct().count();
    long nodes = points.stream().mapToDouble(GridPoint::nodes).distinct().count();
    if (clients < ENOUGH_LEVELS || nodes < ENOUGH_LEVELS) {
      throw BadDataException.of(
          "Clients and nodes together need at least %d levels of each, but there are %d of clients"
              + " and %d of nodes; add levels or fit one alone.",
          ENOUGH_LEVELS, clients, nodes);
    }
  }

  /** The throughput with {@code clients} on {@code nodes}. */
  public double throughput(double clients, double nodes) {
    double[] theta = parameters.stream().skip(1).mapToDouble(p -> p.estimate().value()).toArray();
    return throughput(parameters.get(0).estimate().value(), theta, clients, nodes);
  }

  private static double throughput(double lambda, double[] theta, double clients, double nodes) {
    return lambda
        * new GridCurve().value(new double[] {clients, nodes}, theta, new double[theta.length]);
  }

  /**
   * c* = √((n−σ)/κ), the number of clients that loads {@code nodes} best; empty if there is none.
   */
  static Optional<Double> bestClients(double sigma, Estimate kappa, double nodes) {
    boolean turns = kappa.low() > 0 && nodes > sigma;
    return turns ? Optional.of(Math.sqrt((nodes - sigma) / kappa.value())) : Optional.empty();
  }

  private static List<Finding> findings(List<GridPoint> points, CurveFit fit) {
    double most = points.stream().mapToDouble(GridPoint::nodes).max().orElseThrow();
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    fit.parameters().forEach(p -> estimates.put(p.name(), p.estimate()));
    Optional<Double> best = bestClients(fit.theta()[2], fit.parameters().get(4).estimate(), most);
    String first =
        "On another node a request costs %s more, and %s more for each node added; "
            .formatted(Figures.percent(fit.theta()[0]), Figures.percent(fit.theta()[1]));
    String second =
        best.map(
                c ->
                    "%s nodes give most with about %s clients."
                        .formatted(Figures.plain(most), Figures.plain(c)))
            .orElse("the grid shows no number of clients beyond which throughput falls.");
    Finding finding =
        new Finding(
            Finding.Kind.SCALABILITY,
            fit.condition() > Scalability.WORST_CONDITION
                ? Finding.Severity.WARNING
                : Finding.Severity.INFO,
            first + second,
            estimates,
            "A grid that reaches more clients for each number of nodes.");
    return List.of(finding);
  }
}
