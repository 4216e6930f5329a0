package io.pyrometer.chaos.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is done to a grid. */
public enum FaultKind {
  /** A server is killed (SIGKILL), and started again without data when the fault ends. */
  KILL,
  /** The same with a server that is stopped gracefully. */
  STOP,
  /** Each server in turn is stopped gracefully and started again. */
  ROLLING_RESTART,
  /** A server is frozen (SIGSTOP) and continued (SIGCONT). */
  PAUSE,
  /** A server gets a tenth of its CPU time: it is frozen for 90 ms of every 100. */
  STARVE,
  /** One server neither reaches the others nor the clients. */
  ISOLATE,
  /** What one server sends to the others and the clients is lost; it receives what they send. */
  ONE_WAY,
  /** The servers are split in halves that do not reach each other; clients reach all. */
  SPLIT,
  /** The same, but for one server, which reaches all. */
  BRIDGE,
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

  /** Those that end or freeze processes, which need no network of Pyrometer's own. */
  public static final List<FaultKind> OF_PROCESSES =
      List.of(KILL, STOP, ROLLING_RESTART, PAUSE, STARVE);

  /** Those after which parts of a grid may go on as grids of their own. */
  public static final List<FaultKind> PARTITIONS = List.of(ISOLATE, ONE_WAY, SPLIT, BRIDGE);

  /** Those that end servers, which join the running grid again. */
  public static final List<FaultKind> RESTARTS = List.of(KILL, STOP, ROLLING_RESTART);

  /** Those that a grid can take which no server joins while it runs. */
  public static final List<FaultKind> WITHOUT_RESTARTS =
      Arrays.stream(values()).filter(kind -> !kind.restarts()).toList();

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

  /** Whether it needs hosts that are namespaces. */
  public boolean ofNetwork() {
    return !OF_PROCESSES.contains(this);
  }

  /** Whether servers join the running grid again. */
  public boolean restarts() {
    return RESTARTS.contains(this);
  }
}
