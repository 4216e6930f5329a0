package io.pyrometer.driver.ignite.scenario;

import java.util.Arrays;

/**
 * The state of one request, as it is in the cache until the last answer has come or the time is up.
 */
@SuppressWarnings("UnusedVariable") // stored as those of the published service are
final class Handler {
  private final int client;
  private final boolean measured;
  private final int expected;
  private final long createdNanos;
  private final long payload;

  /** The answers so far, by number from 0; 0 where one has not come. */
  private final long[] answers;

  /** A handler without answers. */
  Handler(int client, boolean measured, int expected, long createdNanos, long payload) {
    this(client, measured, expected, createdNanos, payload, new long[expected]);
  }

  private Handler(
      int client, boolean measured, int expected, long createdNanos, long payload, long[] answers) {
    this.client = client;
    this.measured = measured;
    this.expected = expected;
    this.createdNanos = createdNanos;
    this.payload = payload;
    this.answers = answers;
  }

  /**
   * This handler with an answer.
   *
   * @param number of the answer, from 1
   */
  Handler with(int number, long answer) {
    long[] more = Arrays.copyOf(answers, answers.length);
    more[number - 1] = answer | 1;
    return new Handler(client, measured, expected, createdNanos, payload, more);
  }

  boolean complete() {
    return received() == expected;
  }

  int received() {
    int count = 0;
    for (long answer : answers) {
      count += answer == 0 ? 0 : 1;
    }
    return count;
  }

  /** When the request arrived, of the steady clock of the process that took it. */
  long createdNanos() {
    return createdNanos;
  }
}
