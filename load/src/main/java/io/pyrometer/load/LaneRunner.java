package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Tally;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One load thread: draws keys, makes calls, records how they end. In closed loop a synchronous lane
 * reads the clock once a call, as the end of one call is the start of the next.
 */
final class LaneRunner implements Runnable {

  private static final int MOST_ERRORS = 5;
  private static final int MOST_ANSWERS = 5;

  private final AccessPath path;
  private final Job job;
  private final KeySequence keys;
  private final Optional<Pacer> pacer;
  private final SlotPool slots;
  private final Recording recording;
  private final WriteModel model;
  private final SplittableRandom random;
  private final double reads;
  private final int recordCount;
  private final long passRecords;
  private final boolean synchronous;
  private final Set<String> errors = ConcurrentHashMap.newKeySet();
  private final Set<Aggregate> answers = new LinkedHashSet<>();
  private volatile boolean stopping;
  private long sequence;
  private long inPass;
  private long lastEnd;

  LaneRunner(TrialSpec trial, Lane lane, AccessPath path, int records, boolean overwrites) {
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
    this.slots = new SlotPool(this, path.window(), path.wholeSet() ? 0 : path.recordsPerCall());
    this.recording = new Recording(path.operations().size(), synchronous);
    this.model = new WriteModel(lane, keys.laneKeys(), overwrites);
    if (job == Job.MIX || job == Job.UPDATE) {
      model.filled(records);
    }
    this.recordCount = records;
    this.sequence = 7_919L * lane.index();
    this.random = new SplittableRandom(trial.seed() ^ lane.index());
    this.reads = trial.settings().decimal("reads");
  }

  @Override
  public void run() {
    slots.ownedBy(Thread.currentThread());
    lastEnd = System.nanoTime();
    pacer.ifPresent(p -> p.beginAt(lastEnd));
    while (!stopping && !Thread.currentThread().isInterrupted()) {
      next();
    }
    finishPass();
    end();
  }

  private void next() {
    Slot slot = slots.take();
    if (slot == null) {
      return;
    }
    slot.intendedStart = intendedStart();
    if (stopping && pacer.isPresent()) {
      slots.giveBack(slot);
      return;
    }
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

  private long intendedStart() {
    if (pacer.isEmpty()) {
      return synchronous ? lastEnd : System.nanoTime();
    }
    long intended = pacer.get().next();
    while (!stopping && intended - System.nanoTime() > 0) {
      Pacer.await(Math.min(intended, System.nanoTime() + 50_000_000L));
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
    }
    recording.slipped(System.nanoTime() - intended);
    return intended;
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
    boolean writes = job == Job.WRITE || job == Job.UPDATE || slot.operation == 1;
    for (int i = 0; i < size; i++) {
      long key = keys.next();
      slot.keys[i] = key;
      if (writes) {
        int record = (int) (sequence++ % recordCount);
        slot.records[i] = record;
        model.wrote(key, record);
      }
    }
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
      next();
    }
  }

  private void end() {
    try {
      path.flush();
    } catch (Exception e) {
      note(e);
      recording.failed();
    }
    awaitInFlight();
  }

  private void awaitInFlight() {
    while (slots.inFlight() > 0 && !Thread.currentThread().isInterrupted()) {
      java.util.concurrent.locks.LockSupport.parkNanos(200_000);
    }
  }

  void ended(Slot slot) {
    long now = System.nanoTime();
    recording.ended(slot.operation, now - slot.intendedStart, slot.size);
    if (synchronous) {
      lastEnd = now;
    }
    slots.giveBack(slot);
  }

  void failed(Slot slot, Throwable cause) {
    recording.failed();
    note(cause);
    if (synchronous) {
      lastEnd = System.nanoTime();
    }
    slots.giveBack(slot);
  }

  private void note(Throwable cause) {
    if (errors.size() < MOST_ERRORS) {
      errors.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
    }
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
    return errors;
  }

  List<Aggregate> answers() {
    return new ArrayList<>(answers);
  }

  Tally expected(long[] fieldHashes) {
    return model.expected(fieldHashes);
  }
}
