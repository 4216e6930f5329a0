package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A setting with the Java type of its value, read by {@link Settings#get(SettingKey)}. The
 * declaration, its default included, exists once: in the key's description, which {@link
 * DeclaredSettings} read from a file.
 *
 * <pre>{@code
 * static final SettingKey<Integer> NODES = DECLARED.key("nodes", Settings::integer);
 * int nodes = settings.get(NODES);
 * }</pre>
 *
 * @param <T> type of the value in canonical units
 * @param reading the value of a setting of this name
 */
public record SettingKey<T>(
    SettingDescription description, BiFunction<Settings, String, T> reading) {

  /** The text of a setting of names that has none. */
  public static final String NO_NAMES = "none";

  /** This setting with another default, in canonical units. */
  public SettingKey<T> withDefault(Object value) {
    return new SettingKey<>(description.with(Optional.of(value), description.choices()), reading);
  }

  /** This setting with other choices. */
  public SettingKey<T> withChoices(List<String> choices) {
    return new SettingKey<>(description.with(description.initial(), choices), reading);
  }

  public String name() {
    return description.name();
  }

  /** The descriptions of these settings, in their order. */
  public static List<SettingDescription> descriptions(SettingKey<?>... keys) {
    return Stream.of(keys).<SettingDescription>map(SettingKey::description).toList();
  }

  T read(Settings settings) {
    return reading.apply(settings, name());
  }

  @Override
  public String toString() {
    return name();
  }
}
