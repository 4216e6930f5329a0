package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.YamlNode.Keys;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the hosts that an experiment's processes are spread over. */
final class HostReader {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final String DELETED = "deletionTimestamp";
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

  static List<Host> read(YamlNode node) {
    if (node instanceof Scalar) {
      return List.of(Host.NAMESPACES);
    }
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : node instanceof Keys ? List.of(node) : node.items()) {
      item.refuseIf(item.hasKey("cut") != item.hasKey("heal"), "hosts.cut-and-heal");
      List<Host> own =
          item.hasKey("kubernetes")
              ? pods("kubectl", item)
              : List.of(single(item, hosts.size() + 1));
      for (Host host : own) {
        item.refuseIf(!names.add(host.name()), "hosts.same-name", host.name());
        hosts.add(host);
      }
    }
    for (String kind : KINDS.values()) {
      node.refuseIf(
          hosts.stream().noneMatch(host -> host.runs().map(kind::equals).orElse(true)),
          "hosts.no-role",
          kind);
    }
    return hosts;
  }

  private static Host host(YamlNode node, String name, List<String> prefix, String address) {
    Optional<List<String>> heal = node.textOf("heal").map(HostReader::words);
    return new Host(
        name,
        prefix,
        address,
        node.textOf("folder").orElse(Host.LOCAL.folder()),
        node.textOf("java").orElse(Host.LOCAL.java()),
        node.textOf("runs").flatMap(kinds -> Optional.ofNullable(KINDS.get(kinds))),
        node.textOf("cut").flatMap(cut -> heal.map(on -> new Host.Severing(words(cut), on))));
  }

  private static Host single(YamlNode node, int number) {
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
    return host(
        node, node.textOf("name").orElse(name), prefix, node.textOf("address").orElse(address));
  }

  private static List<String> words(String command) {
    return List.of(command.strip().split("\\s+", -1));
  }

  /**
   * The pods of a Kubernetes cluster with given labels, as {@code kubectl} lists them. Commands are
   * run in them by {@code kubectl exec}.
   *
   * @param item {@code kubernetes}: their {@code namespace}, {@code selector} and {@code container}
   * @throws ExperimentException if there is none, or one is not running
   */
  static List<Host> pods(String kubectl, YamlNode item) {
    YamlNode where = item.value("kubernetes").orElseThrow();
    String selector = where.textOf("selector").orElseThrow();
    List<String> list = command(kubectl, where, "get", "pods");
    list.addAll(List.of("-l", selector));
    List<Host> hosts = new ArrayList<>();
    for (JsonNode pod : running(where.at(), list, selector)) {
      List<String> exec = command(kubectl, where, "exec", "-i");
      exec.add(name(pod));
      where.textOf("container").ifPresent(container -> exec.addAll(List.of("-c", container)));
      exec.add("--");
      hosts.add(host(item, name(pod), exec, pod.at("/status/podIP").asText()));
    }
    return hosts;
  }

  private static List<String> command(String kubectl, YamlNode where, String verb, String what) {
    List<String> command = new ArrayList<>(List.of(kubectl, verb, what));
    where.textOf("namespace").ifPresent(namespace -> command.addAll(List.of("-n", namespace)));
    return command;
  }

  private static List<JsonNode> running(Position at, List<String> list, String selector) {
    String shown = String.join(" ", list);
    List<JsonNode> pods = new ArrayList<>();
    ask(at, list, shown).path("items").forEach(pods::add);
    pods.removeIf(pod -> ENDED.contains(phase(pod)) || pod.path("metadata").has(DELETED));
    String others =
        pods.stream()
            .filter(pod -> !phase(pod).equals("Running"))
            .map(pod -> name(pod) + " is " + phase(pod))
            .collect(Collectors.joining(", "));
    if (pods.isEmpty()) {
      throw at.problem("pods.none", selector, shown);
    } else if (!others.isEmpty()) {
      throw at.problem("pods.not-running", selector, others, shown);
    }
    return pods;
  }

  private static JsonNode ask(Position at, List<String> list, String shown) {
    List<String> command = new ArrayList<>(list);
    command.addAll(List.of("-o", "json", "--request-timeout=10s"));
    try {
      Process process = new ProcessBuilder(command).redirectInput(new File("/dev/null")).start();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
          BufferedReader error = process.errorReader(StandardCharsets.UTF_8)) {
        String answer = output.lines().collect(Collectors.joining("\n"));
        String why = error.lines().reduce("", (a, b) -> b).strip();
        at.refuseIf(answer.isEmpty() && !why.isEmpty(), "pods.not-listed", why, shown);
        return Json.LINES.readTree(answer);
      }
    } catch (JsonProcessingException nonsense) {
      throw at.problem("pods.nonsense", shown);
    } catch (IOException | UncheckedIOException failure) {
      throw at.problem("pods.no-kubectl", list.get(0));
    }
  }

  private static String name(JsonNode pod) {
    return pod.at("/metadata/name").asText();
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText("Unknown");
  }
}
