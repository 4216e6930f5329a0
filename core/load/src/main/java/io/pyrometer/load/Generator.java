package io.pyrometer.load;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** One agent's load of one trial: begun, measured, finished and verified, in this order. */
public final class Generator {

  /** The loops must have heard of the measured part before it begins. */
  private static final long STAGES_AFTER_NANOS = 10_000_000;

  /** Between two looks at whether calls end. */
  private static final long LOOK_MILLIS = 100;

  private final TrialSpec trial;
  private final Workload workload;
  private final List<LoadLoop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger running;
  private final MeasurementWindow window;
  private final Sampler sampler;
  private volatile Optional<Supplier<Answer.Finished>> ended = Optional.empty();

  /**
   * Opens the load threads.
   *
   * @param agent index of this agent among {@code agents}
   * @param guarantee of the path's writes, by which what they leave is verified
   * @param fill puts the records of so many keys into the grid, where the workload needs some there
   * @param open opens the trial's access path for a load thread
   * @param samples receives what was finished in each tenth of a second
   * @throws IllegalArgumentException if the settings do not suit the workload
   */
  public Generator(
      TrialSpec trial,
      Records records,
      int agent,
      int agents,
      Guarantee guarantee,
      LongConsumer fill,
      Function<LoadThread, AccessPath> open,
      Consumer<Answer.Sample> samples) {
    this.trial = trial;
    this.workload = Workload.of(trial, records, guarantee);
    if (workload.recordsBefore() > 0) {
      fill.accept(workload.recordsBefore());
    }
    int perAgent = trial.settings().get(CoreSettings.THREADS);
    for (int t = 0; t < perAgent; t++) {
      LoadThread place = new LoadThread(agent * perAgent + t, agents * perAgent);
      AccessPath path = open.apply(place);
      LoadLoop loop =
          new LoadLoop(
              workload.open(place, path),
              path,
              trial.settings(),
              place,
              trial.seed(),
              NanoClock.SYSTEM);
      loops.add(loop);
      threads.add(Daemon.of("load-" + place.index(), () -> run(loop)));
    }
    this.running = new AtomicInteger(perAgent);
    this.window = new MeasurementWindow(loops, NanoClock.SYSTEM);
    this.sampler = new Sampler(this::totals, samples, window::tick);
  }

  private void run(LoadLoop loop) {
    loop.run();
    if (running.decrementAndGet() == 0 && CoreSettings.loadsOnce(trial.settings())) {
      ended = Optional.of(window.close());
    }
  }

  private Sampler.Totals totals() {
    boolean all = ended.isPresent(); // before the counters, which then do not change any more
    return new Sampler.Totals(
        loops.stream().mapToLong(LoadLoop::records).sum(),
        calls(),
        loops.stream().mapToLong(loop -> loop.recording().latencyNanos()).sum(),
        all);
  }

  private long calls() {
    return loops.stream().mapToLong(loop -> loop.recording().calls()).sum();
  }

  /**
   * Begins to load. What is done counts until {@link #measure} has it forgotten; a load that comes
   * to an end of its own is measured from here to there.
   */
  public void begin() {
    window.open();
    threads.forEach(Thread::start);
    sampler.begin();
  }

  /** Forgets what was recorded so far. */
  public void measure() {
    long from = NanoClock.SYSTEM.nanoTime() + STAGES_AFTER_NANOS;
    loops.forEach(loop -> loop.measureFrom(from));
    window.open();
  }

  /**
   * Stops counting, then loading.
   *
   * @throws IllegalStateException with one sentence if calls in flight do not come to their end
   */
  public Answer.Finished finish() {
    return finish(DrainTimeout.of(trial.settings()), NanoClock.SYSTEM);
  }

  Answer.Finished finish(Duration drainTimeout, NanoClock clock) {
    Supplier<Answer.Finished> measured = ended.orElseGet(window::close);
    loops.forEach(LoadLoop::stop);
    sampler.stop();
    drain(drainTimeout, clock);
    return measured.get();
  }

  /**
   * Waits for the calls in flight, and for the pass that a thread owes: as long as calls of it end,
   * it does not hang, whatever time its pace needs.
   */
  private void drain(Duration timeout, NanoClock clock) {
    long begun = clock.nanoTime();
    long deadline = begun + timeout.toNanos();
    long seen = calls();
    while (threads.stream().anyMatch(Thread::isAlive)) {
      long now = clock.nanoTime(); // before the calls: what ended by then is seen
      long calls = calls();
      if (trial.job() == Job.AGGREGATE && calls > seen) {
        seen = calls;
        deadline = now + timeout.toNanos();
      }
      if (now >= deadline || now - begun >= CoreSettings.MAX_PASS.toNanos()) {
        threads.forEach(Thread::interrupt);
        throw new IllegalStateException(
            Messages.format("load.calls-hang")
                .formatted(trial.path(), TimeUnit.NANOSECONDS.toSeconds(now - begun)));
      }
      join(TimeUnit.NANOSECONDS.toMillis(deadline - now));
    }
    loops.forEach(loop -> loop.path().close());
  }

  private void join(long millis) {
    try {
      for (Thread thread : threads) {
        if (thread.isAlive()) {
          thread.join(Math.max(1, Math.min(LOOK_MILLIS, millis)));
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Evidence of what the acknowledged calls should have left or answered, and of what this agent
   * finds; to be asked after {@link #finish}.
   *
   * @param creator whether this agent is the one that reads back for all
   * @param digest digests everything that is in the grid
   * @param contents reads everything that is in the grid, record by record
   */
  public Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    return workload.verify(creator, digest, contents);
  }

  /** Gives the load threads up without waiting for them. */
  public void abandon() {
    loops.forEach(LoadLoop::stop);
    threads.forEach(Thread::interrupt);
    sampler.stop();
  }
}
