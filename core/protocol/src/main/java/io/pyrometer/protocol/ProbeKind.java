package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The guarantee that a probe tries to break. */
public enum ProbeKind {
  /** Versions written over repeated keys: does the last one of each key remain? */
  ORDER,
  /** Acknowledged writes read at once by others: do they see them? */
  READ,
  /** A server node killed while writing: is every acknowledged record there afterwards? */
  KILL,
  /** A server node stopped gracefully while writing: is every acknowledged record there? */
  STOP;

  /** The name in journals, findings and commands. */
  @JsonValue
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean endsServer() {
    return this == KILL || this == STOP;
  }
}
