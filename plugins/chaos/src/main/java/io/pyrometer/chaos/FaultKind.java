package io.pyrometer.chaos;

import io.pyrometer.protocol.message.Messages;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Faults that are made in a grid. */
public enum FaultKind {
  /**
   * A server is killed (SIGKILL), and started again when the fault ends, with the data that it has
   * stored on disk.
   */
  KILL,
  /** Variant with a server that is stopped gracefully. */
  STOP,
  /** Each server in turn is stopped gracefully and started again. */
  ROLLING_RESTART,
  /** A server is frozen (SIGSTOP) and continued (SIGCONT). */
  PAUSE,
  /** A server gets a tenth of its CPU time: it is frozen for 90 ms of every 100. */
  STARVE,
  /**
   * A server's JVM has hardly any free heap. A server that fails because of it is restarted without
   * data.
   */
  HEAP,
  /** The grid refuses writes. */
  READ_ONLY,
  /** The grid refuses all operations; what it has stored is there again when the fault ends. */
  DEACTIVATE,
  /** The disk of a server is full; it is restarted with an empty one when the fault ends. */
  DISK_FULL,
  /** The clock of a server is a minute ahead, and is set back when the fault ends. */
  CLOCK_JUMP,
  /** One server neither reaches the others nor the clients. */
  ISOLATE,
  /**
   * Messages that one server sends to the others and the clients are lost; it receives what they
   * send.
   */
  ONE_WAY,
  /** The servers are split in halves that do not reach each other; clients reach all. */
  SPLIT,
  /** Variant but for one server, which reaches all. */
  BRIDGE,
  /** Each server reaches its two neighbours alone; clients reach all. */
  RING,
  /** The link of one server carries 1 Mbit/s, and its packets are delayed. */
  SLOW_LINK,
  /** Packets of all links are delayed. */
  DELAY,
  /** A share of the packets of all links is lost. */
  LOSS,
  /** A share of them arrives twice. */
  DUPLICATE,
  /** A share of them arrives after the next packet of their host. */
  REORDER,
  /** A byte of a share of them is changed. */
  CORRUPT;

  /** Faults that need no network of Pyrometer's own. */
  public static final List<FaultKind> WITHOUT_NETWORK =
      List.of(
          KILL,
          STOP,
          ROLLING_RESTART,
          PAUSE,
          STARVE,
          HEAP,
          READ_ONLY,
          DEACTIVATE,
          DISK_FULL,
          CLOCK_JUMP);

  /** Faults after which parts of a grid may go on as grids of their own. */
  public static final List<FaultKind> PARTITIONS = List.of(ISOLATE, ONE_WAY, SPLIT, BRIDGE, RING);

  /** Faults that end servers, or may, which join the running grid again. */
  public static final List<FaultKind> RESTARTS =
      List.of(KILL, STOP, ROLLING_RESTART, HEAP, DISK_FULL);

  /** Faults of a grid that stores entries on disk, and would lose them all otherwise. */
  public static final List<FaultKind> OF_DISKS = List.of(DEACTIVATE, DISK_FULL);

  /** Faults that servers must be started for. */
  public static final List<FaultKind> PREPARED = List.of(DISK_FULL, CLOCK_JUMP);

  /** Faults that a grid of JVMs can take without an operation of its own, and without disks. */
  public static final List<FaultKind> OF_JVMS =
      Arrays.stream(values())
          .filter(kind -> kind != READ_ONLY && !OF_DISKS.contains(kind))
          .toList();

  /** Faults that a grid can take which no server joins while it runs. */
  public static final List<FaultKind> WITHOUT_RESTARTS =
      OF_JVMS.stream().filter(kind -> !kind.restarts()).toList();

  /** The name in experiment files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind of this name. */
  public static FaultKind of(String word) {
    return Arrays.stream(values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Why so many servers cannot take it, a clause with what to do; empty if they can.
   *
   * @param namespaces whether they are in namespaces, which have a network of Pyrometer's own
   * @param persistent whether they store entries on disk
   */
  public Optional<String> obstacle(int servers, boolean namespaces, boolean persistent) {
    int least = this == RING ? 4 : this == BRIDGE ? 3 : 2;
    if (servers < least) {
      return Optional.of(Messages.format("chaos.fault-servers").formatted(word(), least));
    }
    if (OF_DISKS.contains(this) && !persistent) {
      return Optional.of(Messages.format("chaos.fault-persistence").formatted(word()));
    }
    return WITHOUT_NETWORK.contains(this) || namespaces
        ? Optional.empty()
        : Optional.of(Messages.format("chaos.fault-network").formatted(word()));
  }

  /** Returns whether servers join the running grid again. */
  public boolean restarts() {
    return RESTARTS.contains(this);
  }
}
