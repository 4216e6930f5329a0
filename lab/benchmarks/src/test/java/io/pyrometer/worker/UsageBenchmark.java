package io.pyrometer.worker;

import io.pyrometer.protocol.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Cost for a process under test of reporting its usage. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class UsageBenchmark {

  /** Threads that wait, besides those of the JVM. */
  @Param("150")
  private int threads;

  private final List<Thread> waiting = new ArrayList<>();

  /** A server has so many threads. */
  @Setup
  public void startThreads() {
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  LockSupport.park();
                }
              });
      thread.setDaemon(true);
      thread.start();
      waiting.add(thread);
    }
  }

  /** They end. */
  @TearDown
  public void stopThreads() {
    waiting.forEach(Thread::interrupt);
  }

  /** Before and after the measured part: service demands. */
  @Benchmark
  public Answer.Used readEverything() {
    return ResourceUsage.of(List.of());
  }

  /** Once a second. */
  @Benchmark
  public double readCpuTime() {
    return ResourceUsage.cpuSeconds(List.of());
  }
}
