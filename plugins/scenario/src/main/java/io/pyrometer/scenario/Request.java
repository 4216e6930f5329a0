package io.pyrometer.scenario;

/**
 * A request of a client, as a service takes it.
 *
 * @param id unique in the trial
 * @param client index of the client that waits for the reply
 * @param payload random bits, the same in every run with the same seed
 * @param answers the number of answers that the mock is to give
 * @param receivedNanos when it arrived, of this process's steady clock
 * @param measured whether it counts
 */
public record Request(
    long id, int client, long payload, int answers, long receivedNanos, boolean measured)
    implements Subject {
  @Override
  public long request() {
    return id;
  }

  @Override
  public int number() {
    return 0;
  }
}
