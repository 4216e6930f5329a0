package io.pyrometer.jmh;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs each benchmark in one fork of JMH's, a fresh JVM with the class path of this one: a worker
 * that has JMH in it.
 */
public final class JmhProcess implements TrialCommands {
  /** Run the benchmark of a {@link BenchmarkSpec}. Answer: {@link Benchmarked}. */
  static final String RUN = "run";

  private static final String RESULT = "jmh.json";
  private static final long LONGEST_ITERATION_MINUTES = 15;

  /**
   * A benchmark was run.
   *
   * @param jmh the text of the result file that JMH wrote, JSON
   */
  public record Benchmarked(String jmh, BenchmarkReport report) {}

  /** A process of this JVM. */
  public JmhProcess() {
    // Another run on the machine, which holds JMH's lock, is the validity checks' concern.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Override
  public Optional<Answer> answer(Command command, Surroundings surroundings) {
    return command instanceof Command.OfKind own && own.is(Benchmark.JOB, RUN)
        ? Optional.of(
            Answer.OfKind.of(
                Fork.run(
                    own.as(BenchmarkSpec.class),
                    surroundings.driver().get().jvmFlags(Runtime.version().feature()))))
        : Optional.empty();
  }

  /** The uses of JMH: workers without it load the class around, a service. */
  private static final class Fork {

    /**
     * Runs one benchmark and returns when its JVM has ended, which is of this process's own JDK.
     *
     * @param jvmFlags what the product needs on this JDK
     * @throws GridException with one sentence if it cannot be run
     */
    private static Benchmarked run(BenchmarkSpec spec, List<String> jvmFlags) {
      Path folder = Path.of(spec.folder());
      try {
        Files.createDirectories(folder);
        Path specFile = folder.resolve(ForkedBenchmark.SPEC);
        Json.LINES.writeValue(specFile.toFile(), spec);
        Files.deleteIfExists(folder.resolve(ForkedBenchmark.REPORT));
        new Runner(options(spec, jvmFlags, folder)).run();
        return new Benchmarked(
            Files.readString(folder.resolve(RESULT)),
            Json.LINES.readValue(
                folder.resolve(ForkedBenchmark.REPORT).toFile(), BenchmarkReport.class));
      } catch (RunnerException failure) {
        throw new GridException(sentence(failure), failure);
      } catch (IOException failure) {
        throw GridException.of(
            "The benchmark left no result in %s: %s.", folder, failure.getMessage(), failure);
      }
    }

    /** JMH keeps what the fork threw as suppressed exceptions of its own. */
    private static String sentence(RunnerException failure) {
      Throwable cause = failure;
      while (cause.getCause() != null || cause.getSuppressed().length > 0) {
        cause = cause.getCause() != null ? cause.getCause() : cause.getSuppressed()[0];
      }
      String message = cause.getMessage() == null ? "" : cause.getMessage();
      return cause == failure || message.isBlank()
          ? "The JVM of the benchmark ended without a result; JMH's output is in the log."
          : message.lines().findFirst().orElse(message);
    }

    /** The method of a benchmark is named after it. */
    private static Options options(BenchmarkSpec spec, List<String> jvmFlags, Path folder) {
      Benchmark benchmark = spec.benchmark();
      Settings settings = spec.trial().settings();
      int warmUps = settings.get(BenchmarkSettings.WARM_UP_ITERATIONS);
      int iterations = settings.get(BenchmarkSettings.ITERATIONS);
      return new OptionsBuilder()
          .include("(?i)\\." + benchmark.word().replace("-", "") + "$")
          .forks(1)
          .threads(benchmark.timed() ? settings.get(CoreSettings.THREADS) : 1)
          .warmupIterations(warmUps)
          .warmupTime(share(settings.get(CoreSettings.WARM_UP), warmUps))
          .measurementIterations(iterations)
          .measurementTime(share(settings.get(CoreSettings.MEASURE), iterations))
          .timeout(TimeValue.minutes(LONGEST_ITERATION_MINUTES))
          .jvmArgs(jvmArguments(jvmFlags, settings, folder).toArray(String[]::new))
          .addProfiler(GCProfiler.class)
          .addProfiler(ProcessCpuProfiler.class)
          .shouldFailOnError(true)
          .shouldDoGC(false)
          .resultFormat(ResultFormatType.JSON)
          .result(folder.resolve(RESULT).toString())
          .build();
    }

    private static TimeValue share(double seconds, int iterations) {
      return TimeValue.milliseconds(
          Math.max(1, Math.round(1e3 * seconds / Math.max(1, iterations))));
    }

    private static List<String> jvmArguments(
        List<String> jvmFlags, Settings settings, Path folder) {
      List<String> arguments = new ArrayList<>(jvmFlags);
      long heap = settings.get(BenchmarkSettings.FORK_HEAP);
      arguments.add("-Xms" + heap);
      arguments.add("-Xmx" + heap);
      arguments.add("-XX:+ExitOnOutOfMemoryError");
      arguments.add("-D%s=%s".formatted(ForkedBenchmark.FOLDER_PROPERTY, folder));
      settings
          .find(BenchmarkSettings.FORK_JVM_ARGS)
          .ifPresent(own -> arguments.addAll(List.of(own.strip().split("\\s+", -1))));
      return arguments;
    }
  }
}
