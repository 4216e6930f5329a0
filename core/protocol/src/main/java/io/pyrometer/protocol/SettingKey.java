package io.pyrometer.protocol;

import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Traits;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

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
 */
public final class SettingKey<T> {

  /** The text of a {@link Type#NAMES} setting that has none. */
  public static final String NO_NAMES = "none";

  private final SettingDescription description;
  private final BiFunction<Settings, String, T> reading;

  private SettingKey(SettingDescription description, BiFunction<Settings, String, T> reading) {
    this.description = description;
    this.reading = reading;
  }

  private static <T> SettingKey<T> of(
      String name,
      SettingDescription.Type type,
      Scope scope,
      Optional<Object> initial,
      List<String> choices,
      BiFunction<Settings, String, T> reading) {
    Optional<Double> none = Optional.empty();
    return new SettingKey<>(
        new SettingDescription(
            name, type, scope, initial, choices, none, none, SettingMeanings.of(name), Traits.NONE),
        reading);
  }

  private static <T> SettingKey<T> bounded(
      String name,
      SettingDescription.Type type,
      Scope scope,
      Object initial,
      double least,
      double most,
      BiFunction<Settings, String, T> reading) {
    SettingDescription free =
        of(name, type, scope, Optional.of(initial), List.of(), reading).description;
    return new SettingKey<>(free.within(least, most), reading);
  }

  /** A whole number with its default and its bounds. */
  public static SettingKey<Integer> integer(
      String name, Scope scope, long initial, long least, long most) {
    return bounded(
        name,
        SettingDescription.Type.INTEGER,
        scope,
        initial,
        (double) least,
        (double) most,
        Settings::integer);
  }

  /** A whole number that may not fit an int. */
  public static SettingKey<Long> number(
      String name, Scope scope, long initial, long least, long most) {
    return bounded(
        name,
        SettingDescription.Type.INTEGER,
        scope,
        initial,
        (double) least,
        (double) most,
        Settings::number);
  }

  public static SettingKey<Long> bytes(
      String name, Scope scope, long initial, double least, double most) {
    return bounded(
        name, SettingDescription.Type.BYTES, scope, initial, least, most, Settings::number);
  }

  /** A number of a type with fractions; {@code initial} is in canonical units. */
  public static SettingKey<Double> decimal(
      String name,
      SettingDescription.Type type,
      Scope scope,
      double initial,
      double least,
      double most) {
    return bounded(name, type, scope, initial, least, most, Settings::decimal);
  }

  public static SettingKey<Double> seconds(
      String name, Scope scope, double initial, double least, double most) {
    return decimal(name, SettingDescription.Type.SECONDS, scope, initial, least, most);
  }

  /** A share of 0 to 1. */
  public static SettingKey<Double> share(
      String name, Scope scope, double initial, double least, double most) {
    return decimal(name, SettingDescription.Type.SHARE, scope, initial, least, most);
  }

  public static SettingKey<Boolean> flag(String name, Scope scope, boolean initial) {
    return of(
        name, SettingDescription.Type.FLAG, scope, Optional.of(initial), List.of(), Settings::flag);
  }

  /** One of these; the first is the default. */
  public static SettingKey<String> choice(String name, Scope scope, String... choices) {
    Optional<Object> initial = Optional.of(choices[0]);
    return of(
        name, SettingDescription.Type.CHOICE, scope, initial, List.of(choices), Settings::text);
  }

  /** Some of these names; none of them by default. */
  public static SettingKey<List<String>> names(String name, Scope scope, List<String> choices) {
    return of(
        name,
        SettingDescription.Type.NAMES,
        scope,
        Optional.of(NO_NAMES),
        choices,
        (settings, setting) -> split(settings.text(setting)));
  }

  private static List<String> split(String text) {
    return text.equals(NO_NAMES) ? List.of() : Arrays.asList(text.split(",", -1));
  }

  /** A text that is absent unless given. */
  public static SettingKey<String> text(String name, Scope scope) {
    return of(
        name, SettingDescription.Type.TEXT, scope, Optional.empty(), List.of(), Settings::text);
  }

  /**
   * A random time, see {@link RandomTime}, as text.
   *
   * @param initial as a file says it
   */
  public static SettingKey<String> distribution(String name, Scope scope, String initial) {
    return of(
        name,
        SettingDescription.Type.DISTRIBUTION,
        scope,
        Optional.of(initial),
        List.of(),
        Settings::text);
  }

  /** Steps, see {@link PlannedStep}, as text; none unless given. */
  public static SettingKey<String> steps(String name, Scope scope) {
    return of(
        name, SettingDescription.Type.STEPS, scope, Optional.empty(), List.of(), Settings::text);
  }

  /** Stages of a rate; absent unless given. */
  public static SettingKey<Stages> stages(String name, Scope scope) {
    return of(
        name,
        SettingDescription.Type.STAGES,
        scope,
        Optional.empty(),
        List.of(),
        (settings, setting) -> Stages.parse(settings.text(setting)).orElseThrow());
  }

  /** Shares of these names; absent unless given. */
  public static SettingKey<Shares> shares(String name, Scope scope, String... choices) {
    return of(
        name,
        SettingDescription.Type.SHARES,
        scope,
        Optional.empty(),
        List.of(choices),
        (settings, setting) -> Shares.parse(settings.text(setting)).orElseThrow());
  }

  /** This setting with the sentence that help and reference show, in place of its file's. */
  public SettingKey<T> meaning(String summary) {
    return with(description.initial(), summary, description.traits());
  }

  /** A setting of this type with another declaration, such as one from a file. */
  public SettingKey<T> as(SettingDescription declared) {
    return new SettingKey<>(declared, reading);
  }

  /** This setting with another default, in canonical units. */
  public SettingKey<T> withDefault(Object value) {
    return with(Optional.of(value), description.summary(), description.traits());
  }

  /** This setting, absent unless given. */
  public SettingKey<T> withoutDefault() {
    return with(Optional.empty(), description.summary(), description.traits());
  }

  /** This setting, heeded by paths of these jobs only. */
  public SettingKey<T> forJobs(Job... jobs) {
    return with(traits -> traits.jobs = List.of(jobs));
  }

  /** This setting, without meaning unless Pyrometer starts the servers. */
  public SettingKey<T> ofServers() {
    return with(traits -> traits.ofServers = true);
  }

  /** This setting, without effect unless it is smaller than another. */
  public SettingKey<T> below(String other) {
    return with(traits -> traits.below = Optional.of(other));
  }

  /** This setting, with a limit in the common warm-up. */
  public SettingKey<T> warmUpAtMost(double limit) {
    return with(traits -> traits.warmUpAtMost = Optional.of(limit));
  }

  /**
   * This setting, without effect unless another one has one of these values, or a number above 0 if
   * none is given.
   */
  public SettingKey<T> needs(String other, String... values) {
    return with(traits -> traits.needs = Optional.of(new Needs(other, List.of(values))));
  }

  /** This setting as a condition, which no recommendation names. */
  public SettingKey<T> asCondition() {
    return with(traits -> traits.condition = true);
  }

  /** Traits that are being declared. */
  private static final class TraitsDraft {
    private List<Job> jobs;
    private boolean ofServers;
    private boolean ofAttached;
    private Optional<String> below;
    private Optional<Double> warmUpAtMost;
    private Optional<Needs> needs;
    private boolean condition;

    TraitsDraft(Traits of) {
      jobs = of.jobs();
      ofServers = of.ofServers();
      ofAttached = of.ofAttached();
      below = of.below();
      warmUpAtMost = of.warmUpAtMost();
      needs = of.needs();
      condition = of.condition();
    }

    Traits traits() {
      return new Traits(jobs, ofServers, ofAttached, below, warmUpAtMost, needs, condition);
    }
  }

  private SettingKey<T> with(Consumer<TraitsDraft> change) {
    TraitsDraft draft = new TraitsDraft(description.traits());
    change.accept(draft);
    return with(description.initial(), description.summary(), draft.traits());
  }

  private SettingKey<T> with(Optional<Object> initial, String summary, Traits traits) {
    return new SettingKey<>(description.with(initial, summary, traits), reading);
  }

  public String name() {
    return description.name();
  }

  public SettingDescription description() {
    return description;
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
