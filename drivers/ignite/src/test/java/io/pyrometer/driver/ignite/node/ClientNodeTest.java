package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientNodeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "different version numbers (x) [locBuildVer=2.16.0, rmtBuildVer=2.17.0, y] | set"
            + " 'product-version: 2.16.0' in",
        "different version numbers [locBuildVer=2.18.0, rmtBuildVer=2.17.0] | offers, 2.17.0,"
            + " 2.16.0, 2.15.0, 2.14.0.",
        "[locCls=null,"
            + " rmtCls=org.apache.ignite.internal.processors.authentication.IgniteAuthenticationProcessor]"
            + " | authenticationEnabled",
        "Timed out | at 10.0.0.1:47500: Timed out.",
        "Join process timed out (timeout = 10000) | 47500 by default.",
      })
  void whyAClientCannotJoinIsSaidWithWhatHelps(String cause, String sentence) {
    assertThat(ClientNode.whyNot(List.of("10.0.0.1:47500"), cause)).contains(sentence);
  }
}
