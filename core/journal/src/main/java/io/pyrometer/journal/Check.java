package io.pyrometer.journal;

import java.util.Optional;
import java.util.Set;

/**
 * One thing that could have disturbed or limited a trial.
 *
 * @param limit the value from which on it counts as disturbed
 * @param subject the host or process that it is about; empty for the coordinator's machine and for
 *     the trial as a whole
 */
public record Check(
    String name,
    double value,
    double limit,
    String unit,
    boolean disturbed,
    Optional<String> subject) {
  public static final String CLIENT_CPU = "client CPU";
  public static final String STEAL = "steal";
  public static final String OTHER_PROCESSES = "other processes";
  public static final String CPU_QUOTA = "CPU quota";
  public static final String CPU_PRESSURE = "CPU pressure";
  public static final String JIT_COMPILERS = "JIT compilers";
  public static final String CLOCK_STEP = "clock step";

  /** The p99 of the lateness of starts of calls, as a share of the lowest p99 of an operation. */
  public static final String SCHEDULE_SLIP = "schedule slip of p99";

  /** By how much agents began to measure after the first of them. */
  public static final String LATE_START = "late start";

  /** The share of the others' rate that an agent reached. */
  public static final String SLOWEST_RATE = "slowest rate";

  /** The share of a machine that the trial's own processes used, where nothing limits them. */
  public static final String OVERSUBSCRIBED = "oversubscribed";

  private static final Set<String> OF_MACHINE =
      Set.of(STEAL, OTHER_PROCESSES, CPU_QUOTA, CPU_PRESSURE, CLOCK_STEP);

  public Check(String name, double value, double limit, String unit, boolean disturbed) {
    this(name, value, limit, unit, disturbed, Optional.empty());
  }

  /** This check, of a host or process. */
  public Check of(Optional<String> one) {
    return new Check(name, value, limit, unit, disturbed, one);
  }

  /** Its name and its subject, such as {@code steal of w1}. */
  public String words() {
    return name + subject.map(one -> " of " + one).orElse("");
  }

  /** A check of a share that must not exceed a limit, both of 1. */
  public static Check above(String name, double share, double limit) {
    return new Check(name, share * 100, limit * 100, "%", share > limit);
  }

  /** Checks whether it is about the machine and not the trial itself, so that a repeat may help. */
  public boolean fromOutside() {
    return OF_MACHINE.contains(name);
  }
}
