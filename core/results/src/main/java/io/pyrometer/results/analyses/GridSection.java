package io.pyrometer.results.analyses;

import io.pyrometer.analysis.scalability.ClientsAndNodes;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import java.util.List;

/** The law of clients and nodes at once, and what it leaves. */
final class GridSection {
  private GridSection() {}

  static Section of(ClientsAndNodes found) {
    List<List<String>> parameters =
        found.parameters().stream()
            .map(
                p ->
                    List.of(
                        p.name(),
                        Numbers.shorten(p.estimate().value(), 5),
                        Numbers.interval(p.estimate())))
            .toList();
    List<List<String>> points =
        found.points().stream()
            .map(
                p ->
                    List.of(
                        Numbers.shorten(p.point().nodes()),
                        Numbers.shorten(p.point().clients()),
                        Numbers.whole(p.point().throughput()),
                        Numbers.whole(p.fitted()),
                        Numbers.percent(p.residual())))
            .toList();
    return new Section(
        "grid",
        "The law of both",
        "X(c,n) = λc/{[1+h(1−1/n)+m(n−1)]·[1+σ(c−1)/n+κc(c−1)/n]} of c clients and n nodes: h is"
            + " what a request costs more on another node, m for each node added, σ and κ are"
            + " contention and crosstalk of the clients.",
        List.of(
            Figure.of(
                "Parameters",
                Table.of(List.of("Parameter", "Value", "Profile interval"), 1, parameters)),
            Figure.of(
                "Measured and fitted, records a second in total",
                Table.of(
                    List.of("nodes", "clients", "Measured", "Fitted", "Residual"), 0, points))));
  }
}
