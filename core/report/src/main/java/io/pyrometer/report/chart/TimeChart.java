package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Throughput over time as small multiples, each from 0 to its own maximum. */
public final class TimeChart {
  private TimeChart() {}

  /** Throughput, a small chart for each trial, with the warm-up shaded. */
  public static Figure throughput(String caption, String unit, List<TimeLine> lines) {
    Chart chart =
        new Chart(
            Kind.TIME,
            Axis.linear("s"),
            Axis.linear(unit),
            lines.stream().map(TimeChart::series).toList(),
            lines.stream().map(TimeChart::warmUp).toList());
    return Figure.of(caption, chart, table(unit, lines));
  }

  private static Chart.Series series(TimeLine line) {
    List<List<Object>> points =
        IntStream.range(0, line.rates().size())
            .mapToObj(i -> Chart.figures(line.secondsAt(i), line.rates().get(i)))
            .toList();
    return new Chart.Series(line.name(), title(line), points);
  }

  private static Chart.Mark warmUp(TimeLine line) {
    return new Chart.Mark(title(line), 0, line.secondsAt(line.measuredFrom()), "warm-up");
  }

  private static String title(TimeLine line) {
    return line.settled() ? line.name() : line.name() + " – not settled";
  }

  private static Table table(String unit, List<TimeLine> lines) {
    return new MetricTable<TimeLine>("no sample in this part of the trial")
        .text("Trial", TimeLine::name)
        .formatted("Warm-up s", line -> Numbers.shorten(line.secondsAt(line.warmUp().size())))
        .formatted("Settled", line -> line.settled() ? "yes" : "no")
        .number(unit + " before", line -> mean(line.warmUp()))
        .number(unit + " measured", line -> mean(line.measured()))
        .formatted("Range", line -> range(line.measured()))
        .of(lines);
  }

  private static Optional<Double> mean(List<Double> rates) {
    return Means.arithmetic(rates.stream().mapToDouble(rate -> rate), "").map(Estimate::value);
  }

  private static String range(List<Double> rates) {
    return rates.isEmpty()
        ? Table.ABSENT
        : Numbers.shorten(Collections.min(rates)) + " … " + Numbers.shorten(Collections.max(rates));
  }

  /**
   * A value of one trial over time: its throughput, or the CPU time of one of its processes.
   *
   * @param rates in units a second, one for each sample
   * @param samplesPerSecond number of samples in a second
   * @param measuredFrom index of the first sample that counts; before it lies the warm-up
   * @param settled true if the warm-up ended in a steady state
   */
  public record TimeLine(
      String name, List<Double> rates, double samplesPerSecond, int measuredFrom, boolean settled) {
    double secondsAt(int sample) {
      return sample / samplesPerSecond;
    }

    List<Double> warmUp() {
      return rates.subList(0, Math.min(measuredFrom, rates.size()));
    }

    List<Double> measured() {
      return rates.subList(warmUp().size(), rates.size());
    }
  }
}
