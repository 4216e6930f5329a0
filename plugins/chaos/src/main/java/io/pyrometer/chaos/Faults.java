package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosMessages.Accept;
import io.pyrometer.chaos.ChaosMessages.Accepted;
import io.pyrometer.chaos.ChaosMessages.FillHeap;
import io.pyrometer.chaos.history.Timeline.Fault;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Breaks a grid again and again while a trial lasts, one fault at a time: the next begins only when
 * the grid has recovered from the one before, since a grid with one copy of an entry to spare
 * promises to survive one failure.
 */
final class Faults {
  private static final double SHARE = 0.1;
  private static final double DELAY_SECONDS = 0.1;
  private static final double SLOW_BITS_PER_SECOND = 1e6;
  private static final double RECOVERY_SECONDS = 90;

  /** After it, a server that has not come back is taken for one that never does. */
  private static final double REJOIN_SECONDS = 10;

  private static final String LATE_FAILURE = "late-failure";

  private final Cluster cluster;
  private final Time time;
  private final Settings settings;
  private final List<FaultKind> kinds;
  private final boolean listed;
  private final SplittableRandom random;
  private final int servers;
  private final BooleanSupplier whole;
  private final Runnable waiting;
  private final List<Fault> made = new ArrayList<>();
  private final Set<Integer> struck = new TreeSet<>();

  /**
   * @param whole whether the grid has recovered
   * @param waiting what is done while time passes: a tenth of a second at most
   * @throws WorkerException if one of the faults cannot be made with this grid
   */
  Faults(
      Cluster cluster,
      Time time,
      Settings settings,
      long seed,
      BooleanSupplier whole,
      Runnable waiting) {
    this.cluster = cluster;
    this.time = time;
    this.settings = settings;
    this.kinds = ChaosSettings.faults(settings);
    this.listed = settings.get(ChaosSettings.FAULT_ORDER).equals("listed");
    this.random = new SplittableRandom(seed);
    this.servers = cluster.nodes().size();
    this.whole = whole;
    this.waiting = waiting;
    kinds.forEach(this::requirePossible);
  }

  private void requirePossible(FaultKind kind) {
    if (kind.restarts()) {
      cluster.spec().requireElastic();
    }
    kind.obstacle(
            servers,
            cluster.spec().hosts().namespaces().isPresent(),
            ChaosSettings.persistent(settings))
        .ifPresent(
            why -> {
              throw WorkerException.mismatch("This trial cannot be made: %s", why);
            });
  }

  /** The faults that were made so far, by {@link Time#nanoTime}. */
  List<Fault> made() {
    return List.copyOf(made);
  }

  /**
   * Makes faults until the measured part has no time left for one more.
   *
   * @param begun when the measured part began, {@link Time#nanoTime}
   */
  void makeUntilTheEnd(long begun) {
    double seconds = settings.get(CoreSettings.MEASURE);
    double length = settings.get(ChaosSettings.FAULT_FOR);
    for (int i = 0; !kinds.isEmpty(); i++) {
      double gap =
          settings.get(ChaosSettings.FAULT_GAP) * (listed ? 1 : random.nextDouble(0.5, 1.5));
      if (time.secondsSince(begun) + gap + length > seconds) {
        break;
      }
      await(gap);
      startAgain();
      FaultKind kind = kinds.get((listed ? i : random.nextInt(kinds.size())) % kinds.size());
      make(kind, listed ? servers - 1 : random.nextInt(servers), length);
    }
    await(seconds - time.secondsSince(begun));
    startAgain();
  }

  /** Starts servers again that failed some time after their fault. */
  private void startAgain() {
    long from = time.nanoTime();
    List<Integer> late = struck.stream().filter(i -> !cluster.nodes().get(i).alive()).toList();
    if (!late.isEmpty()) {
      boolean unused = recover(LATE_FAILURE, late);
      made.add(new Fault(LATE_FAILURE, from, time.nanoTime()));
    }
  }

  /** Returns whether a fault was made of a server, which may have failed because of it. */
  boolean injectedInto(int server) {
    return struck.contains(server);
  }

  private void await(double seconds) {
    for (long from = time.nanoTime(); time.secondsSince(from) < seconds; ) {
      waiting.run();
    }
  }

  private void make(FaultKind kind, int server, double length) {
    long from = time.nanoTime();
    ManagedProcess victim = cluster.nodes().get(server);
    List<Integer> affected =
        switch (kind) {
          case SPLIT -> servers((servers + 1) / 2);
          case BRIDGE -> servers((servers + 2) / 2);
          case RING -> servers(0);
          default -> List.of(server);
        };
    String name =
        switch (kind) {
          case ROLLING_RESTART, READ_ONLY, DEACTIVATE, SPLIT, RING -> kind.word();
          case DELAY, LOSS, DUPLICATE, REORDER, CORRUPT -> kind.word();
          case BRIDGE -> kind.word() + " over node-0";
          default -> kind.word() + " " + victim.name();
        };
    struck.add(server);
    switch (kind) {
      case KILL, STOP -> {
        end(kind, victim);
        await(length);
        restart(server);
      }
      case ROLLING_RESTART -> rollingRestart(name);
      case PAUSE -> last(HostFaults.freeze(host(victim), victim.name(), pid(victim)), length);
      case STARVE -> last(HostFaults.starve(host(victim), victim.name(), pid(victim)), length);
      case HEAP -> {
        tell(victim, new FillHeap(length));
        await(length);
      }
      case READ_ONLY -> last(accepting(Accepted.READS), length);
      case DEACTIVATE -> last(accepting(Accepted.NOTHING), length);
      case DISK_FULL -> {
        last(
            HostFaults.fillDisk(host(victim), victim.name(), pid(victim), workFolder(victim)),
            length);
        // It may fail long after a write did, and then beside a server of the next fault.
        end(FaultKind.KILL, victim);
        restart(server);
      }
      case CLOCK_JUMP ->
          last(HostFaults.shiftClock(host(victim), victim, workFolder(victim), time), length);
      case ISOLATE, ONE_WAY -> last(blackout(kind, affected, cluster.agents()), length);
      case SPLIT, BRIDGE -> last(blackout(kind, affected, List.of()), length);
      case RING -> last(ring(), length);
      case SLOW_LINK -> last(slowLink(victim), length);
      case DELAY, LOSS, DUPLICATE, REORDER, CORRUPT -> last(shape(kind), length);
    }
    struck.addAll(affected);
    boolean restarted = recover(name, affected);
    made.add(new Fault(restarted ? name + ", restarted" : name, from, time.nanoTime()));
  }

  private List<Integer> servers(int from) {
    return IntStream.range(from, servers).boxed().toList();
  }

  /** A fault lasts until its end is run, whatever happens meanwhile. */
  private void last(Runnable end, double length) {
    try {
      await(length);
    } finally {
      end.run();
    }
  }

  private Runnable accepting(Accepted accepted) {
    ManagedProcess agent = cluster.agents().get(0);
    tell(agent, new Accept(accepted));
    return () -> tell(agent, new Accept(Accepted.ALL));
  }

  private Host host(ManagedProcess process) {
    return cluster.spec().hostOf(process);
  }

  private String workFolder(ManagedProcess server) {
    return cluster.spec().workFolder(server);
  }

  private static void tell(ManagedProcess process, ChaosMessages.Content content) {
    process.request(ChaosMessages.command(content), Answer.Done.class, Timeouts.QUICK);
  }

  private Runnable shape(FaultKind kind) {
    Shape usual = Shape.ofLinks(settings);
    Shape.Disorder disorder =
        new Shape.Disorder(
            share(kind, FaultKind.DUPLICATE),
            share(kind, FaultKind.REORDER),
            share(kind, FaultKind.CORRUPT));
    cluster.shapeLinks(
        new Shape(
            usual.delaySeconds() + (kind == FaultKind.DELAY ? DELAY_SECONDS : 0),
            usual.jitterSeconds(),
            usual.bitsPerSecond(),
            Math.max(usual.loss(), share(kind, FaultKind.LOSS)),
            disorder));
    return () -> cluster.shapeLinks(usual);
  }

  private static double share(FaultKind kind, FaultKind of) {
    return kind == of ? SHARE : 0;
  }

  private Runnable slowLink(ManagedProcess victim) {
    Host host = host(victim);
    Shape usual = Shape.ofLinks(settings);
    Shape slow =
        new Shape(
            usual.delaySeconds() + DELAY_SECONDS,
            usual.jitterSeconds(),
            SLOW_BITS_PER_SECOND,
            usual.loss());
    cluster.shapeLink(host, slow);
    return () -> cluster.shapeLink(host, usual);
  }

  private static void end(FaultKind kind, ManagedProcess victim) {
    if (kind == FaultKind.KILL) {
      victim.kill();
    } else {
      victim.stop(Timeouts.STOP);
    }
    victim.awaitEnd(Timeouts.STOP);
  }

  private void restart(int server) {
    ManagedProcess unused = cluster.startServer(server);
  }

  private void rollingRestart(String name) {
    for (int i = 0; i < servers; i++) {
      struck.add(i);
      end(FaultKind.STOP, cluster.nodes().get(i));
      restart(i);
      boolean unused = recover(name, List.of(i));
    }
  }

  private static long pid(ManagedProcess process) {
    return process
        .pid()
        .orElseThrow(
            () -> WorkerException.mismatch(Messages.format("chaos.no-process-id"), process.name()));
  }

  /**
   * @param apart the servers of one side
   * @param more processes of the other side besides the other servers
   */
  private Runnable blackout(FaultKind kind, List<Integer> apart, List<ManagedProcess> more) {
    return cut(
        more,
        (from, to) ->
            apart.contains(from) != apart.contains(to)
                && (kind != FaultKind.ONE_WAY || apart.contains(from))
                && (kind != FaultKind.BRIDGE || (from > 0 && to > 0)));
  }

  /** Both directions of every two servers that are no neighbours. */
  private Runnable ring() {
    return cut(
        List.of(),
        (from, to) -> {
          int apart = Math.floorMod(from - to, servers);
          return apart > 1 && apart < servers - 1;
        });
  }

  /**
   * @param more processes after the servers
   * @param lost whether what one sends to another, by their indices, is lost
   */
  private Runnable cut(List<ManagedProcess> more, BiPredicate<Integer, Integer> lost) {
    List<Host> all =
        Stream.concat(cluster.nodes().stream(), more.stream()).map(this::host).toList();
    List<Host[]> pairs = new ArrayList<>();
    for (int from = 0; from < all.size(); from++) {
      for (int to = 0; to < all.size(); to++) {
        if (lost.test(from, to)) {
          pairs.add(new Host[] {all.get(from), all.get(to)});
        }
      }
    }
    return HostFaults.cut(pairs);
  }

  /**
   * Waits until the grid is whole again. A server that the others had given up ends itself, or goes
   * on as a grid of its own and does not come back: such servers are started again, one that is
   * alive only when the one before has had time to get its copies.
   *
   * @return whether servers were started again
   */
  private boolean recover(String name, List<Integer> affected) {
    List<Integer> apart = new ArrayList<>(affected);
    long begin = time.nanoTime();
    long last = begin;
    while (dead(affected).isPresent() || !whole.getAsBoolean()) {
      if (time.secondsSince(begin) > RECOVERY_SECONDS) {
        throw WorkerException.mismatch(
            Messages.format("chaos.not-recovered"), RECOVERY_SECONDS, name);
      }
      boolean late = time.secondsSince(last) > REJOIN_SECONDS;
      Optional<Integer> again =
          dead(affected).or(() -> late ? apart.stream().findFirst() : Optional.empty());
      if (again.isPresent()) {
        end(FaultKind.KILL, cluster.nodes().get(again.get()));
        restart(again.get());
        apart.remove(again.get());
        last = time.nanoTime();
      }
      waiting.run();
    }
    return apart.size() < affected.size();
  }

  private Optional<Integer> dead(List<Integer> some) {
    return some.stream().filter(server -> !cluster.nodes().get(server).alive()).findFirst();
  }
}
