package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * The one declaration of a setting: its type and unit, the values it takes, its default, and what
 * must be made anew when it changes. Validation, the JSON Schema, the reference page and {@code
 * pyrometer list} are derived from it.
 *
 * @param initial the default in canonical units; empty where the setting must be given or may be
 *     absent
 * @param choices for {@link Type#CHOICE} the values, for {@link Type#NAMES} and {@link Type#SHARES}
 *     the names; else empty
 * @param least smallest value of a numeric setting, inclusive
 * @param most largest value of a numeric setting, inclusive
 * @param traits what else is known of it
 */
public record SettingDescription(
    String name,
    Type type,
    Scope scope,
    Optional<Object> initial,
    List<String> choices,
    Optional<Double> least,
    Optional<Double> most,
    String summary,
    Traits traits) {

  /** A declaration in a file lacks choices and traits where there are none. */
  public SettingDescription {
    choices = choices == null ? List.of() : choices;
    traits = traits == null ? Traits.NONE : traits;
  }

  /** The type of a setting and its canonical unit. */
  public enum Type {
    INTEGER,
    DECIMAL,
    /** Bytes; files may say 64k, 512m, 2g. */
    BYTES,
    /** Seconds; files may say 500ms, 3s, 5m. */
    SECONDS,
    /** 0…1; files may say 30%. */
    SHARE,
    /** Bits a second; files may say 100mbit, 1gbit. */
    RATE,
    FLAG,
    CHOICE,
    /** A random time, such as {@code uniform 30ms 70ms}; kept as text. */
    DISTRIBUTION,
    /** Some of the choices, or {@code none}; kept as text with commas, in the choices' order. */
    NAMES,
    /** Shares of some of the choices that add up to 1, see {@link Shares}; kept as text. */
    SHARES,
    /** Steps in their order, see {@link PlannedStep}; kept as text with commas. */
    STEPS,
    /** Stages of an offered rate, see {@link Stages}; kept as text. */
    STAGES,
    TEXT
  }

  /** The processes or caches that a change of the setting requires. */
  public enum Scope {
    /** Fresh processes. */
    PROCESS,
    /** A fresh cache. */
    CACHE,
    /** Only a different way of loading. */
    LOAD
  }

  /**
   * Properties that only some settings have.
   *
   * @param jobs the jobs whose paths heed the setting; empty for all
   * @param ofServers whether the setting has no meaning unless Pyrometer starts the servers
   * @param ofAttached whether the setting has no meaning unless others started them
   * @param below name of the setting that this one's value must be smaller than to take effect
   * @param warmUpAtMost the largest value that the common warm-up of fresh processes uses, because
   *     more would take longer and warm up nothing else
   * @param needs what another setting must be for this one to take effect
   * @param condition whether it describes the circumstances, such as data, load, links or machines,
   *     rather than something that a user chooses, so that no recommendation names it
   */
  public record Traits(
      List<Job> jobs,
      boolean ofServers,
      boolean ofAttached,
      Optional<String> below,
      Optional<Double> warmUpAtMost,
      Optional<Needs> needs,
      boolean condition) {

    /** A declaration in a file lacks the jobs where they are all. */
    public Traits {
      jobs = jobs == null ? List.of() : jobs;
    }

    public static final Traits NONE =
        new Traits(
            List.of(), false, false, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /**
   * A condition on another setting for a setting to take effect.
   *
   * @param setting the other one's name
   * @param values its texts that do; empty where every number above 0 does
   */
  public record Needs(String setting, List<String> values) {

    /** A declaration in a file lacks the values where every number above 0 does. */
    public Needs {
      values = values == null ? List.of() : values;
    }

    /** Checks whether a value of the other setting, in canonical units, fulfils the need. */
    public boolean fulfilledBy(Object value) {
      return values.isEmpty()
          ? !(value instanceof Number number) || number.doubleValue() > 0
          : values.contains(value.toString());
    }

    /** The need in words: {@code 'keys' to be zipf}, {@code 'rate' to be above 0}. */
    public String words() {
      boolean flag = values.equals(List.of("true"));
      String wanted = values.isEmpty() ? "above 0" : flag ? "on" : String.join(" or ", values);
      return "'" + setting + "' to be " + wanted;
    }
  }

  /** The prefix of the name of a setting that is an option of the product, under its own name. */
  public static final String PROPERTY = "properties.";

  /** The prefix of the product's name of an option of the trial's cache. */
  public static final String OF_CACHE = "cache.";

  /**
   * An option of the product, which is passed on as it is written.
   *
   * @param name with {@link #PROPERTY} before the product's own name
   */
  public static SettingDescription property(String name, Optional<Needs> needs) {
    return new SettingDescription(
        name,
        Type.TEXT,
        name.startsWith(PROPERTY + OF_CACHE) ? Scope.CACHE : Scope.PROCESS,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "An option of the product, under the product's own name.",
        new Traits(List.of(), false, false, Optional.empty(), Optional.empty(), needs, false));
  }

  SettingDescription with(Optional<Object> otherInitial, List<String> otherChoices) {
    return new SettingDescription(
        name, type, scope, otherInitial, otherChoices, least, most, summary, traits);
  }

  /** Checks whether paths of the job heed the setting. */
  public boolean heededBy(Job job) {
    return traits.jobs().isEmpty() || traits.jobs().contains(job);
  }

  /** The value to use in the common warm-up for one that a trial uses; both in canonical units. */
  public Object inWarmUp(Object value) {
    if (value instanceof Number number && traits.warmUpAtMost().isPresent()) {
      double capped = Math.min(number.doubleValue(), traits.warmUpAtMost().get());
      return type == Type.INTEGER || type == Type.BYTES ? (Object) (long) capped : capped;
    }
    return value;
  }
}
