package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * <p>A doubt ends when its call ends after all, when the node that held the request has left, or
 * after a time. Then the keys are read back: a write that was applied is acknowledged, another is
 * sent again.
 */
final class Doubts {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Settings settings;
  private final CachePort port;
  private final Workers workers;
  private final Completions<?, ?> completions;
  private final Set<Doubt> doubts = ConcurrentHashMap.newKeySet();

  /** The writes of one call of a lane. */
  static final class Doubt {
    private final Lane lane;
    private final Throwable cause;
    private final long since = System.nanoTime();
    private final List<PendingWrite> writes;

    /** The thread whose call is outstanding, if it is. */
    private volatile @Nullable Thread caller;

    private volatile boolean ended;
    private final AtomicBoolean resolving = new AtomicBoolean();

    Doubt(Lane lane, Collection<PendingWrite> writes, Throwable cause, @Nullable Thread caller) {
      this.lane = lane;
      this.writes = List.copyOf(writes);
      this.cause = cause;
      this.caller = caller;
    }

    /** The outstanding call has returned: whether its outcome is known. */
    void returned(boolean known) {
      caller = null;
      ended = known;
    }
  }

  Doubts(Settings settings, CachePort port, Workers workers, Completions<?, ?> completions) {
    this.settings = settings;
    this.port = port;
    this.workers = workers;
    this.completions = completions;
  }

  void add(Doubt doubt) {
    LOG.log(
        Logger.Level.WARNING,
        "cache {0}: {1} writes sent to node {2} are in doubt, for at most {3} s: {4}",
        port.name(),
        doubt.writes.size(),
        port.nameOf(doubt.lane.node()),
        settings.inDoubtFor.toSeconds(),
        doubt.cause);
    doubts.add(doubt);
  }

  /** The number of keys in doubt. */
  long keys() {
    return doubts.stream().mapToLong(doubt -> doubt.writes.size()).sum();
  }

  /** Has workers resolve the doubts that are over. */
  void tick() {
    for (Doubt doubt : doubts) {
      if (doubt.resolving.compareAndSet(false, true)) {
        workers.execute(() -> resolveIfOver(doubt));
      }
    }
  }

  private void resolveIfOver(Doubt doubt) {
    try {
      if (isOver(doubt)) {
        resolve(doubt);
        doubts.remove(doubt);
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "keys in doubt could not be read back yet", e);
    } finally {
      doubt.resolving.set(false);
    }
  }

  private boolean isOver(Doubt doubt) {
    return doubt.ended
        || System.nanoTime() - doubt.since >= Nanos.of(settings.inDoubtFor)
        || port.hasLeft(doubt.lane.node());
  }

  private void resolve(Doubt doubt) {
    @Nullable Thread caller = doubt.caller;
    if (caller != null) {
      caller.interrupt();
    }
    Set<Object> unknown =
        doubt.writes.stream()
            .filter(PendingWrite::isCalled)
            .map(write -> write.key)
            .collect(Collectors.toSet());
    Map<Object, Object> values = unknown.isEmpty() ? Map.of() : port.getAll(unknown);
    List<PendingWrite> applied = new ArrayList<>();
    List<PendingWrite> notRepeated = new ArrayList<>();
    for (PendingWrite write : doubt.writes) {
      if (!write.isDecided() && Objects.deepEquals(write.value, values.get(write.key))) {
        applied.add(write);
      } else if (write.isDecided() || settings.repeats) {
        write.doubts++;
        write.shard.requeue(write);
      } else {
        notRepeated.add(write);
      }
    }
    completions.settle(applied, null);
    completions.settle(notRepeated, new PendingWrite.Failure(doubt.cause, true, true));
  }
}
