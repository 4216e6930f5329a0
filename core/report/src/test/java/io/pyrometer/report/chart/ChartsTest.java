package io.pyrometer.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.chart.HeatMapChart.Cell;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.report.chart.StackedBarChart.Bar;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ChartsTest {
  private static Ranked ranked(String label, double value) {
    Estimate estimate = new Estimate(value, value * 0.9, value * 1.1, 0.95, 3, "ops/s");
    return new Ranked(label, estimate, Optional.empty(), "");
  }

  private static Chart chart(Figure figure) {
    return figure.chart().orElseThrow();
  }

  private static List<List<Object>> points(Figure figure, int series) {
    return chart(figure).series().get(series).points();
  }

  private static List<Double> values(List<Object> point) {
    return point.stream().map(cell -> ((BigDecimal) cell).doubleValue()).toList();
  }

  @Test
  void theAxisIsLogarithmicFromTwentyfoldOn() {
    Figure wide = IntervalChart.points("", "ops/s", List.of(ranked("a", 1000), ranked("b", 10)));
    Figure near = IntervalChart.points("", "ops/s", List.of(ranked("a", 1000), ranked("b", 600)));
    assertThat(chart(wide).x().log()).isTrue();
    assertThat(chart(near).x().log()).isFalse();
  }

  @Test
  void aValueSeenOnceHasNoErrorBar() {
    Ranked once = new Ranked("a", Estimate.unreplicated(5, ""), Optional.empty(), "");
    Figure figure = IntervalChart.points("", "ops/s", List.of(once, ranked("b", 4)));
    assertThat(points(figure, 0).get(0)).containsExactly("a", BigDecimal.valueOf(5));
    assertThat(points(figure, 0).get(1)).hasSize(5);
  }

  @Test
  void theEndOfTheWarmUpIsMarked() {
    TimeLine line = new TimeLine("put", Collections.nCopies(50, 100.0), 10, 20, true);
    Figure figure = TimeChart.throughput("", "ops/s", List.of(line));
    assertThat(chart(figure).marks()).containsExactly(new Chart.Mark("put", 0, 2, "warm-up"));
    assertThat(figure.table().rows().get(0).get(1)).isEqualTo("2");
  }

  @Test
  void aTrialThatNeverMeasuredHasDashes() {
    TimeLine line = new TimeLine("put", List.of(1.0, 2.0), 10, 5, false);
    Figure figure = TimeChart.throughput("", "ops/s", List.of(line));
    assertThat(figure.table().rows().get(0)).containsSequence("no", "1.5", "–", "–");
  }

  @Test
  void aPercentileThatNothingStandsBehindIsADash() {
    PercentileLine line =
        new PercentileLine(
            "put",
            List.of(new PercentileLine.Point(0.5, 100), new PercentileLine.Point(0.99, 900)));
    Figure figure = PercentileChart.of("", List.of(line));
    assertThat(figure.table().rows().get(0))
        .containsExactly("put", "100 µs", "900 µs", "900 µs", "–", "–");
    assertThat(values(points(figure, 0).get(1))).containsExactly(100.0, 900.0);
  }

  @Test
  void aHeatMapDrawsEveryCellAndEveryMarkInItsLane() {
    List<Chart.Mark> marks = List.of(new Chart.Mark("GC node-1", 0.5, 0.51, "Pause Young, 10 ms"));
    Figure figure =
        HeatMapChart.of(
            "",
            List.of(
                new Cell(0, 1, 100, 126, 90, 0.9),
                new Cell(0, 1, 1000, 1259, 10, 0.1),
                new Cell(1, 2, 100, 126, 70, 1)),
            List.of("GC node-0", "GC node-1"),
            marks);
    assertThat(points(figure, 0)).hasSize(3);
    assertThat(values(points(figure, 0).get(1)))
        .containsExactly(0.0, 1.0, 1000.0, 1259.0, 10.0, 10.0);
    assertThat(chart(figure).series())
        .extracting(Chart.Series::name)
        .containsExactly("calls", "GC node-0", "GC node-1");
    assertThat(chart(figure).marks()).isEqualTo(marks);
    assertThat(figure.table().rows().get(1)).containsExactly("0", "1", "1000", "1259", "10", "10");
  }

  @Test
  void aStackNamesTheLargestPartsFirstAndWhatDiffersFromTheBaseline() {
    Map<String, Double> plain = Map.of("network", 60.0, "other", 30.0, "map", 10.0);
    Map<String, Double> batched = Map.of("network", 2.0, "other", 5.0, "map", 3.0);
    List<Bar> bars =
        List.of(new Bar("put", "servers", plain), new Bar("put-all", "servers", batched));
    Chart chart = StackedBarChart.of(bars, "put");
    assertThat(chart.series())
        .extracting(Chart.Series::name)
        .containsExactly("network", "map", "other", "");
    assertThat(chart.series().get(3).points().get(1)).contains("network −58 µs");
    assertThat(chart.series().get(3).points().get(0)).contains("baseline");
  }

  @Test
  void smallPartsOfAStackAreMergedIntoOther() {
    Map<String, Double> parts = new TreeMap<>();
    for (int i = 1; i <= 10; i++) {
      parts.put("part " + i, (double) i);
    }
    Chart chart = StackedBarChart.of(List.of(new Bar("put", "servers", parts)), "");
    assertThat(chart.series()).hasSize(9);
    assertThat(chart.series().get(7).name()).isEqualTo("other");
    assertThat(chart.series().get(7).points().get(0).get(1)).isEqualTo(BigDecimal.valueOf(6));
  }
}
