package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The writes of calls that were sent and have no known outcome. Such a write may be applied at any
 * later time, and would overwrite a newer one, so it stays under way, and newer writes of its key
 * wait behind it.
 *
 * <p>A doubt ends when its call ends after all, when the node that held the request has left, when
 * the application releases its keys, or after a time. Then the keys are read back: a write that was
 * applied is acknowledged, another is sent again, unless a newer one takes its place.
 */
final class Doubts {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Settings settings;
  private final CachePort port;
  private final Workers workers;
  private final Codec codec;
  private final Completions<?, ?> completions;
  private final Set<Doubt> doubts = ConcurrentHashMap.newKeySet();

  /** The writes of one call of a lane. */
  static final class Doubt {
    private final Lane lane;
    private final Throwable cause;
    private final long since = System.nanoTime();
    private final Set<PendingWrite> writes = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean resolving = new AtomicBoolean();

    /** The thread whose call is outstanding, if it is. */
    private volatile @Nullable Thread caller;

    private volatile boolean ended;

    Doubt(Lane lane, Collection<PendingWrite> writes, Throwable cause, @Nullable Thread caller) {
      this.lane = lane;
      this.writes.addAll(writes);
      this.cause = cause;
      this.caller = caller;
    }

    /** The outstanding call has returned: whether its outcome is known. */
    void returned(boolean known) {
      caller = null;
      ended = known;
    }
  }

  Doubts(
      Settings settings,
      CachePort port,
      Workers workers,
      Codec codec,
      Completions<?, ?> completions) {
    this.settings = settings;
    this.port = port;
    this.workers = workers;
    this.codec = codec;
    this.completions = completions;
  }

  boolean any() {
    return !doubts.isEmpty();
  }

  void add(Doubt doubt) {
    LOG.log(
        Logger.Level.WARNING,
        "cache {0}: {1} writes sent to node {2} are in doubt, for at most {3} s: {4}",
        port.name(),
        doubt.writes.size(),
        doubt.lane.nodeName(),
        settings.inDoubtFor.toSeconds(),
        doubt.cause);
    doubts.add(doubt);
  }

  /** Has workers end the doubts that are over. */
  void tick() {
    doubts.removeIf(doubt -> doubt.writes.isEmpty());
    for (Doubt doubt : doubts) {
      boolean over = isOver(doubt);
      List<PendingWrite> writes =
          doubt.writes.stream().filter(write -> over || write.released).toList();
      if (!writes.isEmpty() && doubt.resolving.compareAndSet(false, true)) {
        workers.execute(() -> end(doubt, writes, over));
      }
    }
  }

  private boolean isOver(Doubt doubt) {
    if (doubt.ended || System.nanoTime() - doubt.since >= Nanos.of(settings.inDoubtFor)) {
      return true;
    }
    try {
      return port.hasLeft(doubt.lane.node());
    } catch (RuntimeException disconnected) {
      return false;
    }
  }

  private void end(Doubt doubt, List<PendingWrite> writes, boolean over) {
    try {
      @Nullable Thread caller = doubt.caller;
      if (over && caller != null) {
        caller.interrupt();
      }
      Set<Object> unknown = new LinkedHashSet<>();
      writes.stream()
          .filter(PendingWrite::isCalled)
          .forEach(write -> unknown.add(write.key.object()));
      resolve(doubt, writes, unknown.isEmpty() ? Map.of() : port.getAll(unknown));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "keys in doubt could not be read back yet", e);
    } finally {
      doubt.resolving.set(false);
    }
  }

  private void resolve(Doubt doubt, List<PendingWrite> writes, Map<Object, Object> values) {
    List<PendingWrite> applied = new ArrayList<>();
    List<PendingWrite> notRepeated = new ArrayList<>();
    for (PendingWrite write : writes) {
      doubt.writes.remove(write);
      if (!write.isDecided() && codec.isSame(write.value, values.get(write.key.object()))) {
        applied.add(write);
      } else if (settings.repeats) {
        write.doubts++;
        write.released = false;
        write.shard.requeue(write);
      } else {
        notRepeated.add(write);
      }
    }
    completions.settle(applied, null);
    WriteInDoubtException cause =
        new WriteInDoubtException(
            "a write was sent, has no known outcome and must not be repeated", null);
    completions.settle(notRepeated, new PendingWrite.Failure(cause, true, true));
  }

  /** The encoded keys. */
  Set<Object> keys() {
    return doubts.stream()
        .flatMap(doubt -> doubt.writes.stream())
        .map(write -> write.key.object())
        .collect(Collectors.toSet());
  }

  /** Ends the doubt of a write at the next tick. */
  void release(PendingWrite write) {
    write.released = doubts.stream().anyMatch(doubt -> doubt.writes.contains(write));
  }

  void releaseAll() {
    doubts.forEach(doubt -> doubt.writes.forEach(write -> write.released = true));
  }
}
