package io.pyrometer.experiment;

import io.pyrometer.protocol.SettingDescription;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The value of a setting as people write it, and as it is kept. */
final class SettingText {

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?\\d[\\d_]*(\\.\\d+)?([eE][-+]?\\d+)?");
  private static final Pattern AMOUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-z%]*)");
  private static final Map<String, Double> BYTES =
      Map.of(
          "",
          1.0,
          "b",
          1.0,
          "k",
          1024.0,
          "kb",
          1024.0,
          "m",
          1048576.0,
          "mb",
          1048576.0,
          "g",
          1073741824.0,
          "gb",
          1073741824.0);
  private static final Map<String, Double> SECONDS =
      Map.of("", 1.0, "us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "min", 60.0, "h", 3600.0);
  private static final Map<String, Double> SHARES = Map.of("", 1.0, "%", 0.01);
  private static final Map<String, Double> RATES =
      Map.of("", 1.0, "bit", 1.0, "kbit", 1e3, "mbit", 1e6, "gbit", 1e9);
  private static final Map<String, Boolean> FLAGS =
      Map.of("true", true, "on", true, "yes", true, "false", false, "off", false, "no", false);

  private SettingText() {}

  /** The value in canonical units; empty if the text is none of the setting's values. */
  static Optional<Object> parse(SettingDescription setting, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return switch (setting.type()) {
      case INTEGER -> number(text).filter(SettingText::whole).flatMap(v -> within(setting, v));
      case DECIMAL -> number(text).flatMap(value -> within(setting, value));
      case BYTES -> amount(lower, BYTES).flatMap(value -> within(setting, value));
      case SECONDS -> amount(lower, SECONDS).flatMap(value -> within(setting, value));
      case SHARE -> amount(lower, SHARES).flatMap(value -> within(setting, value));
      case RATE -> amount(lower, RATES).flatMap(value -> within(setting, value));
      case FLAG -> Optional.ofNullable(FLAGS.get(lower));
      case CHOICE ->
          setting.choices().stream()
              .filter(text::equalsIgnoreCase)
              .map(Object.class::cast)
              .findFirst();
      case TEXT -> text.isBlank() ? Optional.empty() : Optional.of(text);
    };
  }

  /** Whole types as Long, other numbers as Double, so that equal settings are equal. */
  static Object canonical(SettingDescription setting, Object value) {
    if (!(value instanceof Number number)) {
      return value;
    }
    return switch (setting.type()) {
      case INTEGER, BYTES -> number.longValue();
      default -> number.doubleValue();
    };
  }

  /** Whether a canonical value lies in the setting's range. */
  static boolean inRange(SettingDescription setting, Object value) {
    if (value instanceof Number number) {
      double decimal = number.doubleValue();
      return setting.least().map(least -> decimal >= least).orElse(true)
          && setting.most().map(most -> decimal <= most).orElse(true);
    }
    return setting.choices().isEmpty() || setting.choices().contains(value.toString());
  }

  private static Optional<Object> within(SettingDescription setting, BigDecimal value) {
    Object canonical = canonical(setting, value);
    return inRange(setting, value) ? Optional.of(canonical) : Optional.empty();
  }

  private static boolean whole(BigDecimal value) {
    return value.stripTrailingZeros().scale() <= 0;
  }

  private static Optional<BigDecimal> number(String text) {
    return NUMBER.matcher(text).matches() && text.length() < 40
        ? Optional.of(new BigDecimal(text.replace("_", "")))
        : Optional.empty();
  }

  private static Optional<BigDecimal> amount(String text, Map<String, Double> units) {
    Matcher matcher = AMOUNT.matcher(text.replace("_", ""));
    if (!matcher.matches() || text.length() > 40) {
      return Optional.empty();
    }
    return Optional.ofNullable(units.get(matcher.group(2)))
        .map(unit -> new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)));
  }
}
