package io.pyrometer.protocol;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * The file {@code declared.json} beside a class: lists of settings, each in the form of its {@link
 * SettingDescription} without what it does not have.
 *
 * @param lists by name
 */
public record DeclaredSettings(Map<String, List<SettingDescription>> lists) {
  /** The settings of every driver, and those of access paths of several drivers. */
  static final DeclaredSettings CORE = beside(CoreSettings.class);

  /** Reads the file beside a class. */
  public static DeclaredSettings beside(Class<?> owner) {
    try (InputStream file = owner.getResourceAsStream("declared.json")) {
      return new DeclaredSettings(
          Json.LINES.readValue(Objects.requireNonNull(file), new TypeReference<>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of a list, in the order of the documentation. */
  public List<SettingDescription> list(String name) {
    return List.copyOf(lists.getOrDefault(name, List.of()));
  }

  /** The setting of this name, whose values are read so. */
  public <T> SettingKey<T> key(String name, BiFunction<Settings, String, T> reading) {
    return lists.values().stream()
        .flatMap(List::stream)
        .filter(setting -> setting.name().equals(name))
        .map(setting -> new SettingKey<>(setting, reading))
        .findFirst()
        .orElseThrow();
  }

  static <T> SettingKey<T> core(String name, BiFunction<Settings, String, T> reading) {
    return CORE.key(name, reading);
  }
}
