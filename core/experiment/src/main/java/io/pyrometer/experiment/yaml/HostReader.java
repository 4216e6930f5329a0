package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Keys;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the hosts that an experiment's processes are spread over. */
final class HostReader {
  private static final List<SettingKey<Double>> LINK_SETTINGS =
      List.of(
          CoreSettings.LINK_DELAY,
          CoreSettings.LINK_JITTER,
          CoreSettings.LINK_RATE,
          CoreSettings.LINK_LOSS);

  private static final Map<String, String> KINDS = Map.of("nodes", "node", "agents", "agent");

  /**
   * Never asks for a password; one connection for each host, shared and kept for a minute, and
   * given up after 15 s without an answer, so that nothing waits on that of a host which has died.
   */
  private static final List<String> SSH_OPTIONS =
      words(
          "-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ControlMaster=auto"
              + " -o ControlPath=~/.ssh/pyrometer-%C -o ControlPersist=60");

  private HostReader() {}

  /**
   * @param prefix of commands on the host; empty for this machine
   */
  record Reached(String name, List<String> prefix, String address) {}

  static List<Host> read(YamlNode node) {
    if (node instanceof Scalar) {
      return List.of(Host.NAMESPACES);
    }
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : node instanceof Keys ? List.of(node) : node.items()) {
      if (item.hasKey("cut") != item.hasKey("heal")) {
        throw item.at().problem("hosts.cut-and-heal");
      }
      for (Reached reached : reached(item, hosts.size() + 1)) {
        if (!names.add(reached.name())) {
          throw item.at().problem("hosts.same-name", reached.name());
        }
        hosts.add(host(item, reached));
      }
    }
    for (String kind : KINDS.values()) {
      if (hosts.stream().noneMatch(host -> host.runs().map(kind::equals).orElse(true))) {
        throw node.at().problem("hosts.no-role", kind);
      }
    }
    return hosts;
  }

  private static Host host(YamlNode node, Reached reached) {
    Optional<List<String>> heal = words(node, "heal");
    return new Host(
        reached.name(),
        reached.prefix(),
        reached.address(),
        node.textOf("folder").orElse(Host.LOCAL.folder()),
        node.textOf("java").orElse(Host.LOCAL.java()),
        node.textOf("runs").flatMap(kinds -> Optional.ofNullable(KINDS.get(kinds))),
        words(node, "cut").flatMap(cut -> heal.map(on -> new Host.Severing(cut, on))));
  }

  /** The hosts of an item: itself, or the pods that it selects. */
  private static List<Reached> reached(YamlNode item, int number) {
    return item.value("kubernetes")
        .map(pods -> new KubernetesPods("kubectl").read(pods))
        .orElseGet(() -> List.of(single(item, number)));
  }

  private static Reached single(YamlNode node, int number) {
    String command =
        node.scalar().map(Scalar::text).or(() -> node.textOf("command")).orElse(Host.LOCAL.name());
    List<String> prefix = new ArrayList<>();
    String name = command.equals(Host.LOCAL.name()) ? command : "host-" + number;
    String address = Host.LOOPBACK;
    if (!command.equals(Host.LOCAL.name())) {
      prefix.addAll(words(command));
      if (prefix.get(0).equals("ssh") && prefix.size() > 1) {
        String target = prefix.get(prefix.size() - 1);
        address = target.substring(target.indexOf('@') + 1);
        name = address;
        prefix.addAll(1, SSH_OPTIONS);
      }
    }
    return new Reached(
        node.textOf("name").orElse(name), prefix, node.textOf("address").orElse(address));
  }

  private static Optional<List<String>> words(YamlNode host, String key) {
    return host.textOf(key).map(HostReader::words);
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }

  /** Refuses what a treatment asks of its hosts, or of the network between, and is not there. */
  static void checkNetwork(
      List<Treatment> treatments, List<Host> hosts, Vocabulary vocabulary, Position at) {
    boolean namespaces = hosts.contains(Host.NAMESPACES);
    for (Treatment treatment : treatments) {
      Settings settings = treatment.settings();
      vocabulary
          .path(settings)
          .flatMap(path -> TrialKinds.of(path.job()))
          .flatMap(kind -> kind.obstacle(settings, namespaces))
          .ifPresent(
              why -> {
                throw at.says(why);
              });
      if (!namespaces
          && settings.get(CoreSettings.CUT_FOR) > 0
          && hosts.stream().noneMatch(host -> host.severing().isPresent())) {
        throw at.problem("hosts.cannot-cut");
      }
      for (SettingKey<Double> key : LINK_SETTINGS) {
        if (!namespaces && settings.get(key) > 0) {
          throw at.problem("hosts.no-links", key.name());
        }
      }
    }
  }
}
