package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.testbed.WorkerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every worker process of this coordinator that lives. Closing ends them all; so does the end of
 * this JVM, however it comes: by its shutdown hook, or because their input ends with it.
 */
public final class WorkerLauncher implements ProcessLauncher {
  private final Set<WorkerProcess> living = ConcurrentHashMap.newKeySet();
  private final Runnable beforeKilling;
  private final Thread hook;
  private volatile boolean ending;

  /**
   * @param beforeKilling what is done first when this JVM is told to end, so that nothing is
   *     recorded of processes that it kills itself
   */
  public WorkerLauncher(Runnable beforeKilling) {
    this.beforeKilling = beforeKilling;
    this.hook = new Thread(this::endOfJvm, "end-of-workers");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public List<ManagedProcess> startAll(List<Launch> launches) {
    List<WorkerProcess> started = new ArrayList<>();
    try {
      launches.forEach(launch -> started.add(launch(launch)));
      started.forEach(WorkerProcess::awaitHello);
      return List.copyOf(started);
    } catch (WorkerException failure) {
      started.forEach(WorkerProcess::kill);
      throw failure;
    }
  }

  private WorkerProcess launch(Launch launch) {
    if (ending) {
      throw WorkerException.gone("Pyrometer is ending.");
    }
    Optional<ControlGroup> group =
        launch.limits().needsControlGroup()
            ? Optional.of(ControlGroup.make(launch.name(), launch.limits()))
            : Optional.empty();
    List<String> bound = launch.limits().bind(launch.command());
    WorkerProcess worker =
        WorkerProcess.launch(
            launch.name(),
            launch.host().command(group.map(g -> g.run(bound)).orElse(bound)),
            group,
            launch.log());
    living.removeIf(other -> !other.alive());
    living.add(worker);
    if (ending) {
      worker.kill();
    }
    return worker;
  }

  private void endOfJvm() {
    ending = true;
    beforeKilling.run();
    living.forEach(WorkerProcess::kill);
    living.forEach(WorkerProcess::awaitLeft);
  }

  @Override
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
