package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.protocol.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Pairs of virtual devices on a bridge in a namespace of its own, shaped by the kernel's netem. */
final class NetemLinks implements LinkShaping {
  /** Packets that a link may hold back: those of 8 MiB. */
  private static final int MAX_PACKETS = 10_000;

  private final NamespaceCommands machine;
  private Optional<NamespaceCommands.Keeper> hub = Optional.empty();

  NetemLinks(NamespaceCommands machine) {
    this.machine = machine;
  }

  static boolean possible(NamespaceCommands machine) {
    return Namespaces.works(
        machine, "unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay",
        "1ms");
  }

  @Override
  public String words() {
    return "links shaped by the kernel's netem";
  }

  @Override
  public void wire(List<Long> pids, List<String> addresses) {
    if (hub.isPresent()) {
      return;
    }
    NamespaceCommands.Keeper bridge = machine.keeper();
    hub = Optional.of(bridge);
    in(bridge.pid(), "ip link add br0 type bridge && ip link set br0 mtu %d up".formatted(MTU));
    for (int i = 0; i < pids.size(); i++) {
      in(
          bridge.pid(),
          "ip link add port%d type veth peer name %s netns %d && ip link set port%d master br0 mtu %d up"
              .formatted(i, DEVICE, pids.get(i), i, MTU));
      in(
          pids.get(i),
          "ip link set lo up && ip addr add %s/24 dev %s && ip link set %s mtu %d up"
              .formatted(addresses.get(i), DEVICE, DEVICE, MTU));
    }
  }

  private void in(long pid, String script) {
    Namespaces.must(machine, Namespaces.inside(pid, "sh", "-c", script));
  }

  @Override
  public List<String> devices(int hosts) {
    return List.of();
  }

  @Override
  public void shape(List<Long> pids, Shape shape) {
    for (long pid : pids) {
      Namespaces.must(machine, Namespaces.inside(pid, command(shape).toArray(String[]::new)));
    }
  }

  /**
   * The command that gives the device of a namespace this shape. Of netem, jitter lies around the
   * delay; of a {@link Shape}, on top of it.
   */
  static List<String> command(Shape shape) {
    List<String> command = new ArrayList<>(List.of("tc", "qdisc", "replace", "dev", DEVICE));
    command.addAll(List.of("root", "netem", "limit", String.valueOf(MAX_PACKETS)));
    double half = shape.jitterSeconds() / 2;
    if (shape.delaySeconds() + half > 0) {
      command.addAll(List.of("delay", micros(shape.delaySeconds() + half)));
    }
    if (half > 0) {
      command.add(micros(half));
    }
    if (shape.loss() > 0) {
      command.addAll(List.of("loss", String.format(Locale.ROOT, "%.6f%%", shape.loss() * 100)));
    }
    if (shape.bitsPerSecond() > 0) {
      command.addAll(List.of("rate", String.format(Locale.ROOT, "%.0fbit", shape.bitsPerSecond())));
    }
    return command;
  }

  private static String micros(double seconds) {
    return String.format(Locale.ROOT, "%.0fus", seconds * 1e6);
  }

  @Override
  public void close() {
    hub.ifPresent(NamespaceCommands.Keeper::end);
  }
}
