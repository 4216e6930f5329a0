package io.pyrometer.load.probe;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.DrainTimeout;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One guarantee probe by one agent: writes versions of the keys 0 … {@code records}−1 through the
 * trial's access path, by as many threads as the trial's (at most eight), and then counts the keys
 * that do not hold the last version acknowledged, or a later one.
 */
public final class Probe {
  private static final int MAX_EXTENSION = 8;
  private static final int MOST_THREADS = 8;
  private static final int READ_BACK_TRIES = 5;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final Duration LONGEST_WRITING = Duration.ofSeconds(30);

  private final ProbeKind kind;
  private final TrialSpec trial;
  private final Versions versions;
  private final WrittenVersions written;
  private final StoredContents stored;
  private final List<ProbeWriter> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentReader reader;
  private volatile boolean mayDrop;

  /**
   * @param overwrites whether the path says that a write replaces what is there; where it does not,
   *     records that must outlive a node are written once
   * @param seconds how long to write; a path that is too slow for a judgement in this time gets
   *     more
   * @throws IllegalArgumentException if the records are too alike
   */
  public Probe(
      ProbeKind kind,
      TrialSpec trial,
      Records records,
      boolean overwrites,
      double seconds,
      Function<LoadThread, AccessPath> open,
      StoredContents stored) {
    this(kind, trial, records, overwrites, seconds, MAX_EXTENSION, open, stored);
  }

  Probe(
      ProbeKind kind,
      TrialSpec trial,
      Records records,
      boolean overwrites,
      double seconds,
      int extension,
      Function<LoadThread, AccessPath> open,
      StoredContents stored) {
    this.kind = kind;
    this.trial = trial;
    this.stored = stored;
    this.versions = new Versions(records);
    this.written = new WrittenVersions(trial.settings().get(CoreSettings.RECORDS).intValue());
    WriteRounds rounds = WriteRounds.of(kind);
    int count = Math.min(trial.settings().get(CoreSettings.THREADS), MOST_THREADS);
    this.reader = new ConcurrentReader(written, versions, stored, () -> mayDrop);
    for (int i = 0; i < count; i++) {
      LoadThread thread = new LoadThread(i, count);
      AccessPath path = open.apply(thread);
      mayDrop = path.mayDrop();
      writers.add(
          new ProbeWriter(
              path,
              rounds,
              rounds.new Keys(thread, written.keys(), trial.seed()),
              versions,
              written,
              overwrites || !kind.endsServer(),
              (long) (seconds * 1e9 / rounds.rounds()),
              round -> enough((round + 1.0) / rounds.rounds()),
              extension,
              DrainTimeout.of(trial.settings())));
    }
  }

  /** Returns whether so much was tried that a share of the probe is done. */
  private boolean enough(double share) {
    return kind == ProbeKind.READ
        ? reader.reads() >= ProbeCounts.MIN_CHECKED
        : written.tried() >= share * Math.min(ProbeCounts.MIN_CHECKED, written.keys());
  }

  public void begin() {
    writers.forEach(thread -> start(thread, "probe"));
    if (kind == ProbeKind.READ) {
      start(reader, "reader");
    }
  }

  private void start(Runnable what, String name) {
    Thread thread = Daemon.of(name + "-" + threads.size(), what);
    thread.start();
    threads.add(thread);
  }

  /** A node is about to end, or has ended: stalls count from now on, and other keys are written. */
  public void mark() {
    written.mark();
    writers.forEach(ProbeWriter::nextRound);
  }

  /**
   * Waits until everything was written (where a node ends, ends the writing), and reads back.
   *
   * @throws IllegalStateException with one sentence if calls do not come to their end
   */
  public ProbeCounts end() throws InterruptedException {
    if (kind.endsServer()) {
      written.end();
      writers.forEach(ProbeWriter::stop);
    }
    await();
    return kind == ProbeKind.READ
        ? counts(reader.reads(), reader.stale(), reader.lost())
        : compared();
  }

  private void await() throws InterruptedException {
    long deadline =
        System.nanoTime() + LONGEST_WRITING.plus(DrainTimeout.of(trial.settings())).toNanos();
    for (Thread thread : threads.subList(0, writers.size())) {
      thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    reader.stop();
    if (threads.subList(0, writers.size()).stream().anyMatch(Thread::isAlive)
        || writers.stream().anyMatch(ProbeWriter::hung)) {
      abandon();
      throw new IllegalStateException(Messages.format("load.probe-hangs").formatted(trial.path()));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private ProbeCounts compared() throws InterruptedException {
    long[] found = found();
    long checked = 0;
    long stale = 0;
    long lost = 0;
    for (int key = 0; key < found.length; key++) {
      int version = written.acknowledged(key);
      int begun = written.begun(key);
      boolean dropped = mayDrop && found[key] == StoredContents.ABSENT;
      if (version > 0 && !dropped && versions.distinguishable(version, begun)) {
        checked++;
        if (found[key] == StoredContents.ABSENT) {
          lost++;
        } else if (versions.older(key, version, begun, found[key])) {
          stale++;
        }
      }
    }
    return counts(checked, stale, lost);
  }

  /** If a node has just died, a first read may still go to it. */
  private long[] found() throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      long[] found = new long[written.keys()];
      try {
        stored.forEach((key, hash) -> found[(int) key] = hash);
        return found;
      } catch (RuntimeException e) {
        if (!kind.endsServer() || attempt == READ_BACK_TRIES) {
          throw e;
        }
        Thread.sleep(BETWEEN_TRIES.toMillis());
      }
    }
  }

  private ProbeCounts counts(long checked, long stale, long lost) {
    return new ProbeCounts(
        written.writes(),
        checked,
        stale,
        lost,
        written.failedCalls(),
        written.errors(),
        written.worstStallSeconds(),
        written.stallUnended());
  }

  /** Gives the writers up without waiting for them. */
  public void abandon() {
    writers.forEach(ProbeWriter::stop);
    reader.stop();
    threads.forEach(Thread::interrupt);
  }
}
