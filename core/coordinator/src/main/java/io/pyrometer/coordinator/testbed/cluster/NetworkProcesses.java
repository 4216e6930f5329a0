package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The network of a cluster: relays before its servers, and switches between namespaces. */
public final class NetworkProcesses {
  private final Optional<Namespaces> namespaces;
  private final List<ManagedProcess> relays;
  private final List<ManagedProcess> switches;
  private List<String> relayAddresses = List.of();

  NetworkProcesses(
      Optional<Namespaces> namespaces, List<ManagedProcess> relays, List<ManagedProcess> switches) {
    this.namespaces = namespaces;
    this.relays = relays;
    this.switches = switches;
  }

  List<ManagedProcess> processes() {
    return Stream.concat(relays.stream(), switches.stream()).toList();
  }

  void connect() {
    Command devices =
        new Command.StartSwitch(namespaces.map(Namespaces::devices).orElse(List.of()));
    ManagedProcess.requestAll(switches, i -> devices, Answer.Done.class, Timeouts.QUICK);
    namespaces.ifPresent(Namespaces::wire);
  }

  void startRelays(List<String> targets) {
    relayAddresses =
        ManagedProcess.requestAll(
                relays, i -> new Command.StartRelay(targets), Answer.Ports.class, Timeouts.QUICK)
            .stream()
            .flatMap(listening -> listening.ports().stream())
            .map(port -> Host.LOOPBACK + ":" + port)
            .toList();
  }

  /**
   * Shapes the connections between clients and servers as a trial requires.
   *
   * @return host:port of the relays for its clients; empty where they connect to the servers
   */
  public List<String> shapeRelays(Settings trial) {
    if (!Shape.relayed(trial)) {
      return List.of();
    }
    Command shape = new Command.SetShape(Shape.of(trial), OptionalInt.empty());
    ManagedProcess.requestAll(relays, i -> shape, Answer.Done.class, Timeouts.QUICK);
    return relayAddresses;
  }

  /** Shapes the link of one host, which is a namespace. */
  public void shapeLink(Host host, Shape shape) {
    int link = namespaces.map(made -> made.hosts().indexOf(host)).orElse(-1);
    Command set = new Command.SetShape(shape, OptionalInt.of(link));
    ManagedProcess.requestAll(switches, i -> set, Answer.Done.class, Timeouts.QUICK);
  }

  /** Shapes the links between namespaces; without namespaces there are none. */
  public void shapeLinks(Shape shape) {
    Command set = new Command.SetShape(shape, OptionalInt.empty());
    ManagedProcess.requestAll(switches, i -> set, Answer.Done.class, Timeouts.QUICK);
  }
}
