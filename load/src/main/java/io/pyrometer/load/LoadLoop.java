package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One load thread: draws keys, makes calls, records how they end. In closed loop a synchronous lane
 * reads the clock once a call, as the end of one call is the start of the next.
 */
final class LoadLoop implements Runnable {

  private static final int MOST_ANSWERS = 5;
  private static final long DRAIN_NAP = 200_000;

  private final AccessPath path;
  private final Job job;
  private final KeySequence keys;
  private final Optional<Pacer> pacer;
  private final Slots slots;
  private final Recording recording;
  private final WriteModel model;
  private final SplittableRandom random;
  private final double reads;
  private final double misses;
  private final long records;
  private final int recordCount;
  private final long passRecords;
  private final boolean synchronous;
  private final FailureCauses errors = new FailureCauses();
  private final Set<Aggregate> answers = new LinkedHashSet<>();
  private final BooleanSupplier stopped = this::isStopping;
  private volatile boolean stopping;
  private int nextRecord;
  private long inPass;
  private long lastEnd;

  LoadLoop(TrialSpec trial, LoadThread lane, AccessPath path, int records, boolean overwrites) {
    this.path = path;
    this.job = trial.job();
    long all = trial.settings().number("records");
    this.keys =
        job == Job.AGGREGATE
            ? KeySequence.passes(lane, all)
            : KeySequence.of(trial.settings(), lane, trial.seed());
    this.passRecords = path.wholeSet() ? all : keys.laneKeys();
    this.pacer =
        trial.settings().decimal("rate") > 0
            ? Optional.of(Pacer.of(trial.settings(), lane, trial.seed()))
            : Optional.empty();
    this.synchronous = path.window() == 1;
    this.slots = Slots.of(this, path.window(), path.wholeSet() ? 0 : path.recordsPerCall());
    this.recording = new Recording(path.operations().size(), synchronous);
    this.model = new WriteModel(lane, keys.laneKeys(), overwrites);
    if (job == Job.MIX || job == Job.UPDATE) {
      model.filled(records);
    }
    this.recordCount = records;
    this.nextRecord = (int) (7_919L * lane.index() % records);
    this.random = new SplittableRandom(trial.seed() ^ lane.index());
    this.reads = trial.settings().decimal("reads");
    this.misses = trial.settings().has("misses") ? trial.settings().decimal("misses") : 0;
    this.records = all;
  }

  @Override
  public void run() {
    begin();
    try {
      while (!stopping && !Thread.currentThread().isInterrupted()) {
        next();
      }
      finishPass();
      end();
    } catch (Throwable e) {
      errors.add(e);
      recording.failed();
    }
  }

  /** By the thread that will call {@link #next()}. */
  void begin() {
    slots.ownedBy(Thread.currentThread());
    lastEnd = System.nanoTime();
    pacer.ifPresent(p -> p.beginAt(lastEnd));
  }

  /**
   * One call, begun when the loop asks for it; nothing where the lane was stopped while waiting.
   */
  void next() {
    long intended = pacer.isPresent() ? pacer.get().awaitNext(stopped) : 0;
    if (pacer.isPresent() && stopping) {
      return;
    }
    Slot slot = slots.take();
    if (slot != null) {
      if (pacer.isPresent()) {
        recording.slipped(System.nanoTime() - intended);
        slot.intendedStart = intended;
      } else {
        slot.intendedStart = synchronous ? lastEnd : System.nanoTime();
      }
      call(slot);
    }
  }

  private void call(Slot slot) {
    fill(slot);
    try {
      path.call(slot);
    } catch (Exception e) {
      failed(slot, e);
    }
    if (job == Job.AGGREGATE && inPass >= passRecords) {
      passEnded();
    }
  }

  private void fill(Slot slot) {
    slot.operation = job == Job.MIX && random.nextDouble() >= reads ? 1 : 0;
    if (path.wholeSet()) {
      slot.size = (int) passRecords;
      inPass = passRecords;
      return;
    }
    int size = path.recordsPerCall();
    if (job == Job.AGGREGATE) {
      size = (int) Math.min(size, passRecords - inPass);
    }
    slot.size = size;
    inPass += size;
    slot.misses = missesNow(slot);
    long beyond = slot.misses ? records : 0;
    for (int i = 0; i < size; i++) {
      slot.keys[i] = keys.next() + beyond;
    }
    if (writes(slot)) {
      for (int i = 0; i < size; i++) {
        slot.records[i] = nextRecord;
        nextRecord = nextRecord + 1 == recordCount ? 0 : nextRecord + 1;
      }
      if (!synchronous) {
        model.wrote(slot);
      }
    }
  }

  private boolean missesNow(Slot slot) {
    return misses > 0 && job == Job.MIX && slot.operation == 0 && random.nextDouble() < misses;
  }

  private boolean writes(Slot slot) {
    return job == Job.WRITE || job == Job.UPDATE || slot.operation == 1;
  }

  private void passEnded() {
    awaitInFlight();
    inPass = 0;
    Aggregate answer = path.takeAnswer();
    if (answers.size() < MOST_ANSWERS) {
      answers.add(answer);
    }
  }

  /** A job that reads owes at least one complete pass, so that its answer can be checked. */
  private void finishPass() {
    if (job != Job.AGGREGATE) {
      return;
    }
    while (answers.isEmpty()
        && recording.failures() == 0
        && !Thread.currentThread().isInterrupted()) {
      Slot slot = slots.take();
      if (slot != null) {
        slot.intendedStart = System.nanoTime();
        call(slot);
      }
    }
  }

  private void end() {
    try {
      path.flush();
    } catch (Exception e) {
      errors.add(e);
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
    long now = System.nanoTime();
    recording.ended(slot.operation, now - slot.intendedStart, slot.size);
    if (synchronous) {
      lastEnd = now;
      if (writes(slot)) {
        model.wrote(slot);
      }
    }
    slots.giveBack(slot);
  }

  void failed(Slot slot, Throwable cause) {
    recording.failed();
    errors.add(cause);
    if (synchronous) {
      lastEnd = System.nanoTime();
    }
    slots.giveBack(slot);
  }

  private boolean isStopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }

  Recording recording() {
    return recording;
  }

  AccessPath path() {
    return path;
  }

  Set<String> errors() {
    return errors.sentences();
  }

  List<Aggregate> answers() {
    return new ArrayList<>(answers);
  }

  ContentDigest expected(ExpectedContents remains) {
    return model.expected(remains);
  }
}
