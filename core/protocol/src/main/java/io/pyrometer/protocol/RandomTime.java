package io.pyrometer.protocol;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A random time, as experiment files say it: {@code constant 50ms}, {@code uniform 30ms 70ms}
 * (from, to), {@code normal 50ms 10ms} (mean, standard deviation; never below 0), {@code
 * exponential 50ms} (mean) or {@code lognormal 50ms 0.5} (median, standard deviation of the
 * logarithm).
 *
 * @param first seconds: the value, the lower bound, the mean or the median
 * @param second seconds: the upper bound or the standard deviation; for a log-normal time the
 *     standard deviation of the natural logarithm; else 0
 */
public record RandomTime(Shape shape, double first, double second) {

  /** How the time is distributed. */
  public enum Shape {
    CONSTANT(1),
    UNIFORM(2),
    NORMAL(2),
    EXPONENTIAL(1),
    LOGNORMAL(2);

    private final int parameters;

    Shape(int parameters) {
      this.parameters = parameters;
    }
  }

  /** The form in files, for messages. */
  public static final String FORMS =
      "a random time such as 'constant 50ms', 'uniform 30ms 70ms', 'normal 50ms 10ms',"
          + " 'exponential 50ms' or 'lognormal 50ms 0.5'";

  private static final Pattern TEXT = Pattern.compile("([a-z]+)((?:\\s+[0-9.]+[a-z]*){1,2})");

  /** Reads what a file says; empty if it is no random time. */
  public static Optional<RandomTime> parse(String text) {
    Matcher form = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      return Optional.empty();
    }
    List<String> amounts = List.of(form.group(2).strip().split("\\s+", -1));
    List<Double> seconds =
        amounts.stream()
            .flatMap(amount -> Amount.parse(amount, Amount.SECONDS).stream())
            .map(BigDecimal::doubleValue)
            .toList();
    return Stream.of(Shape.values())
        .filter(shape -> shape.name().toLowerCase(Locale.ROOT).equals(form.group(1)))
        .filter(shape -> amounts.size() == shape.parameters && seconds.size() == amounts.size())
        .map(
            shape ->
                new RandomTime(shape, seconds.get(0), amounts.size() == 2 ? seconds.get(1) : 0))
        .filter(time -> time.shape != Shape.UNIFORM || time.first <= time.second)
        .findFirst();
  }

  /** Draws a time in nanoseconds; never negative. */
  public long drawNanos(RandomGenerator random) {
    double seconds =
        switch (shape) {
          case CONSTANT -> first;
          case UNIFORM -> first + (second - first) * random.nextDouble();
          case NORMAL -> first + second * random.nextGaussian();
          case EXPONENTIAL -> -first * Math.log(1 - random.nextDouble());
          case LOGNORMAL -> first * Math.exp(second * random.nextGaussian());
        };
    return Math.max(0, Math.round(seconds * 1e9));
  }
}
