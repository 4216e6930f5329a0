package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The loop of one load thread: has operations drawn and calls its path, one after the other or at
 * their intended starts, and records how they end. In closed loop a synchronous path costs one
 * reading of the clock a call, as the end of one call is the start of the next.
 */
final class LoadLoop implements Runnable {

  private static final long DRAIN_NAP = 200_000;

  private final Workload.Operations operations;
  private final AccessPath path;
  private final Optional<Pacer> pacer;
  private final Optional<Pacer> arrivals;
  private final Slots slots;
  private final Recording recording;
  private final NanoClock clock;
  private final boolean synchronous;
  private final FailureCauses causes = new FailureCauses();
  private final BooleanSupplier stopped = this::isStopping;
  private volatile boolean stopping;
  private long lastEnd;

  LoadLoop(
      Workload.Operations operations,
      AccessPath path,
      Settings settings,
      LoadThread thread,
      long seed,
      NanoClock clock) {
    this.operations = operations;
    this.path = path;
    this.clock = clock;
    boolean open = settings.get(CoreSettings.RATE) > 0;
    this.pacer = open ? Optional.of(Pacer.of(settings, thread, seed)) : Optional.empty();
    this.arrivals = open ? Optional.of(Pacer.of(settings, thread, seed)) : Optional.empty();
    this.synchronous = path.window() == 1;
    this.slots = Slots.of(this, path.window(), path.wholeSet() ? 0 : path.recordsPerCall());
    this.recording = new Recording(path.operations().size(), synchronous);
  }

  @Override
  public void run() {
    begin();
    try {
      while (!stopping && !operations.exhausted() && !Thread.currentThread().isInterrupted()) {
        next();
      }
      finishPass();
      end();
    } catch (Throwable e) {
      causes.add(e);
      recording.failed();
    }
  }

  /** Called by the thread that will call {@link #next()}. */
  void begin() {
    slots.ownedBy(Thread.currentThread());
    lastEnd = clock.nanoTime();
    pacer.ifPresent(p -> p.beginAt(lastEnd));
    arrivals.ifPresent(p -> p.beginAt(lastEnd));
  }

  /**
   * One call, begun when the loop asks for it; nothing where the loop was stopped while waiting.
   */
  void next() {
    long intended = pacer.isPresent() ? pacer.get().awaitNext(clock, stopped) : 0;
    if (pacer.isPresent() && stopping) {
      return;
    }
    Slot slot = slots.take();
    if (slot != null) {
      if (pacer.isPresent()) {
        long now = clock.nanoTime();
        recording.slipped(now - intended);
        slot.intendedStart = intended;
        slot.late = synchronous ? now - Math.max(intended, lastEnd) : 0;
      } else {
        slot.intendedStart = synchronous ? lastEnd : clock.nanoTime();
      }
      execute(slot);
    }
  }

  private void execute(Slot slot) {
    operations.draw(slot);
    try {
      path.call(slot);
    } catch (Exception e) {
      failed(slot, e);
    }
    if (operations.passComplete()) {
      awaitInFlight();
      operations.endPass();
    }
  }

  private void finishPass() {
    while (operations.owesPass()
        && recording.failures() == 0
        && !Thread.currentThread().isInterrupted()) {
      Slot slot = slots.take();
      if (slot != null) {
        slot.intendedStart = clock.nanoTime();
        execute(slot);
      }
    }
  }

  private void end() {
    try {
      path.flush();
    } catch (Exception e) {
      causes.add(e);
      recording.failed();
    }
    awaitInFlight();
  }

  private void awaitInFlight() {
    while (slots.inFlight() > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(DRAIN_NAP);
    }
  }

  void ended(Slot slot) {
    long now = clock.nanoTime();
    recording.ended(slot.operation, now - slot.intendedStart, now, slot.late, slot.size);
    if (synchronous) {
      lastEnd = now;
    }
    operations.acknowledged(slot);
    slots.giveBack(slot);
  }

  void failed(Slot slot, Throwable cause) {
    recording.failed();
    causes.add(cause);
    operations.failed(slot);
    if (synchronous) {
      lastEnd = clock.nanoTime();
    }
    slots.giveBack(slot);
  }

  private boolean isStopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }

  /** The measured part begins at this time of the clock, which must be to come. Any thread. */
  void measureFrom(long nanoTime) {
    pacer.ifPresent(p -> p.stagesFrom(nanoTime));
    arrivals.ifPresent(p -> p.stagesFrom(nanoTime));
  }

  Recording recording() {
    return recording;
  }

  AccessPath path() {
    return path;
  }

  /** Records of ended calls, without those that the client merged with later ones. */
  long records() {
    return Math.max(0, recording.records() - path.mergedRecords());
  }

  /**
   * The schedule for counting, begun with the loop; empty in closed loop. Not safe while the loop
   * may still begin.
   */
  Optional<Pacer> arrivals() {
    return arrivals;
  }

  Set<String> causes() {
    return causes.sentences();
  }
}
