package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridNode;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.driver.ignite.path.AccessPaths;
import io.pyrometer.driver.ignite.path.PathDefinition;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import java.util.List;
import org.apache.ignite.internal.IgniteProperties;

/** Apache Ignite 2. */
public final class IgniteDriver implements GridDriver {

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "ignite",
        "Apache Ignite",
        IgniteProperties.get("ignite.version"),
        "A cluster of server nodes, each a JVM of its own, used through a thick client.",
        List.of("nodes", "config", "attach"),
        IgniteJvmFlags.all(),
        GridSettings.ALL,
        AccessPaths.ALL.stream().map(PathDefinition::description).toList(),
        GridSettings.SERVER_MEMORY);
  }

  @Override
  public GridNode startNode(Command.StartNode spec) {
    return ServerNode.start(
        new Command.StartNode(
            spec.index(),
            spec.nodes(),
            spec.ports(),
            spec.peers(),
            spec.config(),
            spec.workFolder(),
            GridSettings.complete(List.of(), spec.settings())));
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return IgniteSession.open(spec);
  }
}
