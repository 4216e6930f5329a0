package io.pyrometer.load;

import io.pyrometer.driver.nullgrid.NullDriver;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of the harness for a synchronous call in closed loop: one whole turn of a load thread on the
 * null grid, which draws a key and a record, makes the call, reads the clock, records the latency
 * and keeps the model of what was written.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordingBenchmark {

  private static final LoadThread THREAD = new LoadThread(0, 1);
  private static final Settings SETTINGS =
      new Settings(
          Map.of(
              "path",
              "put",
              "threads",
              1,
              "records",
              100_000,
              "zipf-exponent",
              0.99,
              "repeats",
              0.0,
              "rate",
              0.0,
              "reads",
              0.5));

  /** How keys are drawn. */
  @Param({"sequential", "zipf"})
  public String keys = "sequential";

  /** Whether keys belong to one thread. */
  @Param({"own", "shared"})
  public String keySharing = "own";

  private LoadLoop loop = open(SETTINGS.with("keys", keys));

  private static LoadLoop open(Settings settings) {
    FieldShape field =
        new FieldShape("value", FieldType.LONG, 0, 0, 0, 1_000_000, List.of(), false);
    RecordShape shape = new RecordShape("one-number", Optional.empty(), List.of(field));
    TrialSpec trial = new TrialSpec("benchmark", 0, 0, Map.of(), Job.WRITE, settings, shape, 1);
    Records records = Records.of(shape, settings, 1);
    Command.OpenSession session =
        new Command.OpenSession(0, 1, List.of(), List.of(), Optional.empty(), false, ".", settings);
    AccessPath path = new NullDriver().openSession(session).open(trial, records, true).path(THREAD);
    Workload workload = Workload.of(trial, records, Guarantee.OF_ONE);
    return new LoadLoop(
        workload.open(THREAD, path), path, settings, THREAD, trial.seed(), NanoClock.SYSTEM);
  }

  /** By the thread that will call. */
  @Setup
  public void begin() {
    loop = open(SETTINGS.with("keys", keys).with("key-sharing", keySharing));
    loop.begin();
  }

  /** One operation. */
  @Benchmark
  public void recordOneOperation() {
    loop.next();
  }

  /** The clock alone, which every operation reads once. */
  @Benchmark
  public long readTheClock() {
    return System.nanoTime();
  }
}
