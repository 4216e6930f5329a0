package io.pyrometer.scenario;

import io.pyrometer.load.LatencyTimer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Cost of a scenario's timers and named steps for the thread that records them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StepBenchmark {
  /** A log holds 16 million spans; a new one is begun before, so that none is left out. */
  private static final int SPANS_OF_A_LOG = 15_000_000;

  /**
   * Without work between its spans the benchmark would write tens of millions of them a second, and
   * wait for the pages of its log, which no service does.
   */
  private static final long WORK = 250;

  private final LatencyTimer timer = new LatencyTimer();
  private Path file = Path.of("spans");
  private SpanWriter log = begun();
  private int step;
  private int spans;
  private long nanos;

  private SpanWriter begun() {
    try {
      file = Files.createTempFile("pyrometer", ".spans");
      return SpanWriter.create(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names the step. */
  @Setup
  public void begin() {
    step = log.step("step", Part.CACHE_READ);
  }

  private void next() throws IOException {
    if (++spans == SPANS_OF_A_LOG) {
      end();
      log = begun();
      begin();
      spans = 0;
    }
  }

  /** Removes the log. */
  @TearDown
  public void end() throws IOException {
    log.close();
    Files.deleteIfExists(file);
  }

  /** A duration into a timer's histogram. */
  @Benchmark
  public void recordTimer() {
    nanos = (nanos + 7_919) & 0xfffff;
    timer.record(nanos);
  }

  /** Work between two steps, here about half a microsecond. */
  @Benchmark
  public void workAlone() {
    Blackhole.consumeCPU(WORK);
  }

  /** Work and a named step: a span into the log and a duration into its timer. */
  @Benchmark
  public void workAndStep() throws IOException {
    Blackhole.consumeCPU(WORK);
    next();
    nanos = (nanos + 7_919) & 0xfffff;
    log.writeStep(step, spans, true, 0, nanos, nanos + 1_000);
    timer.record(nanos);
  }

  /** The clock alone, which a step reads twice. */
  @Benchmark
  public long readTheClock() {
    return System.nanoTime();
  }
}
