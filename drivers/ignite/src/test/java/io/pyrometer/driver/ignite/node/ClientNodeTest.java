package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClientNodeTest {
  @Test
  void aServerOfAnotherVersionIsSaidWithTheSettingThatHelps() {
    assertThat(
            ClientNode.whyNot(
                List.of("10.0.0.1:47500"),
                "Local node and remote node have different version numbers (node will not join)"
                    + " [locBuildVer=2.16.0, rmtBuildVer=2.17.0, locNodeAddrs=[10.0.0.1]]"))
        .isEqualTo(
            "The grid is Ignite 2.16.0, which clients of 2.17.0 cannot join: set"
                + " 'product-version: 2.16.0' in the grid.");
    assertThat(ClientNode.whyNot(List.of("10.0.0.1:47500"), "Timed out"))
        .isEqualTo("No Ignite grid could be joined at 10.0.0.1:47500: Timed out.");
  }
}
