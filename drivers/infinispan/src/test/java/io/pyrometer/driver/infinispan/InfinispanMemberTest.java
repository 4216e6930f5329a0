package io.pyrometer.driver.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;
import org.junit.jupiter.api.Test;

class InfinispanMemberTest {
  private static Settings given(String name, String value) {
    return new Settings(Map.of("properties." + name, value));
  }

  @Test
  void attributesOfProtocolsReplaceThoseOfTheStack() {
    String stack = "<config><TCP a=\"1\" b.c=\"2\"/><pbcast.GMS a=\"1\"/><RED/></config>";
    assertThat(InfinispanMember.stack(stack, Map.of("jgroups.TCP.b.c", "3", "other", "4")))
        .contains("<TCP a=\"1\" b.c=\"3\"/>");
    assertThat(InfinispanMember.stack(stack, Map.of("jgroups.GMS.x", "3")))
        .contains("<pbcast.GMS a=\"1\" x=\"3\"/>");
    assertThatThrownBy(() -> InfinispanMember.stack(stack, Map.of("jgroups.UDP.x", "3")))
        .hasMessageContaining("'jgroups.UDP.x'");
  }

  @Test
  void optionsOfTheCacheManagerAreItsAttributes() {
    assertThat(
            InfinispanMember.global(given("cache-container.statistics", "true"))
                .build()
                .statistics())
        .isTrue();
    assertThatThrownBy(() -> InfinispanMember.global(given("cache-container.statistcs", "true")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("statistcs");
  }

  @Test
  void optionsOfTheEndpointAreItsAttributes() {
    HotRodServerConfigurationBuilder endpoint = new HotRodServerConfigurationBuilder();
    InfinispanMember.apply(given("hotrod-connector.io-threads", "3"), endpoint);
    assertThat(endpoint.build().ioThreads()).isEqualTo(3);
    assertThatThrownBy(
            () -> InfinispanMember.apply(given("hotrod-connector.threds", "3"), endpoint))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("threds");
  }
}
