package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Network namespaces of this machine as hosts, one for each process, on one network: a switch of
 * Pyrometer's, which is a process of the cluster, shapes their links and has a TAP device for each.
 * A namespace lives as long as a process in it: a small one that Pyrometer keeps there, and that
 * ends with Pyrometer however that ends. So nothing is left behind, and no name is taken.
 */
public final class Namespaces implements AutoCloseable {
  /** How the links are shaped, for people. */
  public static final String LINKS = Messages.format("coordinator.links");

  private static final String SUBNET = "10.203.77.";
  private static final int MAX_NAMESPACES = 250;

  /** The name of each namespace's end of the network. */
  private static final String DEVICE = "eth0";

  /** The MTU of all links: jumbo frames, which need less CPU time of a switch. */
  private static final int MTU = 9_000;

  private final NamespaceCommands machine;
  private final List<NamespaceCommands.Keeper> keepers = new ArrayList<>();
  private final List<Host> hosts = new ArrayList<>();

  private Namespaces(NamespaceCommands machine) {
    this.machine = machine;
  }

  /** Why this machine lets Pyrometer make none; empty if it does. */
  public static Optional<String> lacking(NamespaceCommands machine) {
    if (!works(machine, "unshare", "--net", "true")) {
      return Optional.of(Messages.format("coordinator.no-namespaces"));
    }
    return works(machine, "unshare", "--net", "ip", "tuntap", "add", "dev", "probe", "mode", "tap")
        ? Optional.empty()
        : Optional.of(Messages.format("coordinator.no-tap-devices"));
  }

  private static boolean works(NamespaceCommands machine, String... command) {
    try {
      return machine.run(List.of(command)).code() == 0;
    } catch (WorkerException absent) {
      return false;
    }
  }

  /**
   * @param nodes for how many nodes; the first of them, which every cluster has, can be cut off
   * @param agents for how many agents
   */
  public static Namespaces make(NamespaceCommands machine, int nodes, int agents) {
    Optional<String> lacking = lacking(machine);
    if (lacking.isPresent()) {
      throw WorkerException.gone(lacking.get());
    }
    if (nodes + agents > MAX_NAMESPACES) {
      throw WorkerException.lost("coordinator.namespace-limit", MAX_NAMESPACES);
    }
    Namespaces made = new Namespaces(machine);
    try {
      for (int i = 0; i < nodes + agents; i++) {
        made.add(i < nodes ? "node" : "agent", i == 0);
      }
      return made;
    } catch (WorkerException failure) {
      made.close();
      throw failure;
    }
  }

  private void add(String runs, boolean cuttable) {
    NamespaceCommands.Keeper keeper = machine.keeper();
    keepers.add(keeper);
    String number = String.valueOf(hosts.size() + 1);
    Optional<Host.Severing> severing =
        cuttable
            ? Optional.of(new Host.Severing(link(keeper.pid(), "down"), link(keeper.pid(), "up")))
            : Optional.empty();
    hosts.add(
        new Host(
            "namespace-" + number,
            inside(keeper.pid()),
            SUBNET + number,
            Host.LOCAL.folder(),
            Host.LOCAL.java(),
            Optional.of(runs),
            severing));
  }

  private static List<String> link(long pid, String state) {
    return inside(pid, "ip", "link", "set", DEVICE, state);
  }

  /** The command inside the namespace of a process. */
  private static List<String> inside(long pid, String... command) {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", String.valueOf(pid), "-n"));
    whole.addAll(List.of(command));
    return whole;
  }

  public List<Host> hosts() {
    return List.copyOf(hosts);
  }

  /** The TAP devices that the switch must make at every start of a cluster. */
  public List<String> devices() {
    String mine = "pyro" + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX) + "-";
    return IntStream.range(0, hosts.size()).mapToObj(i -> mine + i).toList();
  }

  /** Gives each namespace its device of the switch, which has made them. */
  public void wire() {
    List<String> devices = devices();
    for (int i = 0; i < devices.size(); i++) {
      String device = devices.get(i);
      long pid = keepers.get(i).pid();
      require(List.of("ip", "link", "set", device, "netns", String.valueOf(pid)));
      require(
          inside(
              pid,
              "sh",
              "-c",
              "ip link set lo up && ip link set %s name %s && ip addr add %s/24 dev %s && ip link set %s mtu %d up"
                  .formatted(device, DEVICE, hosts.get(i).address(), DEVICE, DEVICE, MTU)));
    }
  }

  private void require(List<String> command) {
    RemoteShell.Ended ended = machine.run(command);
    if (ended.code() != 0) {
      throw WorkerException.lost(
          "coordinator.namespace-network", String.join(" ", command), LogTail.plain(ended.error()));
    }
  }

  /** Ends the namespaces; their devices go with the switch. */
  @Override
  public void close() {
    keepers.forEach(keeper -> keeper.end().run());
  }
}
