package io.pyrometer.protocol;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    for (Shape shape : Shape.values()) {
      if (shape.name().toLowerCase(Locale.ROOT).equals(matcher.group(1))) {
        String[] amounts = matcher.group(2).strip().split("\\s+", -1);
        return amounts.length == shape.parameters ? parse(shape, amounts) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static Optional<RandomTime> parse(Shape shape, String[] amounts) {
    Optional<Double> first = seconds(amounts[0]);
    Optional<Double> second = amounts.length == 2 ? seconds(amounts[1]) : Optional.of(0.0);
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    boolean inOrder = shape != Shape.UNIFORM || first.get() <= second.get();
    return inOrder
        ? Optional.of(new RandomTime(shape, first.get(), second.get()))
        : Optional.empty();
  }

  private static Optional<Double> seconds(String amount) {
    return Amount.parse(amount, Amount.SECONDS).map(BigDecimal::doubleValue);
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
