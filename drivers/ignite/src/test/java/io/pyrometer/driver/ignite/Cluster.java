package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import io.pyrometer.driver.testkit.TestGrid;
import io.pyrometer.driver.testkit.WorkerProcess;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Server nodes in worker processes, for sessions of the test's own JVM. */
record Cluster(TestGrid grid, Path folder) implements AutoCloseable {
  private static final long HEAP = 512L << 20;

  static Cluster start(int nodes, Path folder) throws IOException {
    return start(nodes, folder, Settings.NONE);
  }

  static Cluster start(int nodes, Path folder, Settings settings) throws IOException {
    return new Cluster(
        TestGrid.start(new IgniteDriver(), nodes, 0, HEAP, folder, settings), folder);
  }

  Command.OpenSession session(boolean attached) {
    return session(attached, Settings.NONE);
  }

  Command.OpenSession session(boolean attached, Settings settings) {
    List<Integer> ports = grid.ports();
    int each = ports.size() / grid.servers().size();
    return new Command.OpenSession(
        attached ? 7 : 0,
        1,
        IntStream.range(0, grid.servers().size())
            .mapToObj(server -> "127.0.0.1:" + ports.get(each * server))
            .toList(),
        grid.started().stream().flatMap(server -> server.clientAddress().stream()).toList(),
        Optional.empty(),
        attached,
        folder.resolve("agent").toString(),
        settings);
  }

  static void await(BooleanSupplier condition) {
    assertThat(Poll.until(Duration.ofSeconds(60), condition)).isTrue();
  }

  /** Ends one node as {@code kill -9} does. */
  void kill(int node) {
    grid.servers().get(node).kill();
  }

  @Override
  public void close() {
    grid.servers().forEach(WorkerProcess::kill);
  }
}
