package io.pyrometer.journal;

/**
 * From where on a trial counts as disturbed or limited: shares of 1 unless said otherwise.
 *
 * @param steal of the machine's CPU time, taken by its host
 * @param foreignCpu of the machine's CPU time, used by processes that are none of the trial's
 * @param pressurePercent of the time in which something waited for a CPU, while the trial's own
 *     processes left room and others were at work; percent
 * @param clockStepMillis by which the wall clock left the steady one
 * @param clientCpu of the cores, used by an agent
 * @param networkCpu of the cores, used by a relay between clients and nodes, or a switch
 * @param jitCompilers of a process's CPU time, used by its JIT compilers: from there on its code is
 *     not warm
 * @param clientGc of an agent's time, spent in garbage collection
 * @param slipOfP99 p99 of the send lateness as a share of the measured p99
 * @param achieved least share of the offered rate
 * @param errors of the calls
 * @param ownCpu of the CPU time that other processes leave on a machine, used by the trial's own
 *     processes without limits that keep them apart: from there on they measure one another
 * @param split by which the parts of requests that pass through several processes may differ from
 *     their whole time
 * @param followed least share of such completed requests whose way through all processes is known
 * @param startMillis by which an agent may begin to measure after the first
 * @param agentRate least share of the median rate of all agents that each must reach
 * @param generator least multiple of the trial's rate that the null grid reaches
 */
public record ValidityLimits(
    double steal,
    double foreignCpu,
    double pressurePercent,
    double clockStepMillis,
    double clientCpu,
    double networkCpu,
    double jitCompilers,
    double clientGc,
    double slipOfP99,
    double achieved,
    double errors,
    double ownCpu,
    double split,
    double followed,
    double startMillis,
    double agentRate,
    double generator) {

  public static final ValidityLimits USUAL =
      new ValidityLimits(
          0.01, 0.10, 10, 50, 0.70, 0.25, 0.10, 0.01, 0.10, 0.98, 0.001, 0.85, 0.02, 0.99, 10, 0.8,
          3);
}
