package io.pyrometer.load.probe;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Lane;
import io.pyrometer.load.Patience;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.Harm;
import io.pyrometer.protocol.TrialSpec;
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
  private static final int MOST_THREADS = 8;
  private static final int READ_BACK_TRIES = 5;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final Duration LONGEST_WRITING = Duration.ofSeconds(30);

  private final ProbeKind kind;
  private final TrialSpec trial;
  private final Versions versions;
  private final Ledger ledger;
  private final Stored stored;
  private final List<ProbeLane> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Follower follower;

  /**
   * @param overwrites whether the path says that a write replaces what is there; where it does not,
   *     records that must outlive a node are written once
   * @param seconds the longest time to write
   * @throws IllegalArgumentException if the records are too alike
   */
  public Probe(
      ProbeKind kind,
      TrialSpec trial,
      Records records,
      boolean overwrites,
      double seconds,
      Function<Lane, AccessPath> open,
      Stored stored) {
    this.kind = kind;
    this.trial = trial;
    this.stored = stored;
    this.versions = new Versions(records);
    this.ledger = new Ledger(trial.settings().integer("records"));
    Script script = Script.of(kind);
    int count = Math.min(trial.settings().integer("threads"), MOST_THREADS);
    for (int i = 0; i < count; i++) {
      Lane lane = new Lane(i, count);
      lanes.add(
          new ProbeLane(
              open.apply(lane),
              script,
              script.new Keys(lane, ledger.keys(), trial.seed()),
              versions,
              ledger,
              overwrites || kind != ProbeKind.KILL,
              (long) (seconds * 1e9 / script.rounds()),
              Patience.of(trial.settings())));
    }
    this.follower = new Follower(ledger, versions, stored);
  }

  public void begin() {
    lanes.forEach(lane -> start(lane, "probe"));
    if (kind == ProbeKind.READ) {
      start(follower, "follower");
    }
  }

  private void start(Runnable what, String name) {
    Thread thread = new Thread(what, name + "-" + threads.size());
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  /** A node is about to be killed: stalls count from now on, and other keys are written. */
  public void mark() {
    ledger.mark();
    lanes.forEach(ProbeLane::nextRound);
  }

  /**
   * Waits until everything was written (where a node is killed, ends the writing), and reads back.
   *
   * @throws IllegalStateException with one sentence if calls do not come to their end
   */
  public Harm end() throws InterruptedException {
    if (kind == ProbeKind.KILL) {
      lanes.forEach(ProbeLane::stop);
    }
    await();
    return kind == ProbeKind.READ
        ? harm(follower.reads(), follower.stale(), follower.lost())
        : compared();
  }

  private void await() throws InterruptedException {
    long deadline =
        System.nanoTime() + LONGEST_WRITING.plus(Patience.of(trial.settings())).toNanos();
    for (Thread thread : threads.subList(0, lanes.size())) {
      thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    follower.stop();
    if (threads.subList(0, lanes.size()).stream().anyMatch(Thread::isAlive)
        || lanes.stream().anyMatch(ProbeLane::hung)) {
      abandon();
      throw new IllegalStateException(
          "Calls of '"
              + trial.path()
              + "' did not come to an end; the path hangs or is"
              + " far slower than the probe allows for.");
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private Harm compared() throws InterruptedException {
    long[] found = found();
    long checked = 0;
    long stale = 0;
    long lost = 0;
    for (int key = 0; key < found.length; key++) {
      int version = ledger.version(key);
      if (version > 0) {
        checked++;
        if (found[key] == Stored.ABSENT) {
          lost++;
        } else if (versions.older(key, version, found[key])) {
          stale++;
        }
      }
    }
    return harm(checked, stale, lost);
  }

  /** Where a node has just died, a first read may still meet it. */
  private long[] found() throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      long[] found = new long[ledger.keys()];
      try {
        stored.forEach((key, hash) -> found[(int) key] = hash);
        return found;
      } catch (RuntimeException e) {
        if (kind != ProbeKind.KILL || attempt == READ_BACK_TRIES) {
          throw e;
        }
        Thread.sleep(BETWEEN_TRIES.toMillis());
      }
    }
  }

  private Harm harm(long checked, long stale, long lost) {
    return new Harm(
        ledger.writes(),
        checked,
        stale,
        lost,
        ledger.failedCalls(),
        ledger.errors(),
        ledger.worstStallSeconds());
  }

  /** Gives the lanes up without waiting for them. */
  public void abandon() {
    lanes.forEach(ProbeLane::stop);
    follower.stop();
    threads.forEach(Thread::interrupt);
  }
}
