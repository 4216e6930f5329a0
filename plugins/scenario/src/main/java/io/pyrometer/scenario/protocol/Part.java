package io.pyrometer.scenario.protocol;

/** What a request's time goes into. The parts of a request add up to the whole. */
public enum Part implements Coded {
  /** The delay that the mock adds by intention. */
  MOCK,
  /** From the moment a message is given to the transport to the moment it is read. */
  TRANSPORT,
  /** Waiting for a lock in the grid. */
  LOCK_WAIT,
  /** Reading from the grid. */
  CACHE_READ,
  /** Writing to the grid, commits included. */
  CACHE_WRITE,
  /** Waiting for a thread: late sends, and messages and writes that no thread has taken up. */
  QUEUEING,
  /** The service's own code, and whatever no span covers. */
  OWN_CODE
}
