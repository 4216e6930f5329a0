package io.pyrometer.driver;

import io.pyrometer.protocol.Command;

/**
 * Starts servers of one product. A server runs in the worker's JVM, or as a native process, for
 * which {@link NativeServer} exists; the driver's {@link io.pyrometer.protocol.ServerDescription}
 * says which.
 */
@FunctionalInterface
public interface ServerLauncher {

  /**
   * Starts a server on its reserved ports and returns when it is ready to be joined by others.
   *
   * <p>Where the system lets a reserved port be bound beside its reservation (Linux, for servers
   * that set {@code SO_REUSEADDR}), the ports stay reserved until this returns. After a {@link
   * PortTakenException} the worker gives the reservation up and calls this once more, so a failed
   * start must leave nothing behind.
   *
   * @throws PortTakenException if one of the ports cannot be bound
   * @throws GridException with one sentence for the user
   */
  RunningServer start(Command.StartServer spec);
}
