package io.pyrometer.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A setting with the Java type of its value, read by {@link Settings#get(SettingKey)}. The
 * declaration, its default included, exists once: in the key's description.
 *
 * <pre>{@code
 * static final SettingKey<Integer> NODES =
 *     SettingKey.integer(SettingDescription.integer("nodes", Scope.PROCESS, 3, 1, 64, "Servers."));
 * int nodes = settings.get(NODES);
 * }</pre>
 *
 * @param <T> type of the value in canonical units
 */
public final class SettingKey<T> {

  /** The text of a {@link SettingDescription.Type#NAMES} setting that has none. */
  public static final String NO_NAMES = "none";

  private final SettingDescription description;
  private final BiFunction<Settings, String, T> reading;

  private SettingKey(SettingDescription description, BiFunction<Settings, String, T> reading) {
    this.description = description;
    this.reading = reading;
  }

  public static SettingKey<Integer> integer(SettingDescription description) {
    return new SettingKey<>(description, Settings::integer);
  }

  /** A whole number that may not fit an int, such as bytes. */
  public static SettingKey<Long> number(SettingDescription description) {
    return new SettingKey<>(description, Settings::number);
  }

  public static SettingKey<Double> decimal(SettingDescription description) {
    return new SettingKey<>(description, Settings::decimal);
  }

  public static SettingKey<Boolean> flag(SettingDescription description) {
    return new SettingKey<>(description, Settings::flag);
  }

  /** A text or a choice. */
  public static SettingKey<String> text(SettingDescription description) {
    return new SettingKey<>(description, Settings::text);
  }

  public static SettingKey<List<String>> names(SettingDescription description) {
    return new SettingKey<>(description, (settings, name) -> split(settings.text(name)));
  }

  private static List<String> split(String text) {
    return text.equals(NO_NAMES) ? List.of() : Arrays.asList(text.split(",", -1));
  }

  public String name() {
    return description.name();
  }

  public SettingDescription description() {
    return description;
  }

  T read(Settings settings) {
    return reading.apply(settings, name());
  }

  @Override
  public String toString() {
    return name();
  }
}
