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
  /** One server neither reaches the others nor the clients. */
  ISOLATE,
  /** What one server sends to the others and the clients is lost; it receives what they send. */
  ONE_WAY,
  /** The servers are split in halves that do not reach each other; clients reach all. */
  SPLIT,
  /** Packets of all links are delayed. */
  DELAY,
  /** A share of the packets of all links is lost. */
  LOSS;

  /** Those that end or freeze processes, which need no network of Pyrometer's own. */
  public static final List<FaultKind> OF_PROCESSES = List.of(KILL, STOP, ROLLING_RESTART, PAUSE);

  /** Those after which parts of a grid may go on as grids of their own. */
  public static final List<FaultKind> PARTITIONS = List.of(ISOLATE, ONE_WAY, SPLIT);

  /** Those that end servers, which join the running grid again. */
  public static final List<FaultKind> RESTARTS = List.of(KILL, STOP, ROLLING_RESTART);

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
