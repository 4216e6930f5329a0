package io.pyrometer.worker;

import com.sun.management.OperatingSystemMXBean;
import io.pyrometer.protocol.Answer;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process has used so far. */
final class ProcessUsage {

  private static final int FIELD_MAJOR_FAULTS = 9;
  private static final int FIELD_RESIDENT_PAGES = 21;
  private static final long PAGE = 4_096;
  private static final String CPUS_ALLOWED = "Cpus_allowed_list:";

  private ProcessUsage() {}

  static Answer.Used now() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double gc =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    String[] stat = stat();
    return new Answer.Used(
        system.getProcessCpuTime() / 1e9,
        gc / 1e3,
        ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
        field(stat, FIELD_RESIDENT_PAGES) * PAGE,
        field(stat, FIELD_MAJOR_FAULTS),
        allocated(),
        Runtime.getRuntime().availableProcessors(),
        cpusAllowed());
  }

  private static String cpusAllowed() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith(CPUS_ALLOWED))
          .map(line -> line.substring(CPUS_ALLOWED.length()).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
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

  /**
   * Fields of /proc/self/stat after the command's name (which may hold blanks); empty where there
   * is none.
   */
  private static String[] stat() {
    try {
      String line = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.UTF_8);
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException e) {
      return new String[0];
    }
  }

  private static long field(String[] stat, int index) {
    return index < stat.length ? Long.parseLong(stat[index]) : 0;
  }
}
