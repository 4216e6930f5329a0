package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.Command;

/** Looks at records of a cache that is not Pyrometer's. */
public final class CacheSampling {

  private CacheSampling() {}

  /**
   * Looks at a cache of the grid that a run attaches to.
   *
   * @param records how many to look at, at most
   * @throws RunException with one sentence if the grid cannot be reached or has no such records
   */
  public static CacheSample of(
      PlannedRun plan, PreparedHosts hosts, ProcessLauncher launcher, String cache, int records) {
    try (CheckAgent agent = new CheckAgent(plan, hosts, launcher, plan.groups().get(0))) {
      agent.attach();
      return agent
          .ask(new Command.SampleCache(cache, records), Answer.CacheSampled.class, Timeouts.PREPARE)
          .sample();
    } catch (WorkerException failure) {
      throw new RunException(CheckAgent.sentence(failure), failure);
    }
  }
}
