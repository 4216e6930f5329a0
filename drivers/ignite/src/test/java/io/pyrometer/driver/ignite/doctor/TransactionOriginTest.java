package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.ignite.cluster.ClusterNode;
import org.junit.jupiter.api.Test;

class TransactionOriginTest {
  private static final UUID ID = new UUID(1, 2);

  /** A client named {@code orders}, or a server without a name. */
  private static ClusterNode node(boolean client, List<String> addresses) {
    Map<String, Object> answers =
        new HashMap<>(Map.of("id", ID, "isClient", client, "addresses", addresses));
    answers.put("attribute", client ? "orders" : null);
    return ObservedCluster.node(answers);
  }

  private static String origin(UUID id, ClusterNode node) {
    Row row = new Row("server", Map.of("originatingNodeId", id.toString()));
    return TransactionChecks.withOrigin(row, List.of(node)).get("originatingNode");
  }

  @Test
  void itIsNamedAsItsOperatorKnowsIt() {
    assertThat(origin(ID, node(true, List.of("127.0.0.1", "10.0.0.5"))))
        .isEqualTo("client " + ID + " 'orders' at 10.0.0.5");
    assertThat(origin(ID, node(false, List.of("127.0.0.1"))))
        .isEqualTo("server " + ID + " at 127.0.0.1");
  }

  @Test
  void oneThatLeftHasItsId() {
    UUID other = new UUID(3, 4);
    assertThat(origin(other, node(true, List.of("10.0.0.5")))).isEqualTo(other.toString());
  }
}
