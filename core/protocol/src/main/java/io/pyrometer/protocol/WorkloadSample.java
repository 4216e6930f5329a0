package io.pyrometer.protocol;

import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A workload that a grid's own statistics show, in the form of an experiment.
 *
 * @param cache name of the cache with the most calls, or of the table of the queries
 * @param grid settings of the grid, as a file has them
 * @param workload settings of the workload, as a file has them: text, numbers, maps and lists
 * @param record that queries need; empty for any
 * @param cases other settings of the workload by the name of a case; none, or two or more
 * @param notes figures of the statistics, and what they do not show with the default taken
 */
public record WorkloadSample(
    String cache,
    Map<String, Object> grid,
    Map<String, Object> workload,
    Optional<RecordShape> record,
    Map<String, Map<String, Object>> cases,
    List<Note> notes) {
  /** A remark. Its words are in the message file of the driver, as {@code sample.keys.phrase}. */
  public record Note(String id, Map<String, Value> values) {
    /** The remark as people read it. */
    public String phrase() {
      return Messages.bundled().text("sample." + id + ".phrase", values).orElse(id + " " + values);
    }
  }
}
