package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.Poll;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.Ignite;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.apache.ignite.spi.systemview.view.ClientConnectionView;
import org.apache.ignite.spi.systemview.view.SystemView;
import org.jspecify.annotations.Nullable;

/**
 * How many connections of thin clients the servers hold: the one thing that tells from outside
 * whether clients are aware of partitions, for only then each holds one to every node.
 */
public final class ThinConnections {
  static final String FACT = "client.thin-connections";
  static final String EXPECTED = "client.thin-connections-expected";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private ThinConnections() {}

  /** Clients open all but their first connection in the background, so that it waits for them. */
  public static Map<String, String> of(Ignite ignite, int expected) {
    AtomicInteger found = new AtomicInteger();
    boolean unused =
        Poll.until(
            LONGEST_WAIT,
            () -> {
              found.set(now(ignite));
              return found.get() == expected;
            });
    return Map.of(FACT, String.valueOf(found), EXPECTED, String.valueOf(expected));
  }

  private static int now(Ignite ignite) {
    return ignite.compute(ignite.cluster().forServers()).broadcast(new Count()).stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  /** Sent to a server node. */
  static final class Count implements IgniteCallable<Integer> {
    private static final long serialVersionUID = 1L;
    private static final String THIN = "THIN";

    @IgniteInstanceResource private transient @Nullable Ignite ignite;

    @Override
    public Integer call() {
      SystemView<ClientConnectionView> view =
          ((IgniteEx) Objects.requireNonNull(ignite))
              .context()
              .systemView()
              .view("client.connections");
      int thin = 0;
      for (ClientConnectionView connection : Objects.requireNonNull(view)) {
        // Null until the client has said what it is.
        if (THIN.equals(connection.type())) {
          thin++;
        }
      }
      return thin;
    }
  }
}
