package io.pyrometer.experiment;

import io.pyrometer.protocol.SettingDescription;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** What values a setting takes, in words. */
final class Expected {

  private static final double UNBOUNDED = 0x1p62;
  private static final String[] UNITS = {"", "k", "m", "g"};

  private Expected() {}

  /** The sentence for a text that is none of the setting's values. */
  static String sentence(SettingDescription setting, String given) {
    String values = values(setting);
    String hint =
        setting.choices().isEmpty()
            ? "correct it."
            : Nearest.to(given, setting.choices())
                .map(right -> "did you mean '" + right + "'?")
                .orElse("choose one of them.");
    return "'" + setting.name() + "' takes " + values + ", not '" + given + "'; " + hint;
  }

  /** Such as {@code a whole number from 0 to 4}. */
  static String values(SettingDescription setting) {
    return switch (setting.type()) {
      case INTEGER -> "a whole number" + range(setting);
      case DECIMAL -> "a number" + range(setting);
      case BYTES -> "bytes such as 64k or 512m" + range(setting);
      case SECONDS -> "a time such as 500ms or 3s" + range(setting);
      case SHARE -> "a share such as 0.3 or 30%" + range(setting);
      case RATE -> "bits a second such as 100mbit or 1gbit" + range(setting);
      case FLAG -> "true or false";
      case CHOICE -> "one of " + String.join(", ", setting.choices());
      case TEXT -> "a text";
    };
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
      case SECONDS -> plain(value) + "s";
      default -> plain(value);
    };
  }

  private static String bytes(double value) {
    double left = value;
    int unit = 0;
    while (left >= 1024 && left % 1024 == 0 && unit < UNITS.length - 1) {
      left /= 1024;
      unit++;
    }
    return plain(left) + UNITS[unit];
  }

  static String plain(double value) {
    return BigDecimal.valueOf(value)
        .setScale(6, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }
}
