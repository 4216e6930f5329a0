package io.pyrometer.driver.benchmark;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.benchmark.BenchmarkSpec;
import java.util.List;

/**
 * What runs benchmarks in JVMs of their own, found by {@link java.util.ServiceLoader} in a worker's
 * class path. Only workers that run benchmarks have one there, so that the class path of a
 * product's servers holds no JMH.
 */
@FunctionalInterface
public interface BenchmarkProcess {

  /**
   * Runs one benchmark and returns when its JVM has ended, which is of this process's own JDK.
   *
   * @param jvmFlags what the product needs on this JDK
   * @throws io.pyrometer.driver.GridException with one sentence if it cannot be run
   */
  Answer.Benchmarked run(BenchmarkSpec spec, List<String> jvmFlags);
}
