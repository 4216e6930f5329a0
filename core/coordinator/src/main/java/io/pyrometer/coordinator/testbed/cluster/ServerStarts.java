package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.StartWait;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ServerDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Starts the servers of a grid, and knows where each is reached. */
final class ServerStarts {
  private final ClusterSpec spec;
  private final List<Answer.Ports> ports = new CopyOnWriteArrayList<>();

  ServerStarts(ClusterSpec spec) {
    this.spec = spec;
  }

  /** The host:port of the first port of each server. */
  List<String> peers() {
    return IntStream.range(0, ports.size()).mapToObj(this::peer).toList();
  }

  private String peer(int server) {
    // Grids without ports have none.
    int port = ports.get(server).ports().stream().findFirst().orElse(0);
    return address(server) + ":" + port;
  }

  private String address(int server) {
    return spec.host(ManagedProcess.NODE, server).host().address();
  }

  /**
   * Starts servers in processes that are up, and returns when they have joined the grid.
   *
   * @param first the index of the first of them among all servers
   * @param elsewhere whether they get new ports, rather than those that they had before
   * @return where clients connect to them
   */
  List<String> start(List<ManagedProcess> starting, int first, boolean elsewhere) {
    if (elsewhere) {
      usePorts(starting, first);
    }
    ServerDescription description = spec.driver().servers();
    double startSeconds = description.startSeconds() * spec.crowding();
    double joinSeconds = description.joinSeconds() * spec.crowding();
    List<String> all = peers();
    List<Answer.Started> started = new ArrayList<>();
    while (started.size() < starting.size()) {
      int from = started.size();
      int to = from + Math.min(starting.size() - from, spec.serversAtOnce());
      started.addAll(
          StartWait.requestAll(
              starting.subList(from, to),
              i -> startCommand(first + from + i, all),
              Answer.Started.class,
              Timeouts.server(startSeconds)));
    }
    // A worker itself knows how much longer its host's load makes the wait.
    ManagedProcess.requestAll(
        starting,
        i -> new Command.AwaitServers(all.size(), joinSeconds),
        Answer.Done.class,
        Timeouts.server(Math.max(joinSeconds, CoreSettings.MAX_START.toMillis() / 1e3)));
    return started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList();
  }

  private Command startCommand(int server, List<String> all) {
    return new Command.StartServer(
        server,
        all.size(),
        ports.get(server).ports(),
        all,
        spec.config(ManagedProcess.NODE, server),
        spec.workFolder(ManagedProcess.NODE, server),
        spec.settings());
  }

  private void usePorts(List<ManagedProcess> starting, int first) {
    int each = spec.driver().servers().ports().size();
    List<Answer.Ports> free =
        ManagedProcess.requestAll(
            starting,
            i -> new Command.ReservePorts(each, address(first + i)),
            Answer.Ports.class,
            Timeouts.QUICK);
    for (int i = 0; i < free.size(); i++) {
      if (first + i < ports.size()) {
        ports.set(first + i, free.get(i));
      } else {
        ports.add(free.get(i));
      }
    }
  }
}
