package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the hosts that an experiment's processes are spread over. */
final class HostReader {
  private static final String LOCAL = "local";
  private static final String NAMESPACES = "namespaces";
  private static final List<String> KEYS =
      List.of("name", "command", "address", "folder", "java", "runs", "cut", "heal");

  private static final List<SettingKey<Double>> LINK_SETTINGS =
      List.of(
          CoreSettings.LINK_DELAY,
          CoreSettings.LINK_JITTER,
          CoreSettings.LINK_RATE,
          CoreSettings.LINK_LOSS);

  /** What means the same to a shell and to a program. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._:-]+");

  private final Problems problems;

  private HostReader(Problems problems) {
    this.problems = problems;
  }

  static List<Host> read(YamlNode node, Problems problems) {
    if (node instanceof YamlNode.Scalar scalar && scalar.text().equals(NAMESPACES)) {
      return List.of(Host.NAMESPACES);
    }
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(
          node.at(),
          "'hosts' must be a list of at least one, or 'namespaces'; write [local, \"ssh user@h\"].");
      return List.of();
    }
    HostReader reader = new HostReader(problems);
    List<Host> hosts = new ArrayList<>();
    items.nodes().forEach(item -> hosts.add(reader.host(item, hosts.size() + 1)));
    reader.checkNames(items, hosts);
    reader.checkKinds(items, hosts);
    return hosts;
  }

  private Host host(YamlNode node, int number) {
    if (node instanceof YamlNode.Keys) {
      YamlMap host = YamlMap.of(node, "a host", KEYS, problems);
      List<String> prefix =
          host.scalar("command").map(scalar -> words(scalar.text())).orElse(List.of());
      String name = plain(host, "name").orElse(prefix.isEmpty() ? LOCAL : "host-" + number);
      return new Host(
          name,
          prefix,
          plain(host, "address").orElse(Host.LOOPBACK),
          plain(host, "folder").orElse(Host.LOCAL.folder()),
          plain(host, "java").orElse(Host.LOCAL.java()),
          host.scalar("runs").flatMap(this::kind),
          severing(node, host));
    }
    String command = YamlMap.scalar("a host", node, problems).map(s -> s.text()).orElse(LOCAL);
    return command.equals(LOCAL)
        ? Host.LOCAL
        : new Host(
            "host-" + number,
            words(command),
            Host.LOOPBACK,
            Host.LOCAL.folder(),
            Host.LOCAL.java(),
            Optional.empty(),
            Optional.empty());
  }

  private Optional<Host.Severing> severing(YamlNode node, YamlMap host) {
    Optional<List<String>> cut = host.scalar("cut").map(scalar -> words(scalar.text()));
    Optional<List<String>> heal = host.scalar("heal").map(scalar -> words(scalar.text()));
    if (cut.isPresent() != heal.isPresent()) {
      problems.add(
          node.at(), "a host has both 'cut' and 'heal' or neither; add the one that is missing.");
    }
    return cut.flatMap(off -> heal.map(on -> new Host.Severing(off, on)));
  }

  /** Says so where a treatment asks of the network between hosts what it cannot give. */
  static void checkNetwork(
      Treatments treatments, List<Host> hosts, Position at, Problems problems) {
    boolean namespaces = hosts.contains(Host.NAMESPACES);
    if (namespaces || treatments.atMost() > Treatments.MOST) {
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
        problems.add(
            at,
            "'%s' shapes the links between namespaces, and there are none; write 'hosts: namespaces'."
                .formatted(key.name()));
      }
    }
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }

  private Optional<String> plain(YamlMap host, String key) {
    Optional<YamlNode.Scalar> scalar = host.scalar(key);
    scalar
        .filter(s -> !PLAIN.matcher(s.text()).matches())
        .ifPresent(
            s ->
                problems.add(
                    s.at(),
                    "'%s' of a host takes letters, digits and / . _ : - alone; correct it."
                        .formatted(key)));
    return scalar.map(YamlNode.Scalar::text);
  }

  private Optional<String> kind(YamlNode.Scalar scalar) {
    return switch (scalar.text()) {
      case "nodes" -> Optional.of("node");
      case "agents" -> Optional.of("agent");
      default -> {
        problems.add(scalar.at(), "'runs' takes nodes or agents; leave it out for both.");
        yield Optional.empty();
      }
    };
  }

  private void checkNames(YamlNode.Items items, List<Host> hosts) {
    Set<String> names = new HashSet<>();
    hosts.stream()
        .filter(host -> !names.add(host.name()))
        .findFirst()
        .ifPresent(
            twice ->
                problems.add(
                    items.at(),
                    "two hosts are named '%s'; give each a name of its own."
                        .formatted(twice.name())));
  }

  private void checkKinds(YamlNode.Items items, List<Host> hosts) {
    for (String kind : List.of("node", "agent")) {
      if (hosts.stream().noneMatch(host -> host.runs().map(kind::equals).orElse(true))) {
        problems.add(items.at(), "no host runs %ss; add one that does.".formatted(kind));
      }
    }
  }
}
