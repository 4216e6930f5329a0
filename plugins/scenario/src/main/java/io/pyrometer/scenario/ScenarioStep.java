package io.pyrometer.scenario;

/**
 * A step that a scenario's class offers to experiment files, which say when it is taken.
 *
 * @param part what its time counts as when a request's time is split
 * @param call the product's calls for one request; may block; what it throws ends the request as
 *     failed
 */
public record ScenarioStep(Part part, Call call) {

  /** The product's calls of a step. */
  @FunctionalInterface
  public interface Call {
    void of(Request request) throws Exception;
  }
}
