package io.pyrometer.scenario;

/** How a request ended. Every request ends in exactly one of them. */
public enum Outcome implements Coded {
  COMPLETED,
  /** No reply in time, although no message was lost and no race: the service said so. */
  TIMED_OUT,
  /** Timed out, because an answer arrived before the state of its request was visible. */
  LOST_RACE,
  /** The service replied that it failed, or did not reply. */
  FAILED
}
