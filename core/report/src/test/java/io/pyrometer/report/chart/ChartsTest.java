package io.pyrometer.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Figure;
import io.pyrometer.report.chart.HeatMapChart.HeatMap;
import io.pyrometer.report.chart.HistoryChart.HistoryPoint;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChartsTest {
  private static Ranked ranked(String label, double value) {
    Estimate estimate = new Estimate(value, value * 0.9, value * 1.1, 0.95, 3, "ops/s");
    return new Ranked(label, estimate, Optional.empty(), "");
  }

  private static JsonNode option(Figure figure) {
    return figure.chart().orElseThrow().option();
  }

  @Test
  void theAxisIsLogarithmicFromTwentyfoldOn() {
    Figure wide = IntervalChart.points("", "ops/s", List.of(ranked("a", 1000), ranked("b", 10)));
    Figure near = IntervalChart.points("", "ops/s", List.of(ranked("a", 1000), ranked("b", 600)));
    assertThat(option(wide).at("/xAxis/type").asText()).isEqualTo("log");
    assertThat(option(near).at("/xAxis/type").asText()).isEqualTo("value");
    assertThat(option(near).at("/xAxis/min").asInt(-1)).isZero();
  }

  @Test
  void aValueSeenOnceHasNoErrorBar() {
    Ranked once = new Ranked("a", Estimate.unreplicated(5, ""), Optional.empty(), "");
    Figure figure = IntervalChart.points("", "ops/s", List.of(once, ranked("b", 4)));
    assertThat(option(figure).at("/series/1/data")).hasSize(1);
  }

  @Test
  void theEndOfTheWarmUpIsMarked() {
    TimeLine line = new TimeLine("put", Collections.nCopies(50, 100.0), 10, 20, true);
    Figure figure = TimeChart.throughput("", "ops/s", List.of(line));
    assertThat(option(figure).at("/series/0/markLine/data/0/xAxis").asDouble()).isEqualTo(2.0);
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
    assertThat(option(figure).at("/series/0/data/1/0").asDouble()).isEqualTo(100);
  }

  @Test
  void aHeatMapDrawsEveryCellAndEveryMarkInItsLane() {
    HeatMap map =
        new HeatMap(
            List.of(
                new HeatMap.Cell(0, 1, 100, 126, 90, 0.9),
                new HeatMap.Cell(0, 1, 1000, 1259, 10, 0.1),
                new HeatMap.Cell(1, 2, 100, 126, 70, 1)),
            List.of("GC node-0", "GC node-1"),
            List.of(new HeatMap.Mark("GC node-1", 0.5, 0.51, "Pause Young, 10 ms")));
    Figure figure = HeatMapChart.of("", map);
    JsonNode option = option(figure);
    assertThat(option.at("/series/0/data")).hasSize(3);
    assertThat(option.at("/series/0/data/1/4").asDouble()).isEqualTo(10);
    assertThat(option.at("/series/0/data/1/5").asInt()).isEqualTo(10);
    assertThat(option.at("/series/1/data/0/value/0").asDouble()).isEqualTo(0.5);
    assertThat(option.at("/series/1/data/0/value/2").asInt()).isEqualTo(1);
    assertThat(option.at("/series/1/data/0/tip").asText()).contains("GC node-1", "0.500 s");
    assertThat(option.at("/xAxis/0/max")).isEqualTo(option.at("/xAxis/1/max"));
    assertThat(figure.table().rows().get(1)).containsExactly("0", "1", "1000", "1259", "10", "10");
    assertThat(HeatMapChart.marks("", map).table().rows())
        .containsExactly(List.of("GC node-1", "Pause Young, 10 ms", "0.500", "10.0"));
  }

  @Test
  void aHeatMapWithoutLanesHasOneTimeAxis() {
    HeatMap map =
        new HeatMap(List.of(new HeatMap.Cell(0, 1, 100, 126, 1, 1)), List.of(), List.of());
    assertThat(option(HeatMapChart.of("", map)).at("/xAxis")).hasSize(1);
  }

  @Test
  void aHistoryHasAPointForEachRun() {
    List<HistoryPoint> points =
        List.of(
            new HistoryPoint("a", Estimate.unreplicated(10, "")),
            new HistoryPoint("b", Estimate.unreplicated(8, "")));
    JsonNode line = option(HistoryChart.of("", "ops/s", points)).at("/series/0/data");
    assertThat(line).hasSize(2);
    assertThat(line.at("/1/value/1").asDouble()).isEqualTo(8);
  }
}
