package io.pyrometer.protocol;

import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Traits;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  private static <T> SettingKey<T> of(
      String name,
      SettingDescription.Type type,
      Scope scope,
      @Nullable Object initial,
      BiFunction<Settings, String, T> reading,
      String... choices) {
    Optional<Double> none = Optional.empty();
    Optional<Object> value = Optional.ofNullable(initial);
    return new SettingKey<>(
        new SettingDescription(
            name, type, scope, value, List.of(choices), none, none, "", Traits.NONE),
        reading);
  }

  /** A whole number with its default and its bounds. */
  public static SettingKey<Integer> integer(
      String name, Scope scope, long initial, long least, long most) {
    return new SettingKey<>(
        new SettingDescription(
            name,
            SettingDescription.Type.INTEGER,
            scope,
            Optional.of(initial),
            List.of(),
            Optional.of((double) least),
            Optional.of((double) most),
            "",
            Traits.NONE),
        Settings::integer);
  }

  public static SettingKey<Boolean> flag(String name, Scope scope, boolean initial) {
    return of(name, SettingDescription.Type.FLAG, scope, initial, Settings::flag);
  }

  /** One of these; the first is the default. */
  public static SettingKey<String> choice(String name, Scope scope, String... choices) {
    return of(name, SettingDescription.Type.CHOICE, scope, choices[0], Settings::text, choices);
  }

  /** Some of these names; none of them by default. */
  public static SettingKey<List<String>> names(String name, Scope scope, List<String> choices) {
    return of(
        name,
        SettingDescription.Type.NAMES,
        scope,
        NO_NAMES,
        Settings::names,
        choices.toArray(String[]::new));
  }

  /** A text that is absent unless given. */
  public static SettingKey<String> text(String name, Scope scope) {
    return of(name, SettingDescription.Type.TEXT, scope, null, Settings::text);
  }

  /** Shares of these names; absent unless given. */
  public static SettingKey<Shares> shares(String name, Scope scope, String... choices) {
    return of(name, SettingDescription.Type.SHARES, scope, null, Settings::shares, choices);
  }

  /** This setting with the sentence that help and reference show. */
  public SettingKey<T> meaning(String summary) {
    return new SettingKey<>(description.with(description.initial(), summary), reading);
  }

  /** This setting with another default, in canonical units. */
  public SettingKey<T> withDefault(Object value) {
    return new SettingKey<>(description.with(Optional.of(value), description.summary()), reading);
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
