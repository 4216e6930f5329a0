package io.pyrometer.driver.testkit;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.Poll;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Servers of one product and agents joined to them, each a worker process, on loopback.
 *
 * @param folder logs, and an own work folder and working directory for each process
 * @param servers the workers of the servers
 * @param started first answer of each server
 * @param ports all that were reserved for the servers
 */
public record TestGrid(
    GridDriver driver,
    Path folder,
    List<WorkerProcess> servers,
    List<WorkerProcess> agents,
    List<Answer.Started> started,
    List<Integer> ports)
    implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long AGENT_HEAP = 256L << 20;

  /**
   * Starts a grid.
   *
   * @param serverCount ignored for a product without servers
   * @param serverHeap of a server that runs in its worker's JVM
   * @param settings of the servers' processes
   */
  public static TestGrid start(
      GridDriver driver,
      int serverCount,
      int agentCount,
      long serverHeap,
      Path folder,
      Settings settings)
      throws IOException {
    TestGrid grid =
        new TestGrid(
            driver,
            Files.createDirectories(folder),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    try {
      int count = driver.describe().startsServers() ? serverCount : 0;
      grid.launch(count, agentCount, driver.describe().servers().heapBytes(serverHeap));
      List<String> peers = grid.startServers(settings);
      grid.openSessions(peers, settings);
      return grid;
    } catch (IOException | RuntimeException | Error failure) {
      grid.close();
      throw failure;
    }
  }

  /** Starts all JVMs at once and waits for them. */
  private void launch(int serverCount, int agentCount, long heap) throws IOException {
    for (int i = 0; i < serverCount; i++) {
      servers.add(launch("server-" + i, heap));
    }
    for (int i = 0; i < agentCount; i++) {
      agents.add(launch("agent-" + i, AGENT_HEAP));
    }
    servers.forEach(WorkerProcess::awaitReady);
    agents.forEach(WorkerProcess::awaitReady);
  }

  private List<String> startServers(Settings settings) throws IOException {
    ServerDescription description = driver.describe().servers();
    int count = servers.size();
    List<List<Integer>> reserved = new ArrayList<>();
    for (WorkerProcess server : servers) {
      Command reserve = new Command.ReservePorts(description.ports().size(), LOOPBACK);
      reserved.add(server.ask(reserve, Answer.Ports.class).ports());
    }
    reserved.forEach(ports::addAll);
    List<String> peers = reserved.stream().map(own -> LOOPBACK + ":" + own.get(0)).toList();
    List<Long> starting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // The coordinator does not make this folder either.
      String work = folder.resolve("work-" + i).toString();
      starting.add(
          servers
              .get(i)
              .send(
                  new Command.StartServer(
                      i, count, reserved.get(i), peers, Optional.empty(), work, settings)));
    }
    for (int i = 0; i < count; i++) {
      started.add(servers.get(i).await(starting.get(i), Answer.Started.class));
    }
    List<Long> joining = new ArrayList<>();
    for (WorkerProcess server : servers) {
      joining.add(server.send(new Command.AwaitServers(count, description.joinSeconds())));
    }
    for (int i = 0; i < count; i++) {
      servers.get(i).await(joining.get(i), Answer.Done.class);
    }
    return peers;
  }

  private void openSessions(List<String> peers, Settings settings) throws IOException {
    List<String> clients =
        started.stream().flatMap(server -> server.clientAddress().stream()).toList();
    int count = agents.size();
    for (int i = 0; i < count; i++) {
      String work = Files.createDirectories(folder.resolve("work-agent-" + i)).toString();
      Command open =
          new Command.OpenSession(
              i, count, peers, clients, Optional.empty(), false, work, settings);
      Answer.Started unused = agents.get(i).ask(open, Answer.Started.class);
    }
  }

  private WorkerProcess launch(String name, long heap) throws IOException {
    Path directory = folder.resolve("directory-" + name);
    return WorkerProcess.launch(driver, heap, directory, folder.resolve(name + ".log"));
  }

  /** The working directories of all processes, where a product must leave nothing. */
  public List<Path> workingDirectories() throws IOException {
    try (var all = Files.list(folder)) {
      return all.filter(path -> path.getFileName().toString().startsWith("directory-")).toList();
    }
  }

  /**
   * Ends every worker as {@code kill -9} does.
   *
   * @return the processes of the grid that still live after the longest time
   */
  public List<ProcessHandle> killAll(Duration longest) {
    List<ProcessHandle> all = new ArrayList<>();
    servers.forEach(server -> all.addAll(server.processes()));
    agents.forEach(agent -> all.addAll(agent.processes()));
    servers.forEach(worker -> worker.process().destroyForcibly());
    agents.forEach(worker -> worker.process().destroyForcibly());
    boolean unused = Poll.until(longest, () -> all.stream().noneMatch(ProcessHandle::isAlive));
    return all.stream().filter(ProcessHandle::isAlive).toList();
  }

  @Override
  public void close() {
    servers.forEach(WorkerProcess::close);
    agents.forEach(WorkerProcess::close);
  }
}
