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
    assertThat(
            ClientNode.whyNot(
                List.of(), "different version numbers [locBuildVer=2.18.0, rmtBuildVer=2.17.0]"))
        .isEqualTo(
            "The grid is Ignite 2.18.0, which clients of 2.17.0 cannot join: attach to a grid of a"
                + " version that 'product-version' offers, 2.17.0, 2.16.0, 2.15.0, 2.14.0.");
    assertThat(
            ClientNode.whyNot(
                List.of("10.0.0.1:47500"),
                "Local node's grid security processor class is not equal to remote node's grid"
                    + " security processor class [locCls=null, rmtCls=org.apache.ignite.internal"
                    + ".processors.authentication.IgniteAuthenticationProcessor]"))
        .isEqualTo(
            "No Ignite grid could be joined at 10.0.0.1:47500: its nodes have"
                + " authenticationEnabled; use 'attach: config' and a file whose"
                + " IgniteConfiguration has it too.");
    assertThat(ClientNode.whyNot(List.of("10.0.0.1:47500"), "Timed out"))
        .isEqualTo("No Ignite grid could be joined at 10.0.0.1:47500: Timed out.");
    assertThat(
            ClientNode.whyNot(
                List.of("10.0.0.1:10800"), "Join process timed out (timeout = 10000)"))
        .isEqualTo(
            "No Ignite grid could be joined at 10.0.0.1:10800: nothing answers there as the"
                + " discovery of a server; give the discovery ports, 47500 by default.");
  }
}
