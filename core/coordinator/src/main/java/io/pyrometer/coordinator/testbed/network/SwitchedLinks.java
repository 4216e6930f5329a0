package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.protocol.Shape;
import java.util.List;
import java.util.stream.IntStream;

/** Links to a switch of Pyrometer's on TAP devices, which a process of the cluster is. */
final class SwitchedLinks implements LinkShaping {

  private final NamespaceCommands machine;

  SwitchedLinks(NamespaceCommands machine) {
    this.machine = machine;
  }

  static boolean possible(NamespaceCommands machine) {
    return Namespaces.works(
        machine, "unshare", "--net", "ip", "tuntap", "add", "dev", "probe", "mode", "tap");
  }

  @Override
  public String words() {
    return "links shaped by Pyrometer's switch on TAP devices; the kernel has no netem";
  }

  @Override
  public List<String> devices(int hosts) {
    String mine = "pyro" + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX) + "-";
    return IntStream.range(0, hosts).mapToObj(i -> mine + i).toList();
  }

  @Override
  public void wire(List<Long> pids, List<String> addresses) {
    List<String> devices = devices(pids.size());
    for (int i = 0; i < devices.size(); i++) {
      String device = devices.get(i);
      Namespaces.must(
          machine, List.of("ip", "link", "set", device, "netns", String.valueOf(pids.get(i))));
      Namespaces.must(
          machine,
          Namespaces.inside(
              pids.get(i),
              "sh",
              "-c",
              "ip link set lo up && ip link set %s name %s && ip addr add %s/24 dev %s && ip link set %s mtu %d up"
                  .formatted(device, DEVICE, addresses.get(i), DEVICE, DEVICE, MTU)));
    }
  }

  @Override
  public void shape(List<Long> pids, Shape shape) {
    // The switch of each cluster does.
  }

  @Override
  public void close() {
    // The devices go with the switch.
  }
}
