package io.pyrometer.jmh;

import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Trials that are benchmarks of caches under JMH, named by {@code benchmark} in files. */
public final class JmhKind implements TrialKind {
  /** The entries of benchmarks: a whole number under a whole number. */
  static final RecordShape RECORD = new RecordShape("benchmark", Optional.empty(), List.of());

  private static final String LIBRARIES = "jmh";
  private static final double FORK_SECONDS = 2;
  private static final double PUTS_PER_SECOND = 1_500_000;

  /** Seconds of a fork that joins a grid of several nodes. */
  private static final double JOIN_SECONDS = 4;

  private static final double GRID_PUTS_PER_SECOND = 60_000;

  @Override
  public Job job() {
    return Benchmark.JOB;
  }

  @Override
  public String key() {
    return "benchmark";
  }

  @Override
  public String description() {
    return "Instead of a record and a path: a benchmark of caches under JMH; cases may name one"
        + " each.";
  }

  @Override
  public List<String> names() {
    return Stream.of(Benchmark.values()).map(Benchmark::word).toList();
  }

  @Override
  public String name(String path) {
    return path.substring(Benchmark.PREFIX.length());
  }

  @Override
  public RecordShape record() {
    return RECORD;
  }

  @Override
  public boolean uses(String coreSetting) {
    return BenchmarkSettings.CORE.contains(coreSetting);
  }

  /** Two JVMs start, the cache is filled, and a one-shot benchmark fills it in each iteration. */
  @Override
  public double seconds(TrialSpec trial) {
    Settings settings = trial.settings();
    boolean grid = settings.get(CoreSettings.NODES) > 0;
    double fill =
        settings.get(CoreSettings.RECORDS) / (grid ? GRID_PUTS_PER_SECOND : PUTS_PER_SECOND);
    boolean timed = Benchmark.ofPath(trial.path()).map(Benchmark::timed).orElse(true);
    return FORK_SECONDS
        + (grid ? JOIN_SECONDS : 0)
        + (timed
            ? fill + settings.get(CoreSettings.WARM_UP) + settings.get(CoreSettings.MEASURE)
            : fill
                * (settings.get(BenchmarkSettings.WARM_UP_ITERATIONS)
                    + settings.get(BenchmarkSettings.ITERATIONS)));
  }

  @Override
  public double startSeconds(Settings process, double usual) {
    return process.get(CoreSettings.NODES) == 0 ? FORK_SECONDS / 2 : usual;
  }

  /** A benchmark uses the grid from a JVM of its own. */
  @Override
  public boolean usesGrid(int agent, Settings settings) {
    return false;
  }

  @Override
  public Optional<String> libraries() {
    return Optional.of(LIBRARIES);
  }

  @Override
  public long heapOfStartedJvm(Settings settings) {
    return settings.get(BenchmarkSettings.FORK_HEAP);
  }
}
