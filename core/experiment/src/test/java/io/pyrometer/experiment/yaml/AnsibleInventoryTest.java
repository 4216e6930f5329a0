package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.HostReader.Reached;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hosts of inventories, and the command lines that reach them. */
class AnsibleInventoryTest {
  private static final Path FOLDER = Path.of("src/test/resources/hosts");
  private static final Position HERE = new Position(3, 1);

  private static Scalar scalar(String text) {
    return new Scalar(HERE, text, false);
  }

  private static List<Reached> hosts(String file, String text, String group) {
    Problems problems = new Problems("test.yaml");
    List<Reached> hosts =
        new AnsibleInventory(scalar(file), text).hosts(Optional.of(scalar(group)), problems);
    problems.throwIfAny();
    return hosts;
  }

  private static List<Reached> hosts(String file, String group) throws IOException {
    return hosts(file, Files.readString(FOLDER.resolve(file)), group);
  }

  private static String problem(String file, String text) {
    return catchThrowableOfType(ExperimentException.class, () -> hosts(file, text, "all"))
        .problems()
        .get(0)
        .toString();
  }

  /** What follows the options that are the same for each host, by host. */
  private static Map<String, String> commands(List<Reached> hosts) {
    return hosts.stream()
        .collect(
            Collectors.toMap(
                Reached::name,
                host -> String.join(" ", host.prefix()).replaceFirst(".*ControlPersist=60 ", "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"inventory.ini", "inventory.yml"})
  void innerGroupsOverrideThoseAroundThemAndHostsOverrideGroups(String file) throws IOException {
    assertThat(commands(hosts(file, "grid")))
        .isEqualTo(
            Map.of(
                "w01", "-p 2200 -i ~/.ssh/grid grid@w01",
                "w02", "-p 2200 -i ~/.ssh/grid grid@w02",
                "w03", "-p 2200 -i ~/.ssh/db grid@w03",
                "www", "-p 5555 -i ~/.ssh/grid root@192.0.2.50",
                "db-a.example.org", "-p 2200 -i ~/.ssh/db deploy@db-a.example.org",
                "db-c.example.org", "-p 2200 -i ~/.ssh/db deploy@db-c.example.org"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"inventory.ini", "inventory.yml"})
  void theHostsOfAGroupKeepTheirOrderAndAreListedOnce(String file) throws IOException {
    assertThat(hosts(file, "grid"))
        .extracting(Reached::name)
        .containsExactly("w01", "w02", "w03", "www", "db-a.example.org", "db-c.example.org");
    assertThat(hosts(file, "db"))
        .extracting(Reached::name)
        .containsExactly("db-a.example.org", "db-c.example.org", "w03");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inventory.ini", "inventory.yml"})
  void theAddressIsThatOfTheInventoryAndALocalHostNeedsNoCommand(String file) throws IOException {
    assertThat(hosts(file, "web"))
        .filteredOn(host -> host.name().equals("www"))
        .extracting(Reached::address)
        .containsExactly("192.0.2.50");
    assertThat(hosts(file, "here"))
        .containsExactly(new Reached("localhost", List.of(), Host.LOOPBACK));
  }

  @Test
  void aPortMayFollowTheNameAndAHostBeforeAnyGroupIsInAll() {
    assertThat(commands(hosts("i", "a:22\nb[1:2]:23 ansible_port=24\n", "all")))
        .isEqualTo(Map.of("a", "-p 22 a", "b1", "-p 24 b1", "b2", "-p 24 b2"));
  }

  @Test
  void severalRangesAreCombined() {
    assertThat(hosts("i", "r[1:2]-[x:y]", "all"))
        .extracting(Reached::name)
        .containsExactly("r1-x", "r1-y", "r2-x", "r2-y");
  }

  @Test
  void aGroupThatContainsItselfEnds() {
    assertThat(hosts("i", "[a]\nh\n[a:children]\nb\n[b:children]\na\n", "b"))
        .extracting(Reached::name)
        .containsExactly("h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "w[3:1] | 'w[3:1]' stands for no host or more than 10000; mend its range.",
        "w[1:9:0] | 'w[1:9:0]' stands for no host or more than 10000; mend its range.",
        "w[1:999][1:999] | 'w[1:999][1:999]' stands for no host or more than 10000; mend its range.",
        "w[1:c] | 'w[1:c]' is no name of a host; use letters, digits, . _ - and ranges such as [1:3].",
        "w/1 | 'w/1' is no name of a host; use letters, digits, . _ - and ranges such as [1:3].",
        "w1 user | 'user' is no variable; write name=value.",
      })
  void aMistakeIsReportedAtItsLine(String line, String sentence) {
    assertThat(problem("bad.ini", "[web]\n" + line + "\nx\n"))
        .isEqualTo("bad.ini:2:1: " + sentence);
  }

  @Test
  void yamlThatIsNoneIsReportedAtItsLine() {
    assertThat(problem("bad.yml", "all:\n  hosts: [w1\n"))
        .startsWith("bad.yml:3:1: not YAML: a bracket is not closed");
  }
}
