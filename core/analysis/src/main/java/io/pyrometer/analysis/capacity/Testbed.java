package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.capacity.ClosedNetwork.Queue;
import java.util.List;

/** Where calls are made: which CPUs serve them. */
public sealed interface Testbed {
  /**
   * All processes share one machine.
   *
   * @param cpus of the machine
   */
  record Shared(int cpus) implements Testbed {
    @Override
    public List<Queue> queues(
        int servers, double clientSeconds, double serverSeconds, double idle) {
      double seconds = (clientSeconds + serverSeconds) / room(cpus, servers * idle);
      return List.of(new Queue(seconds, cpus, 1));
    }
  }

  /**
   * All processes on one machine, each with a CPU quota that the machine can serve. A quota holds
   * all threads to so many CPU seconds a second, whichever CPUs they are on.
   *
   * @param serverCpus quota of each server
   * @param clientCpus quotas of all clients together
   */
  record Quotas(double serverCpus, double clientCpus) implements Testbed {
    @Override
    public List<Queue> queues(
        int servers, double clientSeconds, double serverSeconds, double idle) {
      return List.of(
          ofQuota(serverSeconds / room(serverCpus, idle), serverCpus, servers),
          ofQuota(clientSeconds, clientCpus, 1));
    }

    /** As many CPUs as the quota has whole ones, each faster by the rest. */
    private static Queue ofQuota(double seconds, double quota, int processes) {
      int cpus = Math.max(1, (int) quota);
      return new Queue(seconds * cpus / quota, cpus, processes);
    }
  }

  /**
   * Every server and client on a machine of its own.
   *
   * @param cpus of each server
   * @param clientMachines number of machines with clients
   * @param clientCpus of each of them
   * @param roundTripSeconds on the network
   * @param roundTrips one after the other in a call
   */
  record Apart(
      int cpus, int clientMachines, int clientCpus, double roundTripSeconds, double roundTrips)
      implements Testbed {
    @Override
    public List<Queue> queues(
        int servers, double clientSeconds, double serverSeconds, double idle) {
      return List.of(
          new Queue(serverSeconds / room(cpus, idle), cpus, servers),
          new Queue(clientSeconds, clientCpus, clientMachines));
    }

    @Override
    public double networkSeconds() {
      return roundTripSeconds * roundTrips;
    }
  }

  /**
   * The queues at CPUs that a call passes.
   *
   * @param clientSeconds CPU time of a call on its client
   * @param serverSeconds the same on all servers together
   * @param idle CPUs that one server uses without load
   */
  List<Queue> queues(int servers, double clientSeconds, double serverSeconds, double idle);

  /** Time of a call on the network, besides what the measured delay holds. */
  default double networkSeconds() {
    return 0;
  }

  /** The share of CPUs that idle work leaves. */
  private static double room(double cpus, double idleCpus) {
    return Math.max(0.05, 1 - idleCpus / cpus);
  }
}
