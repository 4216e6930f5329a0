package io.pyrometer.experiment.model;

import io.pyrometer.protocol.Amount;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on a metric that every treatment of a run must keep, such as {@code p99(get) < 5ms}.
 *
 * @param text as the file words it
 * @param metric its name among a trial's metrics, such as {@code latency.get.p99}
 * @param below whether values must be below the limit, and otherwise above it
 * @param limit in the unit of the metric; that of latencies is the microsecond
 */
public record Threshold(String text, String metric, boolean below, double limit) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(p50|p90|p99|p99[.]9|mean|max)\\(([^()]+)\\)|([a-z][\\w.-]*))"
              + "\\s*([<>])\\s*(.+)");
  private static final Map<String, Double> MICROS = Map.of("us", 1.0, "ms", 1e3, "s", 1e6);

  /** Empty if the text is no threshold. */
  public static Optional<Threshold> parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return Optional.empty();
    }
    boolean latency = form.group(1) != null;
    String metric =
        latency ? "latency.%s.%s".formatted(form.group(2).strip(), form.group(1)) : form.group(3);
    return Amount.parse(form.group(5), latency ? MICROS : Amount.COUNTS)
        .map(
            limit ->
                new Threshold(
                    text.strip(), metric, form.group(4).equals("<"), limit.doubleValue()));
  }

  /** Checks whether a value is on the right side of the limit. */
  public boolean keptBy(double value) {
    return below ? value < limit : value > limit;
  }
}
