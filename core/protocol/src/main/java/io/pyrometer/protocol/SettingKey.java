package io.pyrometer.protocol;

import static io.pyrometer.protocol.SettingDescription.Type.BYTES;
import static io.pyrometer.protocol.SettingDescription.Type.CHOICE;
import static io.pyrometer.protocol.SettingDescription.Type.DISTRIBUTION;
import static io.pyrometer.protocol.SettingDescription.Type.FLAG;
import static io.pyrometer.protocol.SettingDescription.Type.INTEGER;
import static io.pyrometer.protocol.SettingDescription.Type.NAMES;
import static io.pyrometer.protocol.SettingDescription.Type.SECONDS;
import static io.pyrometer.protocol.SettingDescription.Type.SHARE;
import static io.pyrometer.protocol.SettingDescription.Type.SHARES;
import static io.pyrometer.protocol.SettingDescription.Type.STAGES;
import static io.pyrometer.protocol.SettingDescription.Type.STEPS;
import static io.pyrometer.protocol.SettingDescription.Type.TEXT;

import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Traits;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A setting with the Java type of its value, read by {@link Settings#get(SettingKey)}. The
 * declaration, its default included, exists once: in the key's description.
 *
 * <pre>{@code
 * static final SettingKey<Integer> NODES =
 *     SettingKey.integer("nodes", Scope.PROCESS, 3, 1, 64);
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

  /** Sentences of the reference about settings, by name, from the files of all modules. */
  private static final Properties MEANINGS =
      Messages.read("META-INF/pyrometer/settings.properties", List.of());

  private static <T> SettingKey<T> of(
      String name,
      SettingDescription.Type type,
      Scope scope,
      @Nullable Object initial,
      BiFunction<Settings, String, T> reading,
      String... choices) {
    Optional<Double> none = Optional.empty();
    Optional<Object> value = Optional.ofNullable(initial);
    String meaning = MEANINGS.getProperty(name, "");
    return new SettingKey<>(
        new SettingDescription(
            name, type, scope, value, List.of(choices), none, none, meaning, Traits.NONE),
        reading);
  }

  private SettingKey<T> within(double least, double most) {
    return changed(setting -> setting.least = Optional.of(least))
        .changed(setting -> setting.most = Optional.of(most));
  }

  /** A whole number with its default and its bounds. */
  public static SettingKey<Integer> integer(
      String name, Scope scope, long initial, long least, long most) {
    return of(name, INTEGER, scope, initial, Settings::integer)
        .within((double) least, (double) most);
  }

  /** A whole number that may not fit an int. */
  public static SettingKey<Long> number(
      String name, Scope scope, long initial, long least, long most) {
    return of(name, INTEGER, scope, initial, Settings::number)
        .within((double) least, (double) most);
  }

  public static SettingKey<Long> bytes(
      String name, Scope scope, long initial, double least, double most) {
    return of(name, BYTES, scope, initial, Settings::number).within(least, most);
  }

  /** A number of a type with fractions; {@code initial} is in canonical units. */
  public static SettingKey<Double> decimal(
      String name,
      SettingDescription.Type type,
      Scope scope,
      double initial,
      double least,
      double most) {
    return of(name, type, scope, initial, Settings::decimal).within(least, most);
  }

  public static SettingKey<Double> seconds(
      String name, Scope scope, double initial, double least, double most) {
    return decimal(name, SECONDS, scope, initial, least, most);
  }

  /** A share of 0 to 1. */
  public static SettingKey<Double> share(
      String name, Scope scope, double initial, double least, double most) {
    return decimal(name, SHARE, scope, initial, least, most);
  }

  public static SettingKey<Boolean> flag(String name, Scope scope, boolean initial) {
    return of(name, FLAG, scope, initial, Settings::flag);
  }

  /** One of these; the first is the default. */
  public static SettingKey<String> choice(String name, Scope scope, String... choices) {
    return of(name, CHOICE, scope, choices[0], Settings::text, choices);
  }

  /** Some of these names; none of them by default. */
  public static SettingKey<List<String>> names(String name, Scope scope, List<String> choices) {
    BiFunction<Settings, String, List<String>> reading =
        (all, of) ->
            all.text(of).equals(NO_NAMES) ? List.of() : List.of(all.text(of).split(",", -1));
    return of(name, NAMES, scope, NO_NAMES, reading, choices.toArray(String[]::new));
  }

  /** A text that is absent unless given. */
  public static SettingKey<String> text(String name, Scope scope) {
    return of(name, TEXT, scope, null, Settings::text);
  }

  /**
   * A random time, see {@link RandomTime}, as text.
   *
   * @param initial as a file says it
   */
  public static SettingKey<String> distribution(String name, Scope scope, String initial) {
    return of(name, DISTRIBUTION, scope, initial, Settings::text);
  }

  /** Steps, see {@link PlannedStep}, as text; none unless given. */
  public static SettingKey<String> steps(String name, Scope scope) {
    return of(name, STEPS, scope, null, Settings::text);
  }

  /** Stages of a rate; absent unless given. */
  public static SettingKey<Stages> stages(String name, Scope scope) {
    return of(name, STAGES, scope, null, (all, of) -> Stages.parse(all.text(of)).orElseThrow());
  }

  /** Shares of these names; absent unless given. */
  public static SettingKey<Shares> shares(String name, Scope scope, String... choices) {
    return of(
        name, SHARES, scope, null, (all, of) -> Shares.parse(all.text(of)).orElseThrow(), choices);
  }

  /** This setting with the sentence that help and reference show, in place of its file's. */
  public SettingKey<T> meaning(String summary) {
    return changed(setting -> setting.summary = summary);
  }

  /** A setting of this type with another declaration, such as one from a file. */
  public SettingKey<T> as(SettingDescription declared) {
    return new SettingKey<>(declared, reading);
  }

  /** This setting with another default, in canonical units. */
  public SettingKey<T> withDefault(Object value) {
    return changed(setting -> setting.initial = Optional.of(value));
  }

  /** This setting, absent unless given. */
  public SettingKey<T> withoutDefault() {
    return changed(setting -> setting.initial = Optional.empty());
  }

  /** This setting, heeded by paths of these jobs only. */
  public SettingKey<T> forJobs(Job... jobs) {
    return changed(setting -> setting.jobs = List.of(jobs));
  }

  /** This setting, without meaning unless Pyrometer starts the servers. */
  public SettingKey<T> ofServers() {
    return changed(setting -> setting.ofServers = true);
  }

  /** This setting, without effect unless it is smaller than another. */
  public SettingKey<T> below(String other) {
    return changed(setting -> setting.below = Optional.of(other));
  }

  /** This setting, with a limit in the common warm-up. */
  public SettingKey<T> warmUpAtMost(double limit) {
    return changed(setting -> setting.warmUpAtMost = Optional.of(limit));
  }

  /**
   * This setting, without effect unless another one has one of these values, or a number above 0 if
   * none is given.
   */
  public SettingKey<T> needs(String other, String... values) {
    return changed(setting -> setting.needs = Optional.of(new Needs(other, List.of(values))));
  }

  /** This setting as a condition, which no recommendation names. */
  public SettingKey<T> asCondition() {
    return changed(setting -> setting.condition = true);
  }

  private SettingKey<T> changed(Consumer<SettingDescription.Change> change) {
    return as(description.changed(change));
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
