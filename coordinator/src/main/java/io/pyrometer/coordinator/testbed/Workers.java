package io.pyrometer.coordinator.testbed;

import io.pyrometer.experiment.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Every worker process of this coordinator that lives. Closing ends them all; so does the end of
 * this JVM, however it comes: by its shutdown hook, or because their input ends with it.
 */
public final class Workers implements AutoCloseable {
  private final Set<WorkerProcess> living = ConcurrentHashMap.newKeySet();
  private final Runnable beforeKilling;
  private final Thread hook;
  private volatile boolean ending;

  /**
   * @param beforeKilling what is done first when this JVM is told to end, so that nothing is
   *     recorded of processes that it kills itself
   */
  public Workers(Runnable beforeKilling) {
    this.beforeKilling = beforeKilling;
    this.hook = new Thread(this::endOfJvm, "end-of-workers");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a worker and waits until it says that it listens.
   *
   * @param log where its standard error goes
   * @throws WorkerException if it cannot be started or does not come up
   */
  public WorkerProcess start(String name, Host host, List<String> command, Path log) {
    WorkerProcess worker = launch(name, host, command, log);
    worker.awaitHello();
    return worker;
  }

  /** Starts several at once; those that came up are ended if one does not. */
  public List<WorkerProcess> startAll(List<Launch> launches) {
    List<WorkerProcess> started = new ArrayList<>();
    try {
      launches.forEach(l -> started.add(launch(l.name(), l.host(), l.command(), l.log())));
      started.forEach(WorkerProcess::awaitHello);
      return List.copyOf(started);
    } catch (WorkerException failure) {
      started.forEach(WorkerProcess::kill);
      throw failure;
    }
  }

  /** What {@link #start} takes. */
  public record Launch(String name, Host host, List<String> command, Path log) {}

  private WorkerProcess launch(String name, Host host, List<String> command, Path log) {
    CountDownLatch registered = new CountDownLatch(1);
    if (ending) {
      throw new WorkerException("Pyrometer is ending.", true);
    }
    WorkerProcess worker =
        WorkerProcess.launch(name, host.command(command), log, w -> forget(w, registered));
    living.add(worker);
    registered.countDown();
    if (ending) {
      worker.kill();
    }
    return worker;
  }

  private void forget(WorkerProcess worker, CountDownLatch registered) {
    try {
      registered.await();
      living.remove(worker);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void endOfJvm() {
    ending = true;
    beforeKilling.run();
    living.forEach(WorkerProcess::kill);
  }

  /** Whether this JVM has been told to end. */
  public boolean ending() {
    return ending;
  }

  @Override
  public void close() {
    living.forEach(WorkerProcess::kill);
    if (!ending) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingNow) {
        // The hook runs already and does the same.
        return;
      }
    }
  }
}
