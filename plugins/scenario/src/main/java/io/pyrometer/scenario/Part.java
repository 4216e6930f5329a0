package io.pyrometer.scenario;

/** The parts of a request's latency, which add up to the whole. */
public enum Part implements Coded {
  /** The delay that the mock adds by intention. */
  MOCK,
  /** From the moment a message is given to the transport to the moment it is read. */
  TRANSPORT,
  /** Acquiring and releasing a lock in the grid. */
  LOCK_WAIT,
  /** Reading from the grid. */
  CACHE_READ,
  /** Writing to the grid, commits included. */
  CACHE_WRITE,
  /** Waiting for a thread: late sends, messages and writes not taken up, threads not resumed. */
  QUEUEING,
  /** The service's own code, between its calls of the grid. */
  OWN_CODE
}
