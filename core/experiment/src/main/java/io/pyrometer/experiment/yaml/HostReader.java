package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Host;
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

  /** One word without a path. */
  private static final String ALIAS = "[A-Za-z0-9@._-]+";

  /** Never asks for a password; one connection for each host, shared and kept for a minute. */
  private static final List<String> SSH =
      List.of(
          "ssh",
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=10",
          "-o",
          "ControlMaster=auto",
          "-o",
          "ControlPath=~/.ssh/pyrometer-%C",
          "-o",
          "ControlPersist=60");

  private HostReader() {}

  static List<Host> read(YamlNode node, Problems problems) {
    if (node instanceof Scalar) {
      return List.of(Host.NAMESPACES);
    }
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : node.items()) {
      Host host = host(item, hosts.size() + 1);
      if (item.hasKey("cut") != item.hasKey("heal")) {
        problems.add(
            item.at(), "a host has both 'cut' and 'heal' or neither; add the one that is missing.");
      }
      if (!names.add(host.name())) {
        String sentence = "two hosts are named '%s'; give each a name of its own.";
        problems.add(item.at(), sentence, host.name());
      }
      hosts.add(host);
    }
    for (String kind : KINDS.values()) {
      if (hosts.stream().noneMatch(host -> host.runs().map(kind::equals).orElse(true))) {
        problems.add(node.at(), "no host runs %ss; add one that does.", kind);
      }
    }
    return hosts;
  }

  private static Host host(YamlNode node, int number) {
    String command = node.scalar().map(Scalar::text).orElse("");
    if (command.matches(ALIAS) && !command.equals(Host.LOCAL.name())) {
      return reachedBySsh(command);
    }
    List<String> prefix =
        node.scalar().isEmpty()
            ? words(node, "command").orElse(List.of())
            : command.equals(Host.LOCAL.name()) ? List.of() : words(command);
    Optional<List<String>> heal = words(node, "heal");
    return new Host(
        node.textOf("name").orElse(prefix.isEmpty() ? Host.LOCAL.name() : "host-" + number),
        prefix,
        node.textOf("address").orElse(Host.LOOPBACK),
        node.textOf("folder").orElse(Host.LOCAL.folder()),
        node.textOf("java").orElse(Host.LOCAL.java()),
        node.textOf("runs").flatMap(kinds -> Optional.ofNullable(KINDS.get(kinds))),
        words(node, "cut").flatMap(cut -> heal.map(on -> new Host.Severing(cut, on))));
  }

  /** A name alone: of a machine, or of an entry of the user's configuration of {@code ssh}. */
  private static Host reachedBySsh(String name) {
    List<String> prefix = new ArrayList<>(SSH);
    prefix.add(name);
    return new Host(
        name,
        prefix,
        SshConfiguration.address(SSH.get(0), name),
        Host.LOCAL.folder(),
        Host.LOCAL.java(),
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<List<String>> words(YamlNode host, String key) {
    return host.textOf(key).map(HostReader::words);
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }

  /** Reports where a treatment asks of the network between hosts what it cannot give. */
  static void checkNetwork(
      Treatments treatments, List<Host> hosts, Position at, Problems problems) {
    if (hosts.contains(Host.NAMESPACES) || treatments.atMost() > Treatments.MOST) {
      return;
    }
    List<Settings> all = treatments.expand().stream().map(Treatment::settings).toList();
    if (all.stream().anyMatch(settings -> settings.get(CoreSettings.CUT_FOR) > 0)
        && hosts.stream().noneMatch(host -> host.severing().isPresent())) {
      problems.add(
          at, "'cut-for' cuts a host off, and no host says how; give one 'cut' and 'heal'.");
    }
    for (SettingKey<Double> key : LINK_SETTINGS) {
      if (all.stream().anyMatch(settings -> settings.get(key) > 0)) {
        String sentence =
            "'%s' shapes the links between namespaces, and there are none; write 'hosts: namespaces'.";
        problems.add(at, sentence, key.name());
      }
    }
  }
}
