package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.worker.recorders.Recorders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Carries out the commands to the servers of a grid that goes on, which an agent watches. */
final class WatchedCommands {
  private List<WatchedServer> servers = List.of();
  private final List<Recorders> recorders = new ArrayList<>();

  Answer.Watching watch(GridSession session) {
    WatchedServers watched = session.watch();
    servers = watched.servers();
    recorders.clear();
    servers.forEach(server -> recorders.add(Recorders.of(server)));
    return new Answer.Watching(servers.size(), watched.unknownUsage());
  }

  /**
   * The machine of a server that tells of its own process alone: what others do there is not known.
   *
   * @param host what the servers of one machine have in common
   */
  private static MachineReading machine(String host, Answer.Used used) {
    return new MachineReading(
        host,
        Optional.of(
            new MachineReading.Cpu(
                used.cores(), used.cpuSeconds(), 0, used.upSeconds() * used.cores())),
        Optional.empty(),
        Optional.empty(),
        System.currentTimeMillis(),
        System.nanoTime());
  }

  Answer answer(Command.OfServer told) {
    if (told.server() < 0 || told.server() >= servers.size()) {
      throw GridException.of("No server %d is watched.", told.server());
    }
    WatchedServer server = servers.get(told.server());
    if (told.command() instanceof Command.Usage) {
      Answer.Used used = server.processId().map(ResourceUsage::ofServer).orElseGet(server::usage);
      return used.on(server.host().map(host -> machine(host, used)).orElseGet(MachineReading::now));
    }
    return recorders
        .get(told.server())
        .answer(told.command())
        .orElseThrow(
            () -> new GridException(Messages.format("worker.watched-command").formatted(told)));
  }
}
