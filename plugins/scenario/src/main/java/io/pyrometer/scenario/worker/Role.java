package io.pyrometer.scenario.worker;

import io.pyrometer.scenario.protocol.ScenarioMessages.ScenarioRecorded;
import java.util.List;

/** What a process does in a scenario's trial. */
interface Role extends Transport.Listener, AutoCloseable {

  /** Whether it handles nothing, and has nothing to handle later but what is not there yet. */
  boolean idle();

  /** Everything that was recorded; to be asked when nothing is in flight any more. */
  ScenarioRecorded recorded(Recorders recorders);

  /** What a role other than the client's recorded. */
  static ScenarioRecorded plain(Recorders recorders) {
    return recorders.recorded(List.of());
  }

  @Override
  void close();
}
