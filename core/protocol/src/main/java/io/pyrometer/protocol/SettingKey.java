package io.pyrometer.protocol;

import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A setting with the Java type of its value, read by {@link Settings#get(SettingKey)}. The
 * declaration, its default included, exists once: in the key's description.
 *
 * <pre>{@code
 * static final SettingKey<Integer> NODES =
 *     SettingKey.integer("nodes", Scope.PROCESS, 3, 1, 64).meaning("Server nodes.");
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

  /** Some of these names; none of them by default. */
  public static SettingKey<List<String>> names(String name, Scope scope, List<String> choices) {
    return new SettingKey<>(
        SettingDescription.names(name, scope, choices, ""),
        (settings, setting) -> split(settings.text(setting)));
  }

  /** Stages of a rate; absent unless given. */
  public static SettingKey<Stages> stages(String name, Scope scope) {
    return new SettingKey<>(
        SettingDescription.stages(name, scope, ""),
        (settings, setting) -> Stages.parse(settings.text(setting)).orElseThrow());
  }

  /** Shares of these names; absent unless given. */
  public static SettingKey<Shares> shares(String name, Scope scope, String... choices) {
    return new SettingKey<>(
        SettingDescription.shares(name, scope, List.of(choices), ""),
        (settings, setting) -> Shares.parse(settings.text(setting)).orElseThrow());
  }

  private static List<String> split(String text) {
    return text.equals(NO_NAMES) ? List.of() : Arrays.asList(text.split(",", -1));
  }

  /** A whole number with its default and its bounds. */
  public static SettingKey<Integer> integer(
      String name, Scope scope, long initial, long least, long most) {
    return integer(SettingDescription.integer(name, scope, initial, least, most, ""));
  }

  /** A whole number that may not fit an int. */
  public static SettingKey<Long> number(
      String name, Scope scope, long initial, long least, long most) {
    return number(SettingDescription.integer(name, scope, initial, least, most, ""));
  }

  public static SettingKey<Long> bytes(
      String name, Scope scope, long initial, double least, double most) {
    return number(
        SettingDescription.numeric(
            name, SettingDescription.Type.BYTES, scope, initial, least, most, ""));
  }

  public static SettingKey<Double> decimal(
      String name,
      SettingDescription.Type type,
      Scope scope,
      double initial,
      double least,
      double most) {
    return decimal(SettingDescription.numeric(name, type, scope, initial, least, most, ""));
  }

  public static SettingKey<Boolean> flag(String name, Scope scope, boolean initial) {
    return flag(SettingDescription.flag(name, scope, initial, ""));
  }

  /** One of these; the first is the default. */
  public static SettingKey<String> choice(String name, Scope scope, String... choices) {
    return text(SettingDescription.choice(name, scope, List.of(choices), ""));
  }

  /** A text that is absent unless given. */
  public static SettingKey<String> text(String name, Scope scope) {
    return text(SettingDescription.text(name, scope, ""));
  }

  /** The same setting with the sentence that help and reference show. */
  public SettingKey<T> meaning(String summary) {
    return with(description.meaning(summary));
  }

  /** The same setting with another default, in canonical units. */
  public SettingKey<T> withDefault(Object value) {
    return with(description.withDefault(value));
  }

  /** The same setting, absent unless given. */
  public SettingKey<T> withoutDefault() {
    return with(description.withoutDefault());
  }

  /** See {@link SettingDescription#forJobs}. */
  public SettingKey<T> forJobs(Job... jobs) {
    return with(description.forJobs(jobs));
  }

  /** See {@link SettingDescription#ofServers()}. */
  public SettingKey<T> ofServers() {
    return with(description.ofServers());
  }

  /** See {@link SettingDescription#ofAttached()}. */
  public SettingKey<T> ofAttached() {
    return with(description.ofAttached());
  }

  /** See {@link SettingDescription#below}. */
  public SettingKey<T> below(String other) {
    return with(description.below(other));
  }

  /** See {@link SettingDescription#warmUpAtMost}. */
  public SettingKey<T> warmUpAtMost(double limit) {
    return with(description.warmUpAtMost(limit));
  }

  /** See {@link SettingDescription#needs}. */
  public SettingKey<T> needs(String other, String... values) {
    return with(description.needs(other, values));
  }

  /** See {@link SettingDescription#asCondition}. */
  public SettingKey<T> asCondition() {
    return with(description.asCondition());
  }

  /** See {@link SettingDescription#tunable}. */
  public SettingKey<T> tunable(SettingDescription.Tunable how) {
    return with(description.tunable(how));
  }

  private SettingKey<T> with(SettingDescription changed) {
    return new SettingKey<>(changed, reading);
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
