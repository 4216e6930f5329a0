package io.pyrometer.worker;

import com.sun.management.OperatingSystemMXBean;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JvmBeans;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.MachineReading;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;

/**
 * Resources that a process has used so far, from {@code /proc/PID/stat} and {@code
 * /proc/PID/status} (proc(5)) where they are, else from the JVM.
 *
 * @param userSeconds CPU time in user mode, or all of it if the system does not separate modes
 * @param systemSeconds CPU time in the kernel
 * @param residentBytes now; 0 where the system does not tell
 * @param majorFaults page faults that needed the disk; 0 where the system does not tell
 * @param cpusAllowed such as {@code 0-3,7}; empty where the system does not tell
 */
record ResourceUsage(
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    long majorFaults,
    String cpusAllowed) {

  /** Clock ticks a second in /proc: 100 on every architecture that JDKs of today run on. */
  private static final double TICKS = 100;

  // Fields after the command's name, which may hold blanks and parentheses itself.
  private static final int FIELD_MAJOR_FAULTS = 9;
  private static final int FIELD_USER_TICKS = 11;
  private static final int FIELD_SYSTEM_TICKS = 12;

  /**
   * Resources that this worker has used.
   *
   * @param serverPids the processes of a native server that it supervises; empty for none
   */
  static Answer.Used of(List<Long> serverPids) {
    ResourceUsage own = of(ProcessHandle.current());
    double up = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    if (serverPids.isEmpty()) {
      return own.answer(
          0,
          gcSeconds(),
          up,
          allocated(),
          Runtime.getRuntime().availableProcessors(),
          ProcessCounters.ofThisJvm());
    }
    ResourceUsage server = sum(serverPids);
    return server.answer(
        own.userSeconds + own.systemSeconds,
        0,
        up,
        0,
        count(server.cpusAllowed),
        serverPids.stream()
            .map(ProcessCounters::ofNative)
            .reduce(Answer.Inside::plus)
            .orElse(Answer.Inside.NONE));
  }

  /**
   * Resources that a server has used that this worker watches and did not start.
   *
   * @throws GridException if it has ended
   */
  static Answer.Used ofServer(long pid) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(ResourceUsage::ofOther)
        .orElseThrow(() -> GridException.of("Its process %d has ended.", pid));
  }

  private static Answer.Used ofOther(ProcessHandle process) {
    ResourceUsage other = of(process);
    double up =
        process
            .info()
            .startInstant()
            .map(start -> Duration.between(start, Instant.now()).toMillis() / 1e3)
            .orElse(0.0);
    return other.answer(
        0, 0, up, 0, count(other.cpusAllowed), ProcessCounters.ofNative(process.pid()));
  }

  /**
   * The CPU time of this worker alone, without anything that takes long to read.
   *
   * @param serverPids the processes of a native server that it supervises, whose time is told
   *     instead
   */
  static double cpuSeconds(List<Long> serverPids) {
    if (serverPids.isEmpty()) {
      return seconds(ProcessHandle.current());
    }
    ResourceUsage server = sum(serverPids);
    return server.userSeconds + server.systemSeconds;
  }

  /** Usage of those of the processes that have not ended, together. */
  private static ResourceUsage sum(List<Long> pids) {
    return pids.stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .map(ResourceUsage::of)
        .reduce(new ResourceUsage(0, 0, 0, 0, ""), ResourceUsage::plus);
  }

  private static ResourceUsage of(ProcessHandle process) {
    String line = String.join("", MachineReading.lines("/proc/" + process.pid() + "/stat"));
    if (line.isEmpty()) {
      return new ResourceUsage(seconds(process), 0, 0, 0, "");
    }
    String[] stat = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    List<String> status = MachineReading.lines("/proc/" + process.pid() + "/status");
    return new ResourceUsage(
        Long.parseLong(stat[FIELD_USER_TICKS]) / TICKS,
        Long.parseLong(stat[FIELD_SYSTEM_TICKS]) / TICKS,
        value(status, "VmRSS:").map(kb -> Long.parseLong(kb.split(" ", -1)[0]) << 10).orElse(0L),
        Long.parseLong(stat[FIELD_MAJOR_FAULTS]),
        value(status, "Cpus_allowed_list:").orElse(""));
  }

  private static double seconds(ProcessHandle process) {
    return process.pid() == ProcessHandle.current().pid()
            && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
  }

  private static Optional<String> value(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).strip())
        .findFirst();
  }

  private ResourceUsage plus(ResourceUsage other) {
    return new ResourceUsage(
        userSeconds + other.userSeconds,
        systemSeconds + other.systemSeconds,
        residentBytes + other.residentBytes,
        majorFaults + other.majorFaults,
        cpusAllowed.isEmpty() ? other.cpusAllowed : cpusAllowed);
  }

  private Answer.Used answer(
      double supervisor,
      double gcSeconds,
      double up,
      long allocated,
      int cores,
      Answer.Inside inside) {
    return new Answer.Used(
        userSeconds,
        systemSeconds,
        supervisor,
        gcSeconds,
        up,
        residentBytes,
        majorFaults,
        allocated,
        cores,
        cpusAllowed,
        inside,
        Optional.of(MachineReading.now()));
  }

  /** How many processors a list such as {@code 0-3,7} names; all of this machine where empty. */
  static int count(String cpus) {
    if (cpus.isEmpty()) {
      return Runtime.getRuntime().availableProcessors();
    }
    return MachineReading.processors(cpus).size();
  }

  private static double gcSeconds() {
    try {
      return JvmBeans.OWN.collections().seconds();
    } catch (JMException | IOException notTold) {
      return 0;
    }
  }

  private static long allocated() {
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        && threads.isThreadAllocatedMemorySupported()) {
      long sum = 0;
      for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
        sum += Math.max(0, bytes);
      }
      return sum;
    }
    return 0;
  }
}
