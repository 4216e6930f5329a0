package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.HostReader.Reached;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pods of a Kubernetes cluster with given labels, as {@code kubectl} lists them. Commands are
 * run in them by {@code kubectl exec}.
 */
record KubernetesPods(String kubectl) {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final String DELETED = "deletionTimestamp";

  /**
   * Lists the pods.
   *
   * @param where their {@code namespace}, their {@code selector} and the {@code container}
   * @throws ExperimentException if there is none, or one is not running
   */
  List<Reached> read(YamlNode where) {
    String selector = where.textOf("selector").orElseThrow();
    List<String> list = command(where, "get", "pods");
    list.addAll(List.of("-l", selector));
    List<Reached> hosts = new ArrayList<>();
    for (JsonNode pod : running(where.at(), list, selector)) {
      List<String> exec = command(where, "exec", "-i");
      exec.add(name(pod));
      where.textOf("container").ifPresent(container -> exec.addAll(List.of("-c", container)));
      exec.add("--");
      hosts.add(new Reached(name(pod), exec, pod.at("/status/podIP").asText()));
    }
    return hosts;
  }

  private List<String> command(YamlNode where, String verb, String what) {
    List<String> command = new ArrayList<>(List.of(kubectl, verb, what));
    where.textOf("namespace").ifPresent(namespace -> command.addAll(List.of("-n", namespace)));
    return command;
  }

  private List<JsonNode> running(Position at, List<String> list, String selector) {
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

  private JsonNode ask(Position at, List<String> list, String shown) {
    List<String> command = new ArrayList<>(list);
    command.addAll(List.of("-o", "json", "--request-timeout=10s"));
    try {
      Process process = new ProcessBuilder(command).redirectInput(new File("/dev/null")).start();
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
          BufferedReader error = process.errorReader(StandardCharsets.UTF_8)) {
        String answer = output.lines().collect(Collectors.joining("\n"));
        String why = error.lines().reduce("", (a, b) -> b).strip();
        if (answer.isEmpty() && !why.isEmpty()) {
          throw at.problem("pods.not-listed", why, shown);
        }
        return Json.LINES.readTree(answer);
      }
    } catch (JsonProcessingException nonsense) {
      throw at.problem("pods.nonsense", shown);
    } catch (IOException | UncheckedIOException failure) {
      throw at.problem("pods.no-kubectl", kubectl);
    }
  }

  private static String name(JsonNode pod) {
    return pod.at("/metadata/name").asText();
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText("Unknown");
  }
}
