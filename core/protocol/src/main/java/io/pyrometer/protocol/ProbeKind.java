package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The guarantee that a probe tries to break. */
public enum ProbeKind {
  /** Versions written over repeated keys: does the last one of each key remain? */
  @JsonProperty("order")
  ORDER,
  /** Acknowledged writes read at once by others: do they see them? */
  @JsonProperty("read")
  READ,
  /** A server node killed while writing: is every acknowledged record there afterwards? */
  @JsonProperty("kill")
  KILL,
  /** A server node stopped gracefully while writing: is every acknowledged record there? */
  @JsonProperty("stop")
  STOP;

  public boolean endsServer() {
    return this == KILL || this == STOP;
  }
}
