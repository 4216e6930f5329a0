package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Host;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostReaderTest {
  private static final String TAIL =
      """
      factors: {path: [put, put-all]}
      hosts:
        - {name: client, address: 10.0.0.5, runs: agents}
        - {file: src/test/resources/hosts/names.txt, runs: nodes, folder: /var/tmp}
        - {inventory: src/test/resources/hosts/inventory.ini, group: web, java: /opt/java}
      """;

  private static List<Host> hosts(String tail) {
    return Fixture.withTail(tail).testbed().hosts();
  }

  @Test
  void listedHostsStandAmongOthersAndShareWhatIsSaidOfThem() {
    List<Host> hosts = hosts(TAIL);
    assertThat(hosts)
        .extracting(Host::name)
        .containsExactly(
            "client", "w1", "deploy@w2", "host-4", "local", "w01", "w02", "w03", "www");
    assertThat(hosts.subList(1, 5))
        .allMatch(host -> host.folder().equals("/var/tmp"))
        .allMatch(host -> host.runs().equals(Optional.of("node")));
    assertThat(hosts.get(3).prefix()).containsExactly("ssh", "-p", "2222", "w3");
    assertThat(hosts.get(4).local()).isTrue();
    assertThat(hosts.subList(5, 9))
        .allMatch(host -> host.java().equals("/opt/java") && host.runs().isEmpty());
  }

  @Test
  void oneSourceNeedsNoList() {
    assertThat(
            hosts(
                """
                factors: {path: [put, put-all]}
                hosts: {inventory: src/test/resources/hosts/inventory.yml, group: web}
                """))
        .extracting(Host::name)
        .containsExactly("w01", "w02", "w03", "www");
  }
}
