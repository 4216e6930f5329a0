package io.pyrometer.results.study;

import io.pyrometer.analysis.ResponseScale;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A question to a file of figures.
 *
 * @param file comma-separated values with a header
 * @param response the column to explain
 * @param unit of the response; may be empty
 * @param columns that are to explain the response
 * @param numeric whether they are one number, with the scalability law and its rivals; otherwise
 *     they are factors
 * @param trial the column that numbers the trials: runs are listed in its order
 * @param replicate the column that tells replicates apart
 * @param block the column that tells blocks apart
 * @param start the columns that were set once for a start of processes; empty to go by the order of
 *     rows
 * @param rows what several rows of one treatment and replicate become
 * @param scale on which effects and residuals are taken to add up
 * @param command as typed, for the page's section on how to run it again
 */
public record StudyRequest(
    Path file,
    String response,
    String unit,
    List<String> columns,
    boolean numeric,
    Optional<String> trial,
    Optional<String> replicate,
    Optional<String> block,
    List<String> start,
    Rows rows,
    ResponseScale scale,
    String command) {
  public StudyRequest {
    columns = columns.stream().distinct().toList();
  }

  /** Treatment of several rows of one treatment and replicate. */
  public enum Rows {
    /** Their mean, as for repeated readings. */
    MEAN,
    /** Their sum, as for the throughput of the clients of one trial. */
    SUM,
    /** Each stays a trial of its own. */
    REPLICATES
  }
}
