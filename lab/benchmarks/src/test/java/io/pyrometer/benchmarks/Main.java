package io.pyrometer.benchmarks;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks with the GC profiler; JMH's own options on the command line prevail. */
public final class Main {

  private static final int FORKS = 5;
  private static final int ITERATIONS = 5;

  private Main() {}

  /** Takes JMH's options. */
  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    var options =
        new OptionsBuilder()
            .parent(new CommandLineOptions(args))
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuTime.class);
    var given = new CommandLineOptions(args);
    if (!given.getForkCount().hasValue()) {
      options.forks(FORKS);
    }
    if (!given.getWarmupIterations().hasValue()) {
      options.warmupIterations(ITERATIONS).warmupTime(TimeValue.seconds(1));
    }
    if (!given.getMeasurementIterations().hasValue()) {
      options.measurementIterations(ITERATIONS).measurementTime(TimeValue.seconds(1));
    }
    new Runner(options.build()).run();
  }
}
