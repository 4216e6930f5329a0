package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.worker.ProcessCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Times in which the JVM did not run, from a thread that sleeps {@value #SLEEP_MILLIS} ms at a time
 * and wakes late: GC pauses and other safepoints, a CPU quota, a suspended process or virtual
 * machine, or more threads than CPUs. A hundred wake-ups a second cost about 0.3 % of a CPU. On the
 * way it records when the JVM compiled, which takes CPUs from calls for as long.
 */
public final class StallRecorder implements Recorder {
  static final long SLEEP_MILLIS = 10;

  /** Shorter delays are usual of a thread that waits for a CPU. */
  static final long MIN_MILLIS = 20;

  /** How long the CPU time of compiler threads is added up; the kernel updates it every 4 ms. */
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Part of a CPU from which on a window is one of compilation. */
  private static final double COMPILING = 0.5;

  private static final int MAX_STALLS = 100_000;

  private final NanoClock clock;
  private final DoubleSupplier compilerSeconds;
  private Setup prepared = Setup.NONE;
  private Optional<Watch> watch = Optional.empty();

  /** By this machine's clock. */
  public StallRecorder() {
    this(NanoClock.SYSTEM, ProcessCounters::knownCompilerSeconds);
  }

  /**
   * @param compilerSeconds CPU time of the compiler threads so far; 0 where it is not known
   */
  StallRecorder(NanoClock clock, DoubleSupplier compilerSeconds) {
    this.clock = clock;
    this.compilerSeconds = compilerSeconds;
  }

  @Override
  public String device() {
    return "stalls";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    prepared = setup;
    return Map.of();
  }

  @Override
  public void start() {
    Watch started = new Watch(clock, compilerSeconds);
    started.start();
    watch = Optional.of(started);
  }

  @Override
  public Result stop() {
    Watch running = watch.orElseThrow();
    running.end();
    List<GridActivity> stalls = List.copyOf(running.stalls);
    Map<String, List<GridActivity>> activities = new TreeMap<>(Map.of(GridActivity.STALL, stalls));
    if (compilerSeconds.getAsDouble() > 0) {
      activities.put(GridActivity.COMPILATION, running.compilations);
    }
    LongSummaryStatistics millis =
        stalls.stream().mapToLong(GridActivity::millis).summaryStatistics();
    return new Result(
        List.of(
            Reading.lower("total", (double) millis.getSum(), "ms"),
            Reading.lower("max", (double) Math.max(0, millis.getMax()), "ms")),
        List.of(prepared.write(activities)));
  }

  private static final class Watch extends Thread {
    private final List<GridActivity> stalls = new ArrayList<>();
    private final List<GridActivity> compilations = new ArrayList<>();
    private final NanoClock clock;
    private final DoubleSupplier compilerSeconds;
    private volatile boolean ended;

    Watch(NanoClock clock, DoubleSupplier compilerSeconds) {
      super("stalls");
      this.clock = clock;
      this.compilerSeconds = compilerSeconds;
      setDaemon(true);
    }

    @Override
    public void run() {
      long window = clock.nanoTime();
      double compiled = compilerSeconds.getAsDouble();
      while (!ended) {
        long before = clock.nanoTime();
        clock.park(TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS));
        long now = clock.nanoTime();
        long late = TimeUnit.NANOSECONDS.toMillis(now - before) - SLEEP_MILLIS;
        if (late >= MIN_MILLIS && stalls.size() < MAX_STALLS) {
          stalls.add(new GridActivity(clock.epochMicros() / 1_000 - late, late));
        }
        if (now - window >= WINDOW_NANOS) {
          double until = compilerSeconds.getAsDouble();
          if ((until - compiled) * 1e9 >= COMPILING * (now - window)) {
            compiledFor(TimeUnit.NANOSECONDS.toMillis(now - window));
          }
          window = now;
          compiled = until;
        }
      }
    }

    /** Windows that follow each other are one. */
    private void compiledFor(long millis) {
      long end = clock.epochMicros() / 1_000;
      int last = compilations.size() - 1;
      if (last >= 0 && compilations.get(last).endMillis() >= end - millis - 1) {
        long start = compilations.get(last).startMillis();
        compilations.set(last, new GridActivity(start, end - start));
      } else if (last < MAX_STALLS) {
        compilations.add(new GridActivity(end - millis, millis));
      }
    }

    void end() {
      ended = true;
      try {
        join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new GridException(Messages.format("worker.interrupted"), interrupted);
      }
    }
  }
}
