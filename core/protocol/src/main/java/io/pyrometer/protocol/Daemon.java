package io.pyrometer.protocol;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep their JVM alive. */
public final class Daemon {
  private Daemon() {}

  /** A thread that is not started. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Runs a task on a thread of its own. */
  public static void start(String name, Runnable task) {
    of(name, task).start();
  }

  /** Makes the threads of an executor. */
  public static ThreadFactory factory(String name) {
    return task -> of(name, task);
  }
}
