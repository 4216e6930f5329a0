package io.pyrometer.report;

import io.pyrometer.analysis.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;

/**
 * A chart as data. How it looks is decided by the page's script, which has a function for each
 * kind.
 *
 * <p>A point is a list of cells. If its kind does not say otherwise, they are the label or figure
 * on the category or x axis, the value, a note for the tooltip, and both ends of the interval if
 * there is one.
 *
 * @param marks instants, spans and limits that are drawn into the chart
 */
public record Chart(Kind kind, Axis x, Axis y, List<Series> series, List<Mark> marks) {
  private static final MathContext DIGITS = new MathContext(6);

  /** Kinds of charts. */
  public enum Kind {
    /** Estimates below each other; a note makes the point hollow. */
    POINTS,
    /** Estimates below each other as bars from 0. */
    BARS,
    /** Bars made of parts: a series for each part and panel; one without a name has the totals. */
    STACK,
    /** Bars below each other with limits, which are marks. */
    EFFECTS,
    /** Latency in µs against 1/(1−q), a line for each series. */
    PERCENTILES,
    /** Values over seconds, a panel for each series; a mark spans its warm-up. */
    TIME,
    /** Means by level, a panel for each pair of factors, on one scale. */
    MEANS,
    /** A value with its interval for each run. */
    HISTORY,
    /** Measured points, the fitted curve with its band, and its extrapolation, in this order. */
    FIT,
    /**
     * Latency over time: the first series has cells of [from s, to s, from µs, to µs, % of the
     * interval, calls]; each further one is the lane of marks.
     */
    HEAT
  }

  /**
   * An axis.
   *
   * @param title with the unit; may be empty
   */
  public record Axis(String title, boolean log) {
    /** An axis without a title. */
    public static final Axis PLAIN = linear("");

    /** A linear axis. */
    public static Axis linear(String title) {
      return new Axis(title, false);
    }
  }

  /**
   * Points that belong together.
   *
   * @param panel title of the small chart that holds them; empty where there is only one chart
   */
  public record Series(String name, String panel, List<List<Object>> points) {
    /** The only panel's series. */
    public Series(String name, List<List<Object>> points) {
      this(name, "", points);
    }
  }

  /**
   * A place on the x axis.
   *
   * @param panel panel or lane it is drawn in; empty where there is only one
   * @param to equal to {@code from} for an instant or limit
   */
  public record Mark(String panel, double from, double to, String text) {}

  /** Copies the lists. */
  public Chart {
    series = List.copyOf(series);
    marks = List.copyOf(marks);
  }

  /** A chart without marks. */
  public Chart(Kind kind, Axis x, Axis y, List<Series> series) {
    this(kind, x, y, series, List.of());
  }

  /** A point with a label. */
  public static List<Object> point(String label, Estimate value, String note) {
    return estimated(label, value, note);
  }

  /** A point at a figure of the x axis. */
  public static List<Object> point(double x, Estimate value, String note) {
    return estimated(round(x), value, note);
  }

  private static List<Object> estimated(Object x, Estimate y, String note) {
    Object value = round(y.value());
    if (y.hasInterval()) {
      return List.of(x, value, note, round(y.low()), round(y.high()));
    }
    return note.isEmpty() ? List.of(x, value) : List.of(x, value, note);
  }

  /** A point of figures alone. */
  public static List<Object> figures(double... figures) {
    return Arrays.stream(figures).<Object>mapToObj(Chart::round).toList();
  }

  /** Six digits: more cannot be seen and would only fill the file. */
  public static BigDecimal round(double figure) {
    return new BigDecimal(figure).round(DIGITS).stripTrailingZeros();
  }
}
