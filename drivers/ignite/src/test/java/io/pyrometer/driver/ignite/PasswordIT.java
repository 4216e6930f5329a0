package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of somebody else whose thin clients need a user and a password. */
class PasswordIT {
  private static final Records ORDERS = Orders.pool();
  private static final String AUTHENTICATION =
      "<property name=\"authenticationEnabled\" value=\"true\"/>";

  @TempDir static Path folder;
  private static StockNode node;

  @BeforeAll
  static void start() throws Exception {
    node = StockNode.start(folder, AUTHENTICATION + PlantedFault.persistent(256, "", ""));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Path client(String password) throws IOException {
    return node.clientFile(
        folder.resolve("client-" + password + ".xml"),
        AUTHENTICATION,
        """
        <bean class="org.apache.ignite.configuration.ClientConfiguration">
          <property name="userName" value="ignite"/>
          <property name="userPassword" value="%s"/>
        </bean>
        """
            .formatted(password));
  }

  private static void isRefusedBeforeARun(GridSession session) {
    assertThatThrownBy(() -> session.describe(List.of(), List.of("get", "thin-get")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("'userName' and 'userPassword'");
    assertThat(session.describe(List.of(), List.of("get")).servers())
        .as("without thin clients")
        .contains(1);
  }

  @Test
  void thinClientsUseTheUserAndPasswordOfTheFile() throws Exception {
    try (GridSession session =
        new IgniteDriver().openSession(node.attaching(7, client("ignite")))) {
      Ignite ignite = Ignition.ignite("agent-7");
      assertThatThrownBy(() -> session.describe(List.of(), List.of("get")))
          .hasMessageContaining("inactive");
      ignite.cluster().state(ClusterState.ACTIVE);
      IgniteCache<Object, Object> theirs = ignite.getOrCreateCache(StockNode.CACHE);
      IntStream.range(0, 100).forEach(i -> theirs.put("key " + i, "value " + i));
      TrialSession trial = session.open(spec(), ORDERS, true);
      try (AccessPath path = trial.path(new LoadThread(0, 1))) {
        assertThat(path.compareAnswers(List.of(new long[] {0, 5, 99})).right())
            .containsExactly("get");
      }
      assertThat(session.describe(List.of(StockNode.CACHE), List.of("thin-get")).caches().get(0))
          .satisfies(cache -> assertThat(cache.records()).contains(100L))
          .satisfies(cache -> assertThat(cache.settings()).containsEntry("backups", "0"));
    }
    Path nobody = node.clientFile(folder.resolve("nobody.xml"), AUTHENTICATION, "");
    try (GridSession session = new IgniteDriver().openSession(node.attaching(7, nobody))) {
      isRefusedBeforeARun(session);
    }
    try (GridSession session = new IgniteDriver().openSession(node.attaching(7, client("wrong")))) {
      isRefusedBeforeARun(session);
      TrialSession trial = session.open(spec(), ORDERS, true);
      assertThatThrownBy(() -> trial.path(new LoadThread(0, 1)))
          .isInstanceOf(GridException.class)
          .hasMessageContaining("user name or password");
    }
  }

  private static TrialSpec spec() {
    return Expected.trial(
        "thin-existing-get", 100, ORDERS, new Settings(Map.of("existing-cache", StockNode.CACHE)));
  }
}
