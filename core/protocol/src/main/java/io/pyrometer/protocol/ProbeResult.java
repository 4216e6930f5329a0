package io.pyrometer.protocol;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A line of the journal with the result of a guarantee probe of one treatment. It was not timed and
 * is no replicate.
 *
 * @param probe what was tried; first, so that a line is known by its beginning
 * @param levels the treatment: a level's label by factor
 * @param started ISO-8601 instant
 * @param why one sentence where the probe failed
 * @param found the result; empty if the probe failed
 */
public record ProbeResult(
    ProbeKind probe,
    int schema,
    Map<String, String> levels,
    String path,
    String started,
    Optional<String> why,
    Optional<ProbeCounts> found) {

  public static final int SCHEMA = 1;

  /** This result of a treatment that is told by these levels. */
  public ProbeResult of(Map<String, String> treatment) {
    return new ProbeResult(probe, schema, treatment, path, started, why, found);
  }

  /**
   * The fate of acknowledged writes.
   *
   * @param writes acknowledged
   * @param checked keys, or for {@link ProbeKind#READ} reads
   * @param stale of them that hold or show an older version than the last one acknowledged
   * @param lost of them that hold or show nothing
   * @param failedCalls calls that ended with an error; what they wrote is not asked for
   * @param errors the first few different causes, one sentence each
   * @param worstStallSeconds the longest time in which no write was acknowledged
   * @param stallUnended whether it lasted when the probe ended its writing
   */
  public record ProbeCounts(
      long writes,
      long checked,
      long stale,
      long lost,
      long failedCalls,
      List<String> errors,
      double worstStallSeconds,
      boolean stallUnended) {

    /**
     * The fewest keys or reads by which a guarantee counts as tested. If none of n is stale or
     * lost, the share of such keys is at most 3/n with 95 % confidence (the rule of three): here 1
     * %.
     */
    public static final int MIN_CHECKED = 300;

    /** Checks whether so many were checked that none stale or lost says something. */
    public boolean tested() {
      return checked >= MIN_CHECKED;
    }

    /** The longest stall for a sentence: {@code 0.4 s}, {@code at least 8.0 s}. */
    public String worstStall() {
      return String.format(
          Locale.ROOT, "%s%.1f s", stallUnended ? "at least " : "", worstStallSeconds);
    }

    public long staleOrLost() {
      return stale + lost;
    }
  }
}
