package io.pyrometer.scenario;

import io.pyrometer.protocol.Settings;
import java.time.Duration;

/**
 * Context that a service is given: its settings, the other processes, and a clock, steps and timers
 * to record with. Safe for several threads.
 */
public interface ServiceContext {

  /** The trial's settings, complete. */
  Settings settings();

  /** The index of this process among those of the service. */
  int index();

  /** Nanoseconds of this process's steady clock, which all spans are of. */
  long nanoTime();

  /**
   * A named step. Its spans are part of the requests' timelines, and its duration is a timer of the
   * same name.
   *
   * @param name short, such as {@code check out}
   * @param part what its time counts as when a request's time is split
   */
  Step step(String name, Part part);

  /** A timer without spans; several of one name are one. */
  Timer timer(String name);

  /**
   * Asks the mock. It answers as often as the request says, each time to any process of the
   * service.
   */
  void ask(Request request);

  /**
   * Replies to the client.
   *
   * @param to the request, or the answer that completed it
   * @param elapsedNanos since the request arrived at the service
   */
  void reply(Subject to, Outcome outcome, long elapsedNanos);

  /**
   * The grid has acknowledged a state that contains the answer.
   *
   * @param readNanos when the state before was asked for
   * @param received the number of answers in the new state
   */
  void appended(MockAnswer answer, long readNanos, int received);

  /**
   * The grid had no state for the answer.
   *
   * @param readNanos when it was asked for
   */
  void noState(MockAnswer answer, long readNanos);

  /** Runs a task after a delay on one of the threads that handle messages. */
  void schedule(Duration delay, Task task);

  /** Counts a failure that ends no request; the first few different causes are reported. */
  void failed(Throwable cause);

  /** Task that is run later; what it throws is counted as a failure. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  /** A named step of the service. */
  interface Step {

    /** Records that the step was taken for a request or an answer. */
    void record(Subject of, long fromNanos, long toNanos);
  }

  /** A named timer. */
  interface Timer {
    void record(boolean measured, long nanos);
  }
}
