package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What access paths are compared at: only paths of one job are ranked against each other. */
public enum Job {
  /** Write records under keys. */
  @JsonProperty("write")
  WRITE,
  /** Read the whole data set for one aggregate. */
  @JsonProperty("aggregate")
  AGGREGATE,
  /** Change one field of records that are there. */
  @JsonProperty("update")
  UPDATE,
  /** Single reads and writes in a given mix. */
  @JsonProperty("mix")
  MIX,
  /** Move amounts from one record to another. */
  @JsonProperty("transfer")
  TRANSFER,
  /** Ask queries, such as SELECTs of the user's. */
  @JsonProperty("query")
  QUERY,
  /** Read records that were in the grid before, of caches that are not Pyrometer's. */
  @JsonProperty("read")
  READ,
  /** Requests that pass through several processes, which keep their state in the grid. */
  @JsonProperty("scenario")
  SCENARIO,
  /** A benchmark of a cache under JMH, in a JVM of its own. */
  @JsonProperty("jmh")
  JMH
}
