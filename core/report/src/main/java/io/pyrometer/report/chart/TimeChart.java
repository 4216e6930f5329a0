package io.pyrometer.report.chart;

import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;
import java.util.stream.IntStream;

/** Throughput over time as small multiples, each from 0 to its own maximum. */
public final class TimeChart {
  private static final int MOST_CHARTS = 36;

  private TimeChart() {}

  /** Throughput, a small chart for each trial, with the warm-up shaded. */
  public static Figure throughput(String caption, String unit, List<TimeLine> lines) {
    List<TimeLine> drawn = lines.subList(0, Math.min(MOST_CHARTS, lines.size()));
    String rest =
        drawn.size() < lines.size()
            ? " Drawn are the first %d of %d trials; the table holds all."
                .formatted(drawn.size(), lines.size())
            : "";
    Chart chart =
        new Chart(
            Kind.TIME,
            Axis.linear("s"),
            Axis.linear(unit),
            drawn.stream().map(TimeChart::series).toList(),
            drawn.stream().map(TimeChart::warmUp).toList());
    return Figure.of(caption + rest, chart, table(unit, lines));
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
    List<String> header =
        List.of("Trial", "Warm-up s", "Settled", unit + " before", unit + " measured", "Range");
    return Table.of(header, 1, lines.stream().map(TimeChart::row).toList())
        .withAbsent("no sample in this part of the trial");
  }

  private static List<String> row(TimeLine line) {
    int from = Math.min(line.measuredFrom(), line.rates().size());
    List<Double> warmUp = line.rates().subList(0, from);
    List<Double> measured = line.rates().subList(from, line.rates().size());
    double least = measured.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = measured.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return List.of(
        line.name(),
        Numbers.shorten(line.secondsAt(from)),
        line.settled() ? "yes" : "no",
        mean(warmUp),
        mean(measured),
        measured.isEmpty() ? Table.ABSENT : Numbers.shorten(least) + " … " + Numbers.shorten(most));
  }

  private static String mean(List<Double> rates) {
    return rates.isEmpty()
        ? Table.ABSENT
        : Numbers.shorten(rates.stream().mapToDouble(Double::doubleValue).average().orElse(0));
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
  }
}
