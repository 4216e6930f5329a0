package io.pyrometer.report;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.chart.HeatMapChart;
import io.pyrometer.report.chart.HeatMapChart.Cell;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.PercentileChart;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.report.chart.StackedBarChart;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Pages with figures of the usual size. */
final class SamplePages {
  private static final List<String> PATHS =
      List.of(
          "putAllAsync 10 000, 2 in flight",
          "put-all 1 000",
          "streamer-batched",
          "put-async",
          "put");
  private static final double[] RATES = {243_000, 226_000, 172_000, 61_000, 3_400};

  private SamplePages() {}

  static Page run() {
    return figures()
        .with(
            new Page.Recommendation(
                List.of(
                    new Page.AnswerRow(
                        "write",
                        "put-all 1 000",
                        "226 k records/s",
                        "66 × put",
                        List.of("0 of 2,000 keys stale or lost")),
                    new Page.AnswerRow(
                        "aggregate",
                        "compute",
                        "1.21 M records/s",
                        "387 × get",
                        List.of("no difference shown: sql-aggregate (0.82 ×)"))),
                "low",
                "one block",
                "CPU cost on this machine, not a cluster's throughput",
                Optional.of(new Page.Command("about 5 minutes", "./pyrometer run first-light"))));
  }

  private static Page figures() {
    return new Page(
        "first-light",
        "How should one write to, read from and compute over an Ignite cluster on this machine?",
        "Run of 20 November 2026, 22:04 UTC · Ignite 2.17.0 · 3 nodes · 3 blocks · 15 trials",
        findings(),
        List.of(
            new Section(
                "writing",
                "Writing",
                "Batches win: one call for many records spares the round trip.",
                List.of(ranking(), why())),
            new Section(
                "time", "Throughput over time", "Shaded: the warm-up.", List.of(overTime())),
            new Section(
                "latency", "Latency", "Closed loop, by call.", List.of(percentiles(), heatMap())),
            new Section(
                "factors", "Factors", "", List.of(effects(), shares(), means(), history(), fit())),
            new Section(
                "trials",
                "All trials",
                "",
                List.of(Figure.of("Every trial in order", trials(15))))),
        List.of(
            new Page.Command("Measure again", "./pyrometer run first-light --seed 1"),
            new Page.Command("Write this report again", "./pyrometer report runs/2026-11-20")));
  }

  static List<Finding> findings() {
    Estimate ratio = new Estimate(71.5, 64, 79, 0.95, 3, "");
    return List.of(
        Finding.info("sample.best")
            .with("ratio to put", ratio)
            .with("throughput", estimate(226_000)),
        Finding.notice("sample.more-blocks").with("blocks", Value.count(7)),
        Finding.warning("sample.disturbed")
            .with("machine", Value.name("this machine <script>alert(1)</script>")));
  }

  static Estimate estimate(double value) {
    return new Estimate(value, value * 0.93, value * 1.06, 0.95, 3, "records/s");
  }

  static Figure ranking() {
    return IntervalChart.points("Records written per second", "records/s", ranked());
  }

  private static Figure shares() {
    Map<String, Double> of = new TreeMap<>(Map.of("path", 0.7, "batch", 0.2, "path:batch", 0.1));
    return IntervalChart.shares("Share of the variation", of);
  }

  private static Figure why() {
    List<String> parts =
        List.of(
            "network threads",
            "system calls",
            "locking",
            "marshalling",
            "other",
            "page memory",
            "queues",
            "GC",
            "JIT");
    Random random = new Random(3);
    List<StackedBarChart.Bar> bars = new ArrayList<>();
    for (String role : List.of("servers", "clients")) {
      for (int i = 0; i < RATES.length; i++) {
        Map<String, Double> of = new TreeMap<>();
        for (String part : parts) {
          of.put(
              part, (0.2 + random.nextDouble()) * (role.equals("servers") ? 3e5 : 1e5) / RATES[i]);
        }
        bars.add(new StackedBarChart.Bar(PATHS.get(i), role, of));
      }
    }
    return Figure.of(
        "CPU time of a record by category",
        StackedBarChart.of(bars, "put"),
        Table.ofWords(List.of("treatment"), List.of(List.of("put"))));
  }

  private static List<Ranked> ranked() {
    List<Ranked> rows = new ArrayList<>();
    for (int i = 0; i < RATES.length; i++) {
      Estimate estimate = estimate(RATES[i]);
      Optional<Estimate> ratio =
          i == RATES.length - 1
              ? Optional.empty()
              : Optional.of(
                  new Estimate(RATES[i] / 3_400, RATES[i] / 3_700, RATES[i] / 3_200, 0.95, 3, ""));
      rows.add(new Ranked(PATHS.get(i), estimate, ratio, i == 2 ? "loses the order per key" : ""));
    }
    return rows;
  }

  private static Figure overTime() {
    Random random = new Random(7);
    List<TimeLine> lines = new ArrayList<>();
    for (int i = 0; i < RATES.length; i++) {
      List<Double> rates = new ArrayList<>();
      for (int s = 0; s < 45; s++) {
        rates.add(RATES[i] * (1 - 0.8 * Math.exp(-s / 6.0)) * (1 + 0.05 * random.nextGaussian()));
      }
      lines.add(new TimeLine(PATHS.get(i) + " · block 1", rates, 10, 20, i != 4));
    }
    return TimeChart.throughput("Records per second, ten samples a second", "records/s", lines);
  }

  private static Figure percentiles() {
    List<PercentileLine> lines = new ArrayList<>();
    for (int i = 0; i < RATES.length; i++) {
      List<PercentileLine.Point> points = new ArrayList<>();
      for (double x = 1; x <= 10_000; x *= 1.6) {
        points.add(new PercentileLine.Point(1 - 1 / x, 2e6 / RATES[i] * 10 * (1 + Math.log(x))));
      }
      lines.add(new PercentileLine(PATHS.get(i), points));
    }
    return PercentileChart.of("Latency of a call", lines);
  }

  private static Figure heatMap() {
    List<Cell> cells = new ArrayList<>();
    for (int second = 0; second < 20; second++) {
      for (int row = 0; row < 18; row++) {
        double share = Math.exp(-0.5 * row) * (1 - Math.exp(-0.5));
        double micros = 100 * Math.pow(10, row / 10.0);
        cells.add(
            new Cell(second, second + 1, micros, micros * 1.259, 1 + (long) (1e4 * share), share));
      }
    }
    List<Chart.Mark> marks =
        List.of(
            new Chart.Mark("GC node-0", 3.2, 3.26, "Pause Young, 60 ms"),
            new Chart.Mark("GC agent-0", 11, 11.4, "Pause Full, 400 ms"));
    return HeatMapChart.of("get in 0001-b1-get", cells, List.of("GC node-0", "GC agent-0"), marks);
  }

  private static Figure effects() {
    return figure(
        Kind.EFFECTS,
        List.of(
            series("significant", "", List.of(point("A batch", 1.3), point("B threads", 0))),
            series("not significant", "", List.of(point("A batch", 0), point("B threads", 0.2)))),
        List.of(new Chart.Mark("", 0.3, 0.3, "ME"), new Chart.Mark("", 0.4, 0.4, "SME")));
  }

  private static Figure means() {
    return figure(
        Kind.MEANS,
        List.of(
            series("0", "batch × backups", List.of(point("100", 1000), point("10000", 4000))),
            series("1", "batch × backups", List.of(point("100", 800), point("10000", 2000))),
            series("", "threads", List.of(point("1", 1500), point("8", 2800)))),
        List.of());
  }

  private static Figure history() {
    return figure(
        Kind.HISTORY,
        List.of(series("put", "", List.of(point("a", 10), point("b", 8)))),
        List.of());
  }

  private static Figure fit() {
    List<List<Object>> curve = new ArrayList<>();
    for (int n = 1; n <= 20; n++) {
      curve.add(Chart.point(n, estimate(1000 * n / (1 + 0.1 * n)), ""));
    }
    return figure(
        Kind.FIT,
        List.of(
            series("measured", "", curve),
            series("fit", "", curve.subList(0, 15)),
            series("extrapolated", "", curve.subList(14, 20))),
        List.of());
  }

  private static Figure figure(Kind kind, List<Chart.Series> series, List<Chart.Mark> marks) {
    Chart chart = new Chart(kind, Chart.Axis.linear("x"), Chart.Axis.linear("y"), series, marks);
    return Figure.of(kind.name(), chart, Table.ofWords(List.of("kind"), List.of()));
  }

  private static Chart.Series series(String name, String panel, List<List<Object>> points) {
    return new Chart.Series(name, panel, points);
  }

  private static List<Object> point(String label, double value) {
    return Chart.point(label, estimate(value), "");
  }

  static Table trials(int count) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String rate = Numbers.shorten(RATES[i % 5]);
      rows.add(List.of("trial " + i, PATHS.get(i % 5), String.valueOf(i / 5), rate, "ok"));
    }
    return Table.of(List.of("Trial", "Path", "Block", "records/s", "Outcome"), 2, rows);
  }
}
