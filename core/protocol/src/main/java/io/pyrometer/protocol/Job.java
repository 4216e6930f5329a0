package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The job of an access path: only paths of one job are ranked against each other. The jobs of load
 * trials are {@link #LOAD}; every other job is that of a trial kind which a plugin adds. There is
 * one instance of each job, so jobs are compared with {@code ==}.
 */
public final class Job implements Comparable<Job> {
  private static final Map<String, Job> ALL = new ConcurrentHashMap<>();

  /** Write records under keys. */
  public static final Job WRITE = of("write");

  /** Read the whole data set for one aggregate. */
  public static final Job AGGREGATE = of("aggregate");

  /** Change one field of existing records. */
  public static final Job UPDATE = of("update");

  /** Single reads and writes in a given mix. */
  public static final Job MIX = of("mix");

  /** Move amounts from one record to another. */
  public static final Job TRANSFER = of("transfer");

  /** Execute queries, such as the user's own SELECTs. */
  public static final Job QUERY = of("query");

  /** Read existing records of caches that Pyrometer did not create. */
  public static final Job READ = of("read");

  /** The jobs of load trials, in the order of reports. */
  public static final List<Job> LOAD =
      List.of(WRITE, AGGREGATE, UPDATE, MIX, TRANSFER, QUERY, READ);

  private static final Comparator<Job> ORDER =
      Comparator.<Job>comparingInt(job -> job.isLoad() ? LOAD.indexOf(job) : LOAD.size())
          .thenComparing(Job::id);

  private final String id;

  private Job(String id) {
    this.id = id;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Job of(String id) {
    return ALL.computeIfAbsent(id, Job::new);
  }

  /** The id in experiment files, plans and journals. */
  @JsonValue
  public String id() {
    return id;
  }

  /** Checks whether trials of the job are load trials. */
  public boolean isLoad() {
    return LOAD.contains(this);
  }

  /** Checks whether the data set of this job is written into the grid by Pyrometer. */
  public boolean storesRecords() {
    return isLoad() && this != READ;
  }

  /**
   * Checks whether guarantee probes can write through the paths of this job: they write whole
   * records.
   */
  public boolean isProbed() {
    return this == WRITE || this == MIX;
  }

  @Override
  public int compareTo(Job other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return id;
  }
}
