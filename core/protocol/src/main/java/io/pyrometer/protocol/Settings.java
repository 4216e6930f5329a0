package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Values by the names of settings, in canonical units: bytes as a long, time in seconds, shares in
 * 0…1, everything else as the number, text or flag it is. Immutable; names are sorted so that equal
 * settings print equally.
 */
public record Settings(@JsonValue Map<String, Object> values) {

  public static final Settings NONE = new Settings(Map.of());

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Settings {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public boolean has(SettingKey<?> key) {
    return has(key.name());
  }

  /**
   * The setting's value, or its default where it is absent.
   *
   * @throws IllegalArgumentException if it is absent and has no default, or is of another type
   */
  public <T> T get(SettingKey<T> key) {
    return key.read(has(key) ? this : defaultOf(key));
  }

  /** The setting's value, or its default where it is absent; empty if it has none. */
  public <T> Optional<T> find(SettingKey<T> key) {
    return has(key) || key.description().initial().isPresent()
        ? Optional.of(get(key))
        : Optional.empty();
  }

  private static Settings defaultOf(SettingKey<?> key) {
    return key.description().initial().map(value -> NONE.with(key.name(), value)).orElse(NONE);
  }

  /**
   * @throws IllegalArgumentException if the setting is absent
   */
  public String text(String name) {
    return value(name).toString();
  }

  /**
   * @throws IllegalArgumentException if the setting is absent or no whole number
   */
  public long number(String name) {
    double decimal = decimal(name);
    if (decimal != Math.rint(decimal)) {
      throw new IllegalArgumentException(
          "Setting '" + name + "' is " + decimal + ", not a whole number.");
    }
    return (long) decimal;
  }

  /**
   * @throws IllegalArgumentException if the setting is absent or no whole number that fits an int
   */
  public int integer(String name) {
    return Math.toIntExact(number(name));
  }

  /**
   * @throws IllegalArgumentException if the setting is absent or no number
   */
  public double decimal(String name) {
    if (value(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(
        "Setting '" + name + "' is '" + value(name) + "', not a number.");
  }

  /**
   * @throws IllegalArgumentException if the setting is absent
   */
  public boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /**
   * @throws IllegalArgumentException if the setting is absent
   */
  public List<String> names(String name) {
    return text(name).equals(SettingKey.NO_NAMES) ? List.of() : List.of(text(name).split(",", -1));
  }

  Shares shares(String name) {
    return Shares.parse(text(name)).orElseThrow();
  }

  Stages stages(String name) {
    return Stages.parse(text(name)).orElseThrow();
  }

  /** These settings with those of {@code over} laid on top. */
  public Settings with(Settings over) {
    TreeMap<String, Object> merged = new TreeMap<>(values);
    merged.putAll(over.values);
    return new Settings(merged);
  }

  public Settings with(String name, Object value) {
    return with(new Settings(Map.of(name, value)));
  }

  /** These settings with a value, in canonical units, under the key. */
  public <T> Settings with(SettingKey<T> key, T value) {
    return with(key.name(), value);
  }

  /** These settings with the defaults of some keys. */
  public Settings without(SettingKey<?>... keys) {
    TreeMap<String, Object> kept = new TreeMap<>(values);
    for (SettingKey<?> key : keys) {
      kept.remove(key.name());
    }
    return new Settings(kept);
  }

  /** The options of the product's processes, by the product's own names. */
  public Map<String, String> properties() {
    Map<String, String> all = texts(SettingDescription.PROPERTY);
    all.keySet().removeIf(name -> name.startsWith(SettingDescription.OF_CACHE));
    return all;
  }

  /** The options of the trial's cache, by the product's own names. */
  public Map<String, String> cacheProperties() {
    return texts(SettingDescription.PROPERTY + SettingDescription.OF_CACHE);
  }

  private Map<String, String> texts(String prefix) {
    Map<String, String> texts = new TreeMap<>();
    behind(prefix).forEach((name, value) -> texts.put(name, value.toString()));
    return texts;
  }

  /** The values of the settings with a prefix, by what follows it in their names. */
  Map<String, Object> behind(String prefix) {
    Map<String, Object> found = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }

  private Object value(String name) {
    Object value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("Setting '" + name + "' is not set.");
    }
    return value;
  }
}
