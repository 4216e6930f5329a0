package io.pyrometer.protocol;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts with units, as people write them: {@code 64k}, {@code 500ms}, {@code 30%}. */
public final class Amount {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-z%]*)");
  private static final Pattern PARTS =
      Pattern.compile("(?:(\\d{1,9})h)?\\s*(?:(\\d{1,9})m(?:in)?)?\\s*(?:(\\d{1,9})s)?");
  private static final int LONGEST = 40;

  /** Bytes, in powers of 1024. */
  public static final Map<String, Long> BYTES =
      Map.of(
          "", 1L, "b", 1L, "k", 1L << 10, "kb", 1L << 10, "m", 1L << 20, "mb", 1L << 20, "g",
          1L << 30, "gb", 1L << 30, "tb", 1L << 40);

  public static final Map<String, Double> SECONDS =
      Map.of("", 1.0, "us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "min", 60.0, "h", 3600.0);

  public static final Map<String, Double> COUNTS = Map.of("", 1.0, "k", 1e3, "m", 1e6, "g", 1e9);

  public static final Map<String, Double> SHARES = Map.of("", 1.0, "%", 0.01);

  /** Bits per second. */
  public static final Map<String, Double> RATES =
      Map.of("", 1.0, "bit", 1.0, "kbit", 1e3, "mbit", 1e6, "gbit", 1e9);

  private Amount() {}

  /** A number with at most six decimals, as people write it. */
  public static String plain(double value) {
    return BigDecimal.valueOf(value)
        .setScale(6, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Seconds, with one unit or with several, as {@code 1h30m} and {@code 5m30s}. */
  public static Optional<BigDecimal> seconds(String text) {
    Optional<BigDecimal> one = parse(text, SECONDS);
    Matcher parts = PARTS.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (one.isPresent() || text.isBlank() || !parts.matches()) {
      return one;
    }
    return Optional.of(part(parts, 1, 3600).add(part(parts, 2, 60)).add(part(parts, 3, 1)));
  }

  private static BigDecimal part(Matcher parts, int group, long unit) {
    return parts.group(group) == null
        ? BigDecimal.ZERO
        : new BigDecimal(parts.group(group)).multiply(BigDecimal.valueOf(unit));
  }

  /** The amount in the canonical unit; empty if the text is no amount in one of the units. */
  public static Optional<BigDecimal> parse(String text, Map<String, ? extends Number> units) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT).replace("_", ""));
    return form.matches() && text.length() <= LONGEST
        ? Optional.ofNullable(units.get(form.group(2)))
            .map(unit -> new BigDecimal(form.group(1)).multiply(new BigDecimal(unit.toString())))
        : Optional.empty();
  }
}
