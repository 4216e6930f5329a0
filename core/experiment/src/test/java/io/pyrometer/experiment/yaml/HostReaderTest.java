package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Host;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostReaderTest {
  private static final String TAIL =
      """
      factors: {path: [put, put-all]}
      hosts:
        - local
        - ssh -p 2222 deploy@w1
        - {command: ip netns exec h2, address: 10.0.0.2, runs: agents, java: /opt/java}
      """;

  @Test
  void aHostIsACommandPrefix() {
    List<Host> hosts = Fixture.withTail(TAIL).testbed().hosts();
    assertThat(hosts).extracting(Host::name).containsExactly("local", "w1", "host-3");
    assertThat(hosts).extracting(Host::address).containsExactly(Host.LOOPBACK, "w1", "10.0.0.2");
    assertThat(hosts.get(0).local()).isTrue();
    assertThat(hosts.get(1).prefix())
        .as("never asks for a password")
        .startsWith("ssh", "-o", "BatchMode=yes")
        .endsWith("-p", "2222", "deploy@w1");
    assertThat(hosts.get(2).prefix()).containsExactly("ip", "netns", "exec", "h2");
    assertThat(hosts.get(2).runs()).contains("agent");
  }
}
