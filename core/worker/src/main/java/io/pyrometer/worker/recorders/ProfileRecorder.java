package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import one.profiler.AsyncProfiler;

/**
 * Samples stacks with async-profiler: of threads on a CPU, and of allocations. The library is taken
 * from its jar, which holds it for Linux (x64, arm64) and macOS.
 *
 * <p>Options: {@value #INTERVAL} of CPU time between two samples, such as {@code 1ms}; {@value
 * #ALLOCATED} bytes between two samples of allocations, such as {@code 2m}. On Linux every thread
 * has a timer of its CPU time (ctimer), which the kernel looks at in its ticks (every 4 ms at
 * HZ=250): with an interval well below a tick, each tick samples the thread that it finds running.
 * With a longer one a thread that uses less has no sample, and one that runs for less than a tick
 * at a time has too few. One timer for the whole process (itimer) gave a thread of long turns
 * beside threads of short ones 40 % too few. Perf events would add kernel stacks, where the kernel
 * allows them, but each switch between threads then costs more, a quarter of the CPU time of a
 * small request (docs/reports.md).
 */
public final class ProfileRecorder implements Recorder {
  static final String INTERVAL = "interval";
  static final String ALLOCATED = "allocated";

  private Path file = Path.of("profile.jfr");
  private String arguments = "";

  @Override
  public String device() {
    return "profile";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    String version = profiler().getVersion();
    file = setup.folder().resolve("profile.jfr");
    String event = System.getProperty("os.name").startsWith("Linux") ? "ctimer" : "cpu";
    String interval = setup.option(INTERVAL, "1ms");
    String allocated = setup.option(ALLOCATED, "2m");
    arguments = "event=%s,interval=%s,alloc=%s,jfr".formatted(event, interval, allocated);
    if (file.toString().contains(",")) {
      throw new GridException(Messages.format("worker.profiler-path").formatted(file));
    }
    return Map.of("version", version, "event", event, INTERVAL, interval, ALLOCATED, allocated);
  }

  private static AsyncProfiler profiler() {
    try {
      return AsyncProfiler.getInstance();
    } catch (IllegalStateException | LinkageError failure) {
      throw GridException.of(
          Messages.format("worker.profiler-unavailable"),
          System.getProperty("os.name"),
          System.getProperty("os.arch"),
          failure.getMessage(),
          failure);
    }
  }

  @Override
  public void start() {
    String unused = execute("start," + arguments + ",file=" + file);
  }

  @Override
  public Result stop() {
    String unused = execute("stop,file=" + file);
    double samples = (double) profiler().getSamples();
    if (!Files.isRegularFile(file)) {
      throw new GridException(Messages.format("worker.no-profile").formatted(file));
    }
    return new Result(List.of(Reading.neutral("samples", samples, "samples")), List.of(file));
  }

  private static String execute(String command) {
    try {
      return profiler().execute(command);
    } catch (IllegalArgumentException | IllegalStateException | IOException failure) {
      throw GridException.of(
          "async-profiler refused '%s': %s.", command, failure.getMessage(), failure);
    }
  }
}
