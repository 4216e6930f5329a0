package io.pyrometer.scenario.protocol;

/** How a request ended. Every request ends in exactly one of them. */
public enum Outcome implements Coded {
  COMPLETED,
  /** No reply in time, although no message was lost and no race: the service said so. */
  TIMED_OUT,
  /** Timed out, because an answer came before the state that it belongs to was visible. */
  LOST_RACE,
  /** The service said that it failed, or nobody said anything. */
  FAILED
}
