package io.pyrometer.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The offered rate of an open loop over the measured part: constant stages and linear ramps, such
 * as {@code 500 for 30s, to 2000 for 60s}.
 *
 * @param stages at least one
 */
public record Stages(List<Stage> stages) {

  /** The form in files, for messages. */
  public static final String FORMS =
      "stages such as [{rate: 500, for: 30s}, {ramp-to: 2000, for: 60s}], the first with a 'rate'";

  private static final Pattern FORM = Pattern.compile("(to\\s+)?([\\d.]+)\\s+for\\s+(\\S+)");
  private static final double MAX_RATE = 1e9;

  /**
   * One stage.
   *
   * @param from calls per second at its begin
   * @param to calls per second at its end
   * @param seconds its duration
   */
  public record Stage(double from, double to, double seconds) {

    /** Checks whether the rate changes within it. */
    public boolean ramps() {
      return from != to;
    }

    /** Calls that are due within it. */
    public double calls() {
      return (from + to) / 2 * seconds;
    }
  }

  /** Reads {@code rate for time, to rate for time, …}; empty if the text is none. */
  public static Optional<Stages> parse(String text) {
    List<Stage> stages = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher form = FORM.matcher(part.strip());
      if (!form.matches() || (stages.isEmpty() && form.group(1) != null)) {
        return Optional.empty();
      }
      Optional<Double> rate = Amount.parse(form.group(2), Amount.SHARES).map(Number::doubleValue);
      Optional<Double> seconds =
          Amount.parse(form.group(3), Amount.SECONDS).map(Number::doubleValue);
      if (rate.filter(value -> value > 0 && value <= MAX_RATE).isEmpty()
          || seconds.filter(value -> value > 0).isEmpty()) {
        return Optional.empty();
      }
      double from = form.group(1) == null ? rate.get() : stages.get(stages.size() - 1).to;
      stages.add(new Stage(from, rate.get(), seconds.get()));
    }
    return Optional.of(new Stages(stages));
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    return stages.stream()
        .map(
            stage ->
                (stage.ramps() ? "to " : "")
                    + "%s for %ss".formatted(Amount.plain(stage.to), Amount.plain(stage.seconds)))
        .collect(Collectors.joining(", "));
  }

  /** The duration of all stages. */
  public double seconds() {
    return stages.stream().mapToDouble(Stage::seconds).sum();
  }

  /** Calls per second over all stages. */
  public double meanRate() {
    return stages.stream().mapToDouble(Stage::calls).sum() / seconds();
  }

  /** The most calls per second at any time. */
  public double highestRate() {
    return stages.stream().mapToDouble(each -> Math.max(each.from(), each.to())).max().orElse(0);
  }

  /** Calls per second before the first stage ends or ramps. */
  public double firstRate() {
    return stages.get(0).from;
  }

  /**
   * The time at which so many calls were due, in seconds since the begin; after the last stage its
   * rate goes on.
   */
  public double secondsUntil(double calls) {
    double left = calls;
    double time = 0;
    for (Stage stage : stages) {
      if (left < stage.calls()) {
        double growth = (stage.to - stage.from) / stage.seconds;
        return time
            + 2 * left / (stage.from + Math.sqrt(stage.from * stage.from + 2 * growth * left));
      }
      left -= stage.calls();
      time += stage.seconds;
    }
    return time + left / stages.get(stages.size() - 1).to;
  }
}
