package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Holds back the calls of a {@link FakeCache} until it is opened. */
final class Gate implements Executor {
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean open;

  @Override
  public void execute(Runnable call) {
    synchronized (this) {
      if (!open) {
        waiting.add(call);
        return;
      }
    }
    call.run();
  }

  void open() {
    List<Runnable> released;
    synchronized (this) {
      open = true;
      released = List.copyOf(waiting);
      waiting.clear();
    }
    released.forEach(Runnable::run);
  }

  synchronized boolean isOpen() {
    return open;
  }

  synchronized int waiting() {
    return waiting.size();
  }
}
