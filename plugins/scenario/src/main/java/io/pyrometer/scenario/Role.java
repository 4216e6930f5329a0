package io.pyrometer.scenario;

import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import java.util.List;

/** Part of a process in a scenario's trial, over its connections to the other processes. */
abstract class Role implements AutoCloseable {
  /** The peer in spans of messages that had no process to go to. */
  static final int NOBODY = 0xffff;

  final PrepareScenario as;
  final Settings settings;
  final Recorders recorders;
  final Transport transport;

  Role(PrepareScenario as, Recorders recorders) {
    this.as = as;
    this.settings = as.trial().settings();
    this.recorders = recorders;
    this.transport = new Transport(as.role(), as.index(), this);
  }

  /**
   * Takes a message, on the thread of the transport.
   *
   * @param receivedNanos when it was read, of this process's steady clock
   */
  abstract void received(Message message, long receivedNanos);

  /** The connection to a process has ended. */
  void lost(ScenarioRole role, int which) {}

  /**
   * Returns whether it handles nothing, and has nothing to handle later but what is not there yet.
   */
  abstract boolean idle();

  /** Requests of a client without an outcome, at each tenth of a second. */
  List<Long> inFlight() {
    return List.of();
  }

  /** Interrupts what the role does. */
  abstract void stop();

  /** Nothing is sent any more when the role interrupts what it does. */
  @Override
  public final void close() {
    transport.close();
    stop();
    recorders.close();
  }
}
