package io.pyrometer.worker;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.Ports;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.load.NanoClock;
import io.pyrometer.load.Records;
import io.pyrometer.netem.Relay;
import io.pyrometer.netem.Switch;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.worker.recorders.Recorders;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Carries commands out: as a server, an agent, a relay or a switch, whichever the first commands
 * make of the process.
 */
final class CommandDispatcher {
  private static final long LEAVE_MILLIS = 3_000;

  /** The exit code of a worker whose native server ended without having been told to. */
  static final int SERVER_ENDED = 71;

  private final GridDriver driver;
  private final Pipe pipe;
  private final ReservedPorts ports = new ReservedPorts(new Ports(new SplittableRandom()));
  private final Recorders recorders = new Recorders(this::metrics);
  private final WatchedCommands watched = new WatchedCommands();
  private final ReentrantLock busy = new ReentrantLock();
  private volatile Optional<RunningServer> server = Optional.empty();
  private volatile Optional<GridSession> session = Optional.empty();
  private volatile Optional<Agent> agent = Optional.empty();
  private volatile boolean leavesAtTheEnd;
  private final List<TrialCommands> kinds =
      ServiceLoader.load(TrialCommands.class).stream().map(ServiceLoader.Provider::get).toList();
  private Optional<Relay> relay = Optional.empty();
  private Optional<Switch> links = Optional.empty();

  CommandDispatcher(GridDriver driver, Pipe pipe) {
    this.driver = driver;
    this.pipe = pipe;
  }

  /** Reads counters of the process, whatever else it is doing. */
  static boolean onlyReads(Command command) {
    return command instanceof Command.Usage
        || command instanceof Command.ReadCpu
        || command instanceof Command.CollectGarbage;
  }

  Answer execute(Command command) {
    if (command instanceof Command.Examine examine) {
      return examined(examine);
    } else if (command instanceof Command.Usage) {
      return usage();
    } else if (command instanceof Command.ReadCpu) {
      return cpu();
    } else if (command instanceof Command.CollectGarbage) {
      return liveHeap();
    }
    busy.lock();
    try {
      return answer(command);
    } finally {
      busy.unlock();
    }
  }

  private Answer examined(Command.Examine examine) {
    if (examine.config().isPresent()) {
      return new Answer.Examined(driver.examine(examine.config().get()));
    }
    Duration length = Duration.ofMillis((long) (examine.seconds() * 1_000));
    return new Answer.Examined(
        examine.statistics().isPresent()
            ? session(examine).examineStatistics(length, examine.statistics().get())
            : session(examine).examine(length));
  }

  private Answer answer(Command command) {
    if (command instanceof Command.Scheduled scheduled) {
      long late = NanoClock.SYSTEM.await(scheduled.epochMicros());
      Answer unused = answer(scheduled.command());
      return new Answer.Begun(late);
    } else if (command instanceof Command.ReservePorts reserve) {
      requireAvailable();
      return new Answer.Ports(ports.reserve(reserve.count(), reserve.address()));
    } else if (command instanceof Command.StartServer start) {
      return start(start);
    } else if (command instanceof Command.AwaitServers await) {
      server()
          .awaitServers(
              await.servers(),
              Duration.ofMillis((long) (1_000 * underLoad(await.timeoutSeconds()))));
    } else if (command instanceof Command.LoadClasses load) {
      load.trials().forEach(this::loadClasses);
    } else if (command instanceof Command.OpenSession open) {
      GridSession opened = driver.openSession(open);
      session = Optional.of(opened);
      agent =
          Optional.of(
              new Agent(
                  driver.describe(),
                  opened,
                  open.index(),
                  open.agents(),
                  open.attached(),
                  sample -> pipe.say(Optional.empty(), sample)));
      if (open.attached()) {
        leavesAtTheEnd = true;
        Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "leave-at-signal"));
      }
      return new Answer.Started(Optional.empty(), opened.configuration());
    } else if (command instanceof Command.SampleCache look) {
      return new Answer.CacheSampled(session(look).sample(look.cache(), look.records()));
    } else if (command instanceof Command.SampleStatistics look) {
      return new Answer.WorkloadSampled(driver.sample(look.folder(), look.records()));
    } else if (command instanceof Command.DescribeGrid ask) {
      return new Answer.GridDescribed(session(ask).describe(ask.caches(), ask.paths()));
    } else if (command instanceof Command.CheckRoom check) {
      RoomCheck room = new RoomCheck(driver.describe(), session(check));
      check.trials().forEach(room::ofRecords);
    } else if (command instanceof Command.CountServers count) {
      OptionalInt servers = session(count).servers();
      return new Answer.Servers(
          servers.isPresent() ? Optional.of(servers.getAsInt()) : Optional.empty());
    } else if (command instanceof Command.WatchServers watch) {
      return watched.watch(session(watch));
    } else if (command instanceof Command.OfServer told) {
      return watched.answer(told);
    } else if (command instanceof Command.StartRelay start) {
      Relay started = new Relay();
      relay = Optional.of(started);
      return new Answer.Ports(started.listen(start.targets()));
    } else if (command instanceof Command.StartSwitch start) {
      links = Optional.of(Switch.between(start.devices()));
    } else if (command instanceof Command.SetShape set) {
      shape(set);
    } else if (command instanceof Command.Stop) {
      kinds.forEach(TrialCommands::close);
      agent.ifPresent(Agent::close);
      relay.ifPresent(Relay::close);
      links.ifPresent(Switch::close);
      server.ifPresent(RunningServer::close);
    } else {
      return other(command);
    }
    return new Answer.Done();
  }

  /** The answer to a command of telemetry, of a trial kind, or of a load trial. */
  private Answer other(Command command) {
    Optional<Answer> telemetry = recorders.answer(command);
    if (telemetry.isPresent()) {
      return telemetry.get();
    }
    TrialCommands.Surroundings ofKinds =
        new TrialCommands.Surroundings(
            driver::describe, session, sample -> pipe.say(Optional.empty(), sample));
    for (TrialCommands kind : kinds) {
      Optional<Answer> answer = kind.answer(command, ofKinds);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    return agent
        .orElseThrow(() -> new GridException("No session is open for " + command + "."))
        .answer(command);
  }

  /** A time that grows with the load of this machine for each of its CPUs. */
  private static double underLoad(double seconds) {
    double busy =
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
            / Runtime.getRuntime().availableProcessors();
    return Math.max(seconds, Math.min(CoreSettings.MAX_START.toMillis() / 1e3, seconds * busy));
  }

  private void loadClasses(TrialSpec trial) {
    if (trial.record().className().isPresent()) {
      Records unused = Records.of(trial);
    }
    driver.loadClasses(trial);
  }

  private GridSession session(Command command) {
    return session.orElseThrow(
        () -> GridException.of("No session is open for %s.", command.getClass().getSimpleName()));
  }

  private Optional<GridMetrics> metrics() {
    return server.isPresent() ? server.get().metrics() : session.flatMap(GridSession::metrics);
  }

  /**
   * Rids a grid that goes on of what this agent made in it, where the process ends without having
   * been told to stop: at the end of its input or at a signal, and once. Gives up after {@value
   * #LEAVE_MILLIS} ms. No other role has anything to leave.
   */
  synchronized void leave() {
    if (!leavesAtTheEnd) {
      return;
    }
    leavesAtTheEnd = false;
    Thread leaving = Daemon.of("leave", this::closeAgent);
    leaving.start();
    try {
      leaving.join(LEAVE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Behind a command that may just be making a cache, unless it takes too long. */
  private void closeAgent() {
    try {
      boolean behind = busy.tryLock(LEAVE_MILLIS / 2, TimeUnit.MILLISECONDS);
      agent.ifPresent(Agent::close);
      if (behind) {
        busy.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Answer.Cpu cpu() {
    List<Long> processes = server.map(RunningServer::processIds).orElse(List.of());
    return new Answer.Cpu(
        ResourceUsage.cpuSeconds(processes),
        processes.isEmpty() ? ProcessCounters.compilerSeconds() : 0,
        NanoClock.SYSTEM.epochMicros(),
        Optional.of(MachineReading.now()));
  }

  private Answer.Used usage() {
    return ResourceUsage.of(server.map(RunningServer::processIds).orElse(List.of()))
        .storing(server.flatMap(RunningServer::storedBytes));
  }

  /** Live heap of a server in this JVM, after a full collection. */
  private Answer.LiveHeap liveHeap() {
    if (server.isEmpty() || !server.get().processIds().isEmpty()) {
      return new Answer.LiveHeap(Optional.empty());
    }
    System.gc();
    return new Answer.LiveHeap(
        Optional.of(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
  }

  private void requireAvailable() {
    driver
        .unavailable()
        .ifPresent(
            why -> {
              throw new GridException(why);
            });
  }

  private Answer start(Command.StartServer start) {
    requireAvailable();
    RunningServer started = onReservedPorts(start);
    server = Optional.of(started);
    CompletableFuture<Void> unused = started.ended().thenAccept(CommandDispatcher::endWithServer);
    return new Answer.Started(started.clientAddress(), started.configuration());
  }

  /**
   * Starts the server while its ports are still reserved, and once more without the reservation in
   * case the server cannot bind a port that another socket holds.
   */
  private RunningServer onReservedPorts(Command.StartServer start) {
    ports.releaseWhereHeldExclusively();
    try {
      return driver.start(start);
    } catch (PortTakenException heldOrTaken) {
      ports.release();
      return driver.start(start);
    } finally {
      ports.release();
    }
  }

  /** A worker without its server exits, which is how the coordinator learns of it. */
  private static void endWithServer(String sentence) {
    System.err.println(sentence);
    System.err.flush();
    Runtime.getRuntime().halt(SERVER_ENDED);
  }

  private void shape(Command.SetShape set) {
    if (relay.isEmpty() && links.isEmpty()) {
      throw new GridException(Messages.format("worker.no-network"));
    }
    relay.ifPresent(is -> is.shape(set.shape()));
    links.ifPresent(
        is ->
            set.link()
                .ifPresentOrElse(link -> is.shape(link, set.shape()), () -> is.shape(set.shape())));
  }

  private RunningServer server() {
    return server.orElseThrow(() -> new GridException(Messages.format("worker.no-server")));
  }
}
