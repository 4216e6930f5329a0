package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import java.time.Duration;
import java.util.Objects;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.spi.systemview.view.ClientConnectionView;
import org.apache.ignite.spi.systemview.view.SystemView;

/**
 * How many connections of thin clients the servers hold: the one thing that tells from outside
 * whether clients are aware of partitions, for only then each holds one to every node.
 */
public final class ThinConnections {
  public static final String FACT = "client.thin-connections";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private ThinConnections() {}

  /**
   * Waits for the connections, all but the first of which clients open in the background.
   *
   * @return their number
   * @throws GridException if there are more or fewer than expected
   */
  public static String require(Ignite ignite, int expected) {
    if (!Poll.until(LONGEST_WAIT, () -> now(ignite) == expected)) {
      throw GridException.of(
          "Thin clients hold %d connections to the servers, not %d, so partition awareness is not"
              + " as the trial asks.",
          now(ignite), expected);
    }
    return String.valueOf(expected);
  }

  private static int now(Ignite ignite) {
    IgniteCallable<Integer> count = ThinConnections::ofThisServer;
    return ignite.compute(ignite.cluster().forServers()).broadcast(count).stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  private static int ofThisServer() {
    SystemView<ClientConnectionView> view =
        ((IgniteEx) Ignition.localIgnite()).context().systemView().view("client.connections");
    int thin = 0;
    for (ClientConnectionView connection : Objects.requireNonNull(view)) {
      // Null until the client has said what it is.
      if ("THIN".equals(connection.type())) {
        thin++;
      }
    }
    return thin;
  }
}
