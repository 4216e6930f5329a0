package io.pyrometer.scenario;

/**
 * The service under test, in one of its processes. Its methods are called by the threads of the
 * process, many at a time, and may block. What they throw is counted as a failure; the request of a
 * call of {@link #onRequest} that threw is answered as failed.
 */
public interface Service extends AutoCloseable {

  /**
   * A request has arrived. The service replies to it exactly once, now or later, through {@link
   * ServiceContext#reply}.
   */
  void onRequest(Request request) throws Exception;

  /**
   * The mock has answered a question that this process or another one asked. The service reports
   * what became of the answer once, by {@link ServiceContext#appended} or {@link
   * ServiceContext#noState}, or throws.
   */
  default void onAnswer(MockAnswer answer) throws Exception {
    throw new IllegalStateException("This scenario asks no mock and expects no answer.");
  }

  /**
   * A request has arrived that another process of the service had, and that process is gone; the
   * client has not seen a reply. What became of it is in the grid.
   *
   * @param request as it was sent to the other process
   */
  default void onAdopted(Request request) throws Exception {
    onRequest(request);
  }

  /** Releases what the service holds, but nothing in the grid. */
  @Override
  void close();
}
