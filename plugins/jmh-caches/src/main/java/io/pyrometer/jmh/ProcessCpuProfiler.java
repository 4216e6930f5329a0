package io.pyrometer.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** The CPU time of the whole JVM for an operation: its compilers and collectors included. */
public final class ProcessCpuProfiler implements InternalProfiler {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before;

  /** Made by JMH. */
  public ProcessCpuProfiler() {}

  @Override
  public String getDescription() {
    return "CPU time of the process for an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double micros = (system.getProcessCpuTime() - before) / 1e3;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult("cpu", micros / operations, "us/op", AggregationPolicy.AVG));
  }
}
