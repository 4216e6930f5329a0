package io.pyrometer.scenario;

/**
 * Kind of a span of a {@link SpanLog}. {@code from} and {@code to} are of the process's own steady
 * clock; {@code peer} is the index of the process at the other end; {@code number} is that of an
 * answer, from 1, unless said otherwise.
 */
public enum SpanKind implements Coded {
  /** Client: a request, from its intended start to the moment it was sent. */
  SENT,
  /** Client: a reply, from its arrival to the end of the request; number: the {@link Outcome}. */
  ENDED,
  /** Client: a reply to a request that had ended already; number: its outcome. */
  DUPLICATE,
  /** Client: a request was sent to another service, because the service that had it is gone. */
  ENTRUSTED,
  /** Service: a request, from its arrival to the moment a thread took it up. */
  REQUEST_TAKEN,
  /** Service: a request of a service that is gone, as {@link #REQUEST_TAKEN}. */
  ADOPTED,
  /** Service: a question was sent to a mock; number: of answers requested. */
  ASKED,
  /** Service: an answer, from its arrival to the moment a thread took it up. */
  ANSWER_TAKEN,
  /**
   * Service: the grid acknowledged the state that contains the answer; from: when it was read;
   * peer: the number of answers in that state.
   */
  APPENDED,
  /** Service: the grid had no state for the answer; from: when it was read. */
  NO_STATE,
  /** Service: replied to the client; peer: the answer that completed it, or 0; number: outcome. */
  REPLIED,
  /** Mock: a question, from its arrival to the moment a thread took it up; number: of answers. */
  ASK_TAKEN,
  /** Mock: an answer, from the moment it was due to the moment it was sent. */
  ANSWERED,
  /** Service: handling an answer threw; from: when a thread took it up. */
  ANSWER_FAILED,
  /** Service: a named step; see {@link SpanLog.Step}. */
  STEP
}
