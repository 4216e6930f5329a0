package io.pyrometer.journal;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;

/**
 * The CPU time of a trial's processes, and what kept them from it, over the seconds of the measured
 * part: an artefact of one JSON object a line.
 */
public final class CpuLog {
  public static final String KIND = "cpu-log";

  /**
   * The name that stands for the coordinator's machine in place of a process; before a blank and
   * the names of its hosts, for another one.
   */
  public static final String MACHINE = "machine";

  private CpuLog() {}

  /** The use of CPU time, or what withheld it. */
  public enum What {
    USED,
    /** The JIT compilers of a process used it; part of what the process used. */
    COMPILED,
    /** The threads of a process were stopped by a CPU quota, summed over threads. */
    THROTTLED,
    /** Processes that do not belong to the trial used it. */
    OTHERS,
    /** The hypervisor gave it to another machine. */
    STOLEN;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One process over one interval of about a second.
   *
   * @param from seconds since the begin of the measured part
   * @param to after {@code from}
   * @param process its name, or {@link #MACHINE}
   * @param cpus CPU seconds a second, on average
   * @param ofCpus of a machine, how many it has; empty for a process
   */
  public record Interval(
      double from, double to, String process, What what, double cpus, Optional<Integer> ofCpus) {

    /**
     * The words " of " and the names of the hosts of a machine other than the coordinator's; else
     * empty.
     */
    public String ofHost() {
      return process.startsWith(MACHINE + " ") ? " of" + process.substring(MACHINE.length()) : "";
    }
  }
}
