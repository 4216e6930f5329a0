package io.pyrometer.chaos;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts in namespaces of their own that do not reach each other until this is closed. Each is told
 * a link-layer address of the others that nobody has, so that what it sends is lost in silence, as
 * in a network that is cut; a route that forbids it would report an error to the sender.
 */
final class Blackout implements Faults.Healing {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String DEVICE = "eth0";
  private static final String NOBODY = "02:00:00:00:00:ff";

  private final List<Host[]> cut = new ArrayList<>();

  /**
   * Cuts the hosts of one side off from those of the other.
   *
   * @param bothWays whether what the other side sends to the one is lost too
   * @throws WorkerException if the kernel refuses
   */
  static Blackout between(List<Host> one, List<Host> other, boolean bothWays) {
    List<Host[]> pairs = new ArrayList<>();
    for (Host a : one) {
      for (Host b : other) {
        pairs.add(new Host[] {a, b});
        if (bothWays) {
          pairs.add(new Host[] {b, a});
        }
      }
    }
    return between(pairs);
  }

  /**
   * Loses what the first of each pair sends to the second.
   *
   * @throws WorkerException if the kernel refuses
   */
  static Blackout between(List<Host[]> pairs) {
    Blackout made = new Blackout();
    try {
      pairs.forEach(pair -> made.cut(pair[0], pair[1]));
      return made;
    } catch (WorkerException refused) {
      made.close();
      throw refused;
    }
  }

  private void cut(Host from, Host to) {
    cut.add(new Host[] {from, to});
    require(
        from,
        "ip",
        "neigh",
        "replace",
        to.address(),
        "lladdr",
        NOBODY,
        "nud",
        "permanent",
        "dev",
        DEVICE);
  }

  private static void require(Host host, String... command) {
    RemoteShell.Ended ended = new RemoteShell(host).run(PATIENCE, command);
    if (ended.code() != 0) {
      throw WorkerException.mismatch(
          "The network of %s cannot be cut or healed: '%s' reported '%s'.",
          host.name(), String.join(" ", command), ended.error());
    }
  }

  /**
   * Lets the hosts find each other again.
   *
   * @throws WorkerException of the last that could not be healed
   */
  @Override
  public void close() {
    List<WorkerException> failures = new ArrayList<>();
    for (Host[] pair : cut) {
      try {
        require(pair[0], "ip", "neigh", "del", pair[1].address(), "dev", DEVICE);
      } catch (WorkerException failure) {
        failures.add(failure);
      }
    }
    cut.clear();
    if (!failures.isEmpty()) {
      throw failures.get(failures.size() - 1);
    }
  }
}
