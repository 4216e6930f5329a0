package io.pyrometer.grid;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.TrialSpec;
import java.util.Map;

/** An agent's connection to the grid; trials follow one another on it. */
public interface GridSession extends AutoCloseable {

  /** What the session says of its own configuration. */
  Map<String, String> configuration();

  /**
   * Sets a trial up.
   *
   * @param creator whether to make the fresh cache; exactly one agent does, before the others join
   * @throws GridException with one sentence for the user
   */
  TrialSession open(TrialSpec trial, Records records, boolean creator);

  @Override
  void close();
}
