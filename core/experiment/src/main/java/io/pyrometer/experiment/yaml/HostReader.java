package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
  static final String ALIAS = "[A-Za-z0-9@._-]+";

  /**
   * Never asks for a password; one connection for each host, shared and kept for a minute, and
   * given up after 15 s without an answer, so that nothing waits on that of a host which has died.
   */
  private static final List<String> SSH =
      List.of(
          "ssh",
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=10",
          "-o",
          "ServerAliveInterval=5",
          "-o",
          "ControlMaster=auto",
          "-o",
          "ControlPath=~/.ssh/pyrometer-%C",
          "-o",
          "ControlPersist=60");

  private final Path folder;
  private final Problems problems;

  /**
   * @param folder what relative paths start from
   */
  HostReader(Path folder, Problems problems) {
    this.folder = folder;
    this.problems = problems;
  }

  /**
   * How a host is reached.
   *
   * @param prefix empty for this machine
   */
  record Reached(String name, List<String> prefix, String address) {

    /** By {@code ssh}, which knows the target by the user's configuration. */
    static Reached bySsh(String name, List<String> options, String target) {
      List<String> prefix = new ArrayList<>(SSH);
      prefix.addAll(options);
      prefix.add(target);
      return new Reached(name, prefix, SshConfiguration.address(SSH.get(0), target));
    }
  }

  List<Host> read(YamlNode node) {
    if (node instanceof Scalar) {
      return List.of(Host.NAMESPACES);
    }
    int before = problems.count();
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : node instanceof Keys ? List.of(node) : node.items()) {
      if (item.hasKey("cut") != item.hasKey("heal")) {
        problems.add(
            item.at(), "a host has both 'cut' and 'heal' or neither; add the one that is missing.");
      }
      for (Reached reached : reached(item, hosts.size() + 1)) {
        if (!names.add(reached.name())) {
          String sentence = "two hosts are named '%s'; give each a name of its own.";
          problems.add(item.at(), sentence, reached.name());
        }
        hosts.add(host(item, reached));
      }
    }
    for (String kind : KINDS.values()) {
      if (problems.count() == before
          && !hosts.isEmpty()
          && hosts.stream().noneMatch(host -> host.runs().map(kind::equals).orElse(true))) {
        problems.add(node.at(), "no host runs %ss; add one that does.", kind);
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

  /** The hosts of an item, which is one itself or says where several are listed. */
  private List<Reached> reached(YamlNode item, int number) {
    if (item.hasKey("file")) {
      return item.scalar("file").map(file -> listed(file, number)).orElse(List.of());
    } else if (item.hasKey("inventory")) {
      return item.scalar("inventory").stream()
          .flatMap(file -> text(file).map(text -> new AnsibleInventory(file, text)).stream())
          .flatMap(inventory -> inventory.hosts(item.scalar("group"), problems).stream())
          .toList();
    }
    return item.value("kubernetes")
        .map(pods -> new KubernetesPods("kubectl", problems).read(pods))
        .orElseGet(() -> List.of(single(item, number)));
  }

  /** A file with a host a line, each as in a list. */
  private List<Reached> listed(Scalar file, int number) {
    List<Reached> hosts = new ArrayList<>();
    Optional<String> text = text(file);
    text.stream()
        .flatMap(String::lines)
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .map(line -> new Scalar(file.at(), line, true))
        .forEach(line -> hosts.add(single(line, number + hosts.size())));
    if (hosts.isEmpty() && text.isPresent()) {
      problems.add(file.at(), "the file '%s' names no host; write one a line.", file.text());
    }
    return hosts;
  }

  private Optional<String> text(Scalar file) {
    try {
      return Optional.of(Files.readString(folder.resolve(file.text())));
    } catch (IOException | InvalidPathException e) {
      String sentence = "there is no text file '%s'; give a path relative to this file.";
      problems.add(file.at(), sentence, file.text());
      return Optional.empty();
    }
  }

  private static Reached single(YamlNode node, int number) {
    String command = node.scalar().map(Scalar::text).orElse("");
    if (command.matches(ALIAS) && !command.equals(Host.LOCAL.name())) {
      return Reached.bySsh(command, List.of(), command);
    }
    List<String> prefix =
        node.scalar().isEmpty()
            ? words(node, "command").orElse(List.of())
            : command.equals(Host.LOCAL.name()) ? List.of() : words(command);
    return new Reached(
        node.textOf("name").orElse(prefix.isEmpty() ? Host.LOCAL.name() : "host-" + number),
        prefix,
        node.textOf("address").orElse(Host.LOOPBACK));
  }

  private static Optional<List<String>> words(YamlNode host, String key) {
    return host.textOf(key).map(HostReader::words);
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }

  /** Reports where a treatment asks of its hosts, or of the network between, what is not there. */
  static void checkNetwork(
      Treatments treatments,
      List<Host> hosts,
      Vocabulary vocabulary,
      Position at,
      Problems problems) {
    if (treatments.atMost() > Treatments.MOST) {
      return;
    }
    List<Settings> all = treatments.expand().stream().map(Treatment::settings).toList();
    boolean namespaces = hosts.contains(Host.NAMESPACES);
    all.stream()
        .flatMap(
            settings ->
                vocabulary
                    .path(settings)
                    .flatMap(path -> TrialKinds.of(path.job()))
                    .flatMap(kind -> kind.obstacle(settings, namespaces))
                    .stream())
        .distinct()
        .forEach(why -> problems.add(at, "%s", why));
    if (namespaces) {
      return;
    }
    if (all.stream().anyMatch(settings -> settings.get(CoreSettings.CUT_FOR) > 0)
        && hosts.stream().noneMatch(host -> host.severing().isPresent())) {
      problems.add(
          at, "'cut-for' cuts a host off, and no host says how; give one 'cut' and 'heal'.");
    }
    for (SettingKey<Double> key : LINK_SETTINGS) {
      if (all.stream().anyMatch(settings -> settings.get(key) > 0)) {
        String sentence =
            "'%s' shapes the links between namespaces, and there are none; write 'hosts:"
                + " namespaces'.";
        problems.add(at, sentence, key.name());
      }
    }
  }
}
