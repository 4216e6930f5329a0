package io.pyrometer.experiment.model;

import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.PlannedStep;
import io.pyrometer.protocol.RandomTime;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Shares;
import io.pyrometer.protocol.Stages;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The value of a setting as people write it, and as it is kept. */
public final class SettingText {

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?\\d[\\d_]*(\\.\\d+)?([eE][-+]?\\d+)?");
  private static final double UNBOUNDED = 0x1p62;
  private static final String[] UNITS = {"", "k", "m", "g"};
  private static final Map<String, Boolean> FLAGS =
      Map.of("true", true, "on", true, "yes", true, "false", false, "off", false, "no", false);

  private SettingText() {}

  /** The value in canonical units; empty if the text is none of the setting's values. */
  public static Optional<Object> parse(SettingDescription setting, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return switch (setting.type()) {
      case INTEGER -> number(text).filter(SettingText::whole).flatMap(v -> within(setting, v));
      case DECIMAL -> number(text).flatMap(value -> within(setting, value));
      case BYTES -> Amount.parse(lower, Amount.BYTES).flatMap(v -> within(setting, v));
      case SECONDS -> Amount.seconds(lower).flatMap(v -> within(setting, v));
      case SHARE -> Amount.parse(lower, Amount.SHARES).flatMap(v -> within(setting, v));
      case RATE -> Amount.parse(lower, Amount.RATES).flatMap(v -> within(setting, v));
      case FLAG -> Optional.ofNullable(FLAGS.get(lower));
      case CHOICE ->
          setting.choices().stream()
              .filter(text::equalsIgnoreCase)
              .map(Object.class::cast)
              .findFirst();
      case DISTRIBUTION -> RandomTime.parse(text).map(unused -> lower.strip());
      case NAMES -> names(setting, lower);
      case SHARES -> Shares.parse(lower).filter(s -> known(setting, s)).map(Shares::text);
      case STAGES -> Stages.parse(lower).map(Stages::text);
      case STEPS -> PlannedStep.parse(text).map(PlannedStep::text);
      case TEXT -> text.isBlank() ? Optional.empty() : Optional.of(text);
    };
  }

  /** Checks whether a text switches a flag on. */
  public static boolean isOn(String flag) {
    return FLAGS.getOrDefault(flag.toLowerCase(Locale.ROOT), false);
  }

  /** Whole types as Long, other numbers as Double, so that equal settings are equal. */
  public static Object canonical(SettingDescription setting, Object value) {
    if (!(value instanceof Number number)) {
      return value;
    }
    return switch (setting.type()) {
      case INTEGER, BYTES -> number.longValue();
      default -> number.doubleValue();
    };
  }

  /** Checks whether a canonical value is one of the setting's: of its type and in its range. */
  public static boolean takes(SettingDescription setting, Object value) {
    return switch (setting.type()) {
      case INTEGER, DECIMAL, BYTES, SECONDS, SHARE, RATE ->
          value instanceof Number number && inRange(setting, number.doubleValue());
      case CHOICE -> setting.choices().contains(value.toString());
      default -> parse(setting, value.toString()).isPresent();
    };
  }

  private static boolean inRange(SettingDescription setting, double value) {
    return setting.least().map(least -> value >= least).orElse(true)
        && setting.most().map(most -> value <= most).orElse(true);
  }

  private static boolean known(SettingDescription setting, Shares shares) {
    return setting.choices().containsAll(shares.byName().keySet());
  }

  /** Names with commas between them, in the order of the setting's choices. */
  private static Optional<Object> names(SettingDescription setting, String text) {
    if (text.isBlank() || text.equals(SettingKey.NO_NAMES)) {
      return Optional.of(SettingKey.NO_NAMES);
    }
    List<String> given = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    boolean known = setting.choices().containsAll(given);
    return known
        ? Optional.of(
            setting.choices().stream().filter(given::contains).collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static Optional<Object> within(SettingDescription setting, BigDecimal value) {
    Object canonical = canonical(setting, value);
    return inRange(setting, value.doubleValue()) ? Optional.of(canonical) : Optional.empty();
  }

  private static boolean whole(BigDecimal value) {
    return value.stripTrailingZeros().scale() <= 0;
  }

  private static Optional<BigDecimal> number(String text) {
    return NUMBER.matcher(text).matches() && text.length() < 40
        ? Optional.of(new BigDecimal(text.replace("_", "")))
        : Optional.empty();
  }

  /** The sentence for a text that is none of the setting's values. */
  public static String sentence(SettingDescription setting, String given) {
    String values = values(setting);
    String hint =
        setting.choices().isEmpty() || setting.choices().contains(unknown(setting, given))
            ? "correct it."
            : SpellingSuggestion.to(unknown(setting, given), setting.choices())
                .map(right -> "did you mean '" + right + "'?")
                .orElse("choose one of them.");
    return "'" + setting.name() + "' takes " + values + ", not '" + given + "'; " + hint;
  }

  /** The first of several names that is not among the choices. */
  private static String unknown(SettingDescription setting, String given) {
    boolean shares = setting.type() == SettingDescription.Type.SHARES;
    return Arrays.stream(given.split(",", -1))
        .map(part -> shares ? part.strip().split("[\\s:]", 2)[0] : part.strip())
        .filter(name -> !setting.choices().contains(name))
        .findFirst()
        .orElse(shares ? setting.choices().get(0) : given);
  }

  /** Such as {@code a whole number from 0 to 4}. */
  public static String values(SettingDescription setting) {
    return switch (setting.type()) {
      case INTEGER -> "a whole number" + range(setting);
      case DECIMAL -> "a number" + range(setting);
      case BYTES -> "bytes such as 64k or 512m" + range(setting);
      case SECONDS -> "a time such as 500ms or 3s" + range(setting);
      case SHARE -> "a share such as 0.3 or 30%" + range(setting);
      case RATE -> "bits a second such as 100mbit or 1gbit" + range(setting);
      case FLAG -> "true or false";
      case CHOICE -> "one of " + String.join(", ", setting.choices());
      case DISTRIBUTION -> RandomTime.FORMS;
      case SHARES ->
          "shares that add up to 100%%, such as {%s: 70%%, %s: 30%%}, of "
                  .formatted(
                      setting.choices().get(0), setting.choices().get(setting.choices().size() - 1))
              + String.join(", ", setting.choices());
      case STAGES -> Stages.FORMS;
      case STEPS -> PlannedStep.FORMS;
      case NAMES ->
          "names of " + String.join(", ", setting.choices()) + ", or " + SettingKey.NO_NAMES;
      case TEXT -> "a text";
    };
  }

  /** The default as a file would say it; {@code -} where there is none. */
  public static String initial(SettingDescription setting) {
    return setting
        .initial()
        .map(value -> value instanceof Boolean ? value.toString() : written(setting, value))
        .orElse("-");
  }

  /** A canonical value as a file would say it. */
  public static String written(SettingDescription setting, Object value) {
    return value instanceof Number number
        ? written(setting, number.doubleValue())
        : value instanceof Boolean flag ? (flag ? "on" : "off") : value.toString();
  }

  private static String range(SettingDescription setting) {
    String least = setting.least().map(value -> " from " + written(setting, value)).orElse("");
    String most =
        setting
            .most()
            .filter(value -> value < UNBOUNDED)
            .map(value -> " to " + written(setting, value))
            .orElse("");
    return least + most;
  }

  private static String written(SettingDescription setting, double value) {
    return switch (setting.type()) {
      case BYTES -> bytes(value);
      case SECONDS -> Amount.plain(value) + "s";
      default -> Amount.plain(value);
    };
  }

  private static String bytes(double value) {
    double left = value;
    int unit = 0;
    while (left >= 1024 && left % 1024 == 0 && unit < UNITS.length - 1) {
      left /= 1024;
      unit++;
    }
    return Amount.plain(left) + UNITS[unit];
  }
}
