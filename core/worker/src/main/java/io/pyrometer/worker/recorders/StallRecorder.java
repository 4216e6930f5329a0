package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Times in which the JVM did not run, from a thread that sleeps {@value #SLEEP_MILLIS} ms at a time
 * and wakes late: GC pauses and other safepoints, a CPU quota, a suspended process or virtual
 * machine, or more threads than CPUs. A hundred wake-ups a second cost about 0.3 % of a CPU.
 */
public final class StallRecorder implements Recorder {
  static final long SLEEP_MILLIS = 10;

  /** Shorter delays are usual of a thread that waits for a CPU. */
  static final long MIN_MILLIS = 20;

  private static final int MAX_STALLS = 100_000;

  private final NanoClock clock;
  private Path folder = Path.of(".");
  private Optional<Watch> watch = Optional.empty();

  /** By this machine's clock. */
  public StallRecorder() {
    this(NanoClock.SYSTEM);
  }

  StallRecorder(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public String device() {
    return "stalls";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    folder = setup.folder();
    return Map.of();
  }

  @Override
  public void start() {
    Watch started = new Watch(clock);
    started.start();
    watch = Optional.of(started);
  }

  @Override
  public Result stop() {
    Watch running = watch.orElseThrow(() -> new GridException("No stalls are being recorded."));
    watch = Optional.empty();
    List<GridActivity> stalls = running.end();
    Path file = folder.resolve(GridActivity.FILE);
    try {
      Json.LINES.writeValue(file.toFile(), Map.of(GridActivity.STALL, stalls));
    } catch (IOException failure) {
      throw GridException.of(
          "The stalls cannot be written to %s: %s.", file, failure.getMessage(), failure);
    }
    return new Result(
        List.of(
            Reading.lower(
                "total", (double) stalls.stream().mapToLong(GridActivity::millis).sum(), "ms"),
            Reading.lower(
                "max",
                (double) stalls.stream().mapToLong(GridActivity::millis).max().orElse(0),
                "ms")),
        List.of(file));
  }

  private static final class Watch extends Thread {
    private final List<GridActivity> stalls = new ArrayList<>();
    private final NanoClock clock;
    private volatile boolean ended;

    Watch(NanoClock clock) {
      super("stalls");
      this.clock = clock;
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!ended) {
        long before = clock.nanoTime();
        clock.park(TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS));
        long late = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - before) - SLEEP_MILLIS;
        if (late >= MIN_MILLIS && stalls.size() < MAX_STALLS) {
          stalls.add(new GridActivity(clock.epochMicros() / 1_000 - late, late));
        }
      }
    }

    List<GridActivity> end() {
      ended = true;
      try {
        join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new GridException("Waiting for the end of recording was interrupted.", interrupted);
      }
      return List.copyOf(stalls);
    }
  }
}
