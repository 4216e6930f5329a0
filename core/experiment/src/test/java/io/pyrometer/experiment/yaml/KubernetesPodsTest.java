package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods as a stand-in for {@code kubectl} lists them. */
class KubernetesPodsTest {
  private static final String LIST = "get pods -n grid -l app=pyrometer";
  private static final String WHERE = "{kubernetes: {namespace: grid, selector: app=pyrometer%s}}";

  @TempDir Path folder;

  private static String pod(String name, String phase, String more) {
    return """
    {"metadata": {"name": "%s"%s}, "spec": {"containers": [{"name": "host"}, {"name": "log"}]},
     "status": {"phase": "%s", "podIP": "10.1.2.%s"}}\
    """
        .formatted(name, more, phase, name.substring(name.length() - 1));
  }

  private List<Host> read(String kubectl, String more) {
    return HostReader.pods(kubectl, YamlNode.Parser.parse(WHERE.formatted(more), "test.yaml"));
  }

  private String problem(String kubectl, String more) {
    return catchThrowableOfType(ExperimentException.class, () -> read(kubectl, more)).sentence();
  }

  /** A kubectl that answers this question alone. */
  private String kubectl(String answer) throws IOException {
    Path script = folder.resolve("kubectl");
    Files.writeString(
        script, "#!/bin/sh\ncase \"$*\" in '" + LIST + " -o json '*) " + answer + ";; esac\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }

  private String listing(String... pods) throws IOException {
    Path list = folder.resolve("pods.json");
    Files.writeString(list, "{\"items\": [" + String.join(",", pods) + "]}");
    return kubectl("cat " + list);
  }

  @Test
  void eachPodIsReachedByKubectlExecAtItsAddress() throws IOException {
    String kubectl = listing(pod("grid-0", "Running", ""), pod("grid-1", "Running", ""));
    List<Host> hosts = read(kubectl, "");
    assertThat(hosts).extracting(Host::name).containsExactly("grid-0", "grid-1");
    assertThat(hosts).extracting(Host::address).containsExactly("10.1.2.0", "10.1.2.1");
    assertThat(hosts.get(1).prefix())
        .containsExactly(kubectl, "exec", "-i", "-n", "grid", "grid-1", "--");
    assertThat(read(kubectl, ", container: host").get(0).prefix())
        .endsWith("grid-0", "-c", "host", "--");
  }

  @Test
  void podsThatHaveEndedOrAreBeingDeletedDoNotCount() throws IOException {
    String kubectl =
        listing(
            pod("grid-0", "Running", ""),
            pod("grid-1", "Succeeded", ""),
            pod("grid-2", "Running", ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\""));
    assertThat(read(kubectl, "")).extracting(Host::name).containsExactly("grid-0");
  }

  @Test
  void podsThatAreNotRunningAreNamed() throws IOException {
    assertThat(problem(listing(pod("grid-0", "Pending", ""), pod("grid-1", "Running", "")), ""))
        .contains("grid-0", LIST)
        .doesNotContain("grid-1");
    assertThat(problem(listing(pod("grid-0", "Pending", "")), "")).contains("(grid-0 is Pending)");
    assertThat(problem(listing(), "")).contains("'app=pyrometer'");
  }

  @Test
  void aMissingKubectlIsASentence() {
    String none = folder.resolve("none").toString();
    assertThat(problem(none, "")).contains(none);
  }
}
