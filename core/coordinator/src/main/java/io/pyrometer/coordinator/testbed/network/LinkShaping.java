package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.protocol.Shape;
import java.util.List;
import java.util.Optional;

/** How namespaces are connected, and how their links are shaped: what the machine lets us. */
interface LinkShaping extends AutoCloseable {

  /** What each namespace calls its end of the network. */
  String DEVICE = "eth0";

  /** The MTU of all links: jumbo frames, which need less CPU time of a switch. */
  int MTU = 9_000;

  /** The kernel's own shaping where it has it, else a switch of ours. */
  static Optional<LinkShaping> found(NamespaceCommands machine) {
    if (NetemLinks.possible(machine)) {
      return Optional.of(new NetemLinks(machine));
    }
    return SwitchedLinks.possible(machine)
        ? Optional.of(new SwitchedLinks(machine))
        : Optional.empty();
  }

  String words();

  /** The devices that a switch must make at every start of a cluster, before they are wired. */
  List<String> devices(int hosts);

  /** Connects the namespaces at the start of a cluster, where they are not connected yet. */
  void wire(List<Long> pids, List<String> addresses);

  /** Shapes all links, where no switch does. */
  void shape(List<Long> pids, Shape shape);

  @Override
  void close();
}
