package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Network namespaces of this machine as hosts, one for each process, on one network whose links can
 * be shaped. A namespace lives as long as a process in it: a small one that Pyrometer keeps there,
 * and that ends with Pyrometer however that ends. So nothing is left behind, and no name is taken.
 */
public final class Namespaces implements AutoCloseable {
  private static final String SUBNET = "10.203.77.";
  private static final int MOST = 250;

  private final NamespaceCommands machine;
  private final LinkShaping shaping;
  private final List<NamespaceCommands.Keeper> keepers = new ArrayList<>();
  private final List<Host> hosts = new ArrayList<>();

  private Namespaces(NamespaceCommands machine, LinkShaping shaping) {
    this.machine = machine;
    this.shaping = shaping;
  }

  /** Why this machine lets Pyrometer make none; empty if it does. */
  public static Optional<String> lacking(NamespaceCommands machine) {
    if (!works(machine, "unshare", "--net", "true")) {
      return Optional.of(
          "Pyrometer cannot create network namespaces on this machine ('unshare --net true' fails):"
              + " run it as root on Linux, or name 'hosts' of your own.");
    }
    return LinkShaping.found(machine).isPresent()
        ? Optional.empty()
        : Optional.of(
            "Links between namespaces cannot be shaped: the kernel has no netem (tried 'tc qdisc"
                + " add … netem') and gives no TAP device (tried 'ip tuntap add'). Name 'hosts' of"
                + " your own.");
  }

  static boolean works(NamespaceCommands machine, String... command) {
    try {
      return machine.run(List.of(command)).code() == 0;
    } catch (WorkerException absent) {
      return false;
    }
  }

  /**
   * @param machine to make them on
   * @param nodes for how many nodes; the first of them, which every cluster has, can be cut off
   * @param agents for how many agents
   * @throws WorkerException with one sentence if the machine refuses
   */
  public static Namespaces make(NamespaceCommands machine, int nodes, int agents) {
    lacking(machine)
        .ifPresent(
            why -> {
              throw new WorkerException(why, true);
            });
    if (nodes + agents > MOST) {
      throw new WorkerException("At most %d namespaces can be created.".formatted(MOST), true);
    }
    Namespaces made = new Namespaces(machine, LinkShaping.found(machine).orElseThrow());
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
    return inside(pid, "ip", "link", "set", LinkShaping.DEVICE, state);
  }

  /** The command inside the namespace of a process. */
  static List<String> inside(long pid, String... command) {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", String.valueOf(pid), "-n"));
    whole.addAll(List.of(command));
    return whole;
  }

  /**
   * @throws WorkerException with what it said if it fails
   */
  static void must(NamespaceCommands machine, List<String> command) {
    NamespaceCommands.Ended ended = machine.run(command);
    if (ended.code() != 0) {
      throw new WorkerException(
          "The network between namespaces cannot be created: '%s' reported '%s'."
              .formatted(String.join(" ", command), LogTail.plain(ended.error())),
          true);
    }
  }

  public List<Host> hosts() {
    return List.copyOf(hosts);
  }

  private List<Long> pids() {
    return keepers.stream().map(NamespaceCommands.Keeper::pid).toList();
  }

  private List<String> addresses() {
    return hosts.stream().map(Host::address).toList();
  }

  /** How the links are shaped, in words for people. */
  public String words() {
    return shaping.words();
  }

  /** Names of the devices that a switch must make first; none where the kernel shapes links. */
  public List<String> devices() {
    return shaping.devices(hosts.size());
  }

  /** Connects them, once a switch has made its devices. */
  public void wire() {
    shaping.wire(pids(), addresses());
  }

  /** Shapes every link, where no switch does it. */
  public void shape(Shape shape) {
    shaping.shape(pids(), shape);
  }

  @Override
  public void close() {
    keepers.forEach(NamespaceCommands.Keeper::end);
    shaping.close();
  }
}
