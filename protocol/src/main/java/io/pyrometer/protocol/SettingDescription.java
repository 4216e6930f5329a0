package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * What a setting is: its type and unit, the values it takes, and what must be made anew when it
 * changes.
 *
 * @param initial the value where nobody sets one, in canonical units; empty where the setting must
 *     be given or may be absent
 * @param choices for {@link Type#CHOICE} the values; else empty
 * @param least smallest value of a numeric setting, inclusive
 * @param most largest value of a numeric setting, inclusive
 */
public record SettingDescription(
    String name,
    Type type,
    Scope scope,
    Optional<Object> initial,
    List<String> choices,
    Optional<Double> least,
    Optional<Double> most,
    String summary) {

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
    TEXT
  }

  /** What a change of the setting asks for. */
  public enum Scope {
    /** Fresh node processes. */
    PROCESS,
    /** A fresh cache. */
    CACHE,
    /** Nothing but another way of loading. */
    LOAD
  }

  public static SettingDescription integer(
      String name, Scope scope, long initial, long least, long most, String summary) {
    return numeric(name, Type.INTEGER, scope, initial, (double) least, (double) most, summary);
  }

  public static SettingDescription numeric(
      String name, Type type, Scope scope, Object initial, double least, double most, String sum) {
    return new SettingDescription(
        name,
        type,
        scope,
        Optional.of(initial),
        List.of(),
        Optional.of(least),
        Optional.of(most),
        sum);
  }

  public static SettingDescription flag(String name, Scope scope, boolean initial, String summary) {
    return new SettingDescription(
        name,
        Type.FLAG,
        scope,
        Optional.of(initial),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        summary);
  }

  /** The first choice is the initial one. */
  public static SettingDescription choice(
      String name, Scope scope, List<String> choices, String summary) {
    return new SettingDescription(
        name,
        Type.CHOICE,
        scope,
        Optional.of(choices.get(0)),
        choices,
        Optional.empty(),
        Optional.empty(),
        summary);
  }

  /** A text that is absent unless given. */
  public static SettingDescription text(String name, Scope scope, String summary) {
    return new SettingDescription(
        name,
        Type.TEXT,
        scope,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        summary);
  }
}
