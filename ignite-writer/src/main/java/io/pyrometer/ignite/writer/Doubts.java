package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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

  private final Context context;
  private final Set<Doubt> doubts = ConcurrentHashMap.newKeySet();
  private final WriteGroup unresolved = new WriteGroup();

  /** The writes of one call to a node. */
  static final class Doubt {
    private final Object node;
    private final List<PendingWrite> writes;
    private final Throwable cause;
    private final long since = System.nanoTime();
    private final AtomicBoolean resolving = new AtomicBoolean();
    private volatile @Nullable Thread caller; // whose call is outstanding, if it is
    private volatile boolean ended;

    Doubt(Object node, List<PendingWrite> writes, Throwable cause, @Nullable Thread caller) {
      this.node = node;
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

  Doubts(Context context) {
    this.context = context;
  }

  void add(Doubt doubt) {
    LOG.log(
        Logger.Level.WARNING,
        "cache {0}: {1} writes sent to node {2} are in doubt, for at most {3} s: {4}",
        context.port.name(),
        doubt.writes.size(),
        doubt.node,
        TimeUnit.NANOSECONDS.toSeconds(context.settings.inDoubtNanos),
        doubt.cause);
    unresolved.add();
    doubts.add(doubt);
  }

  /** Completes when all have ended; called once. */
  CompletableFuture<Void> resolved() {
    return unresolved.close();
  }

  /** The number of keys in doubt. */
  long keys() {
    return doubts.stream().mapToLong(doubt -> doubt.writes.size()).sum();
  }

  /** Has workers resolve the doubts that are over. */
  void tick() {
    for (Doubt doubt : doubts) {
      if (doubt.resolving.compareAndSet(false, true)) {
        context.workers.execute(() -> resolveIfOver(doubt));
      }
    }
  }

  private void resolveIfOver(Doubt doubt) {
    try {
      if (doubt.ended
          || System.nanoTime() - doubt.since >= context.settings.inDoubtNanos
          // a call that is under way may be for another node, or wait for the topology
          || (doubt.caller == null && context.port.hasLeft(doubt.node))) {
        resolve(doubt);
        doubts.remove(doubt);
        unresolved.end(1);
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "keys in doubt could not be read back yet", e);
    } finally {
      doubt.resolving.set(false);
    }
  }

  private void resolve(Doubt doubt) {
    @Nullable Thread caller = doubt.caller;
    if (caller != null) {
      caller.interrupt();
    }
    Set<Object> unknown =
        doubt.writes.stream()
            .filter(write -> !write.isDecided())
            .map(write -> write.key.encoded)
            .collect(Collectors.toSet());
    Map<Object, Object> values = unknown.isEmpty() ? Map.of() : context.port.getAll(unknown);
    List<PendingWrite> applied = new ArrayList<>();
    for (PendingWrite write : doubt.writes) {
      if (!write.isDecided() && Objects.deepEquals(write.value, values.get(write.key.encoded))) {
        applied.add(write);
      } else if (write.isDecided() || context.settings.repeats) {
        write.divisions++;
        write.shard.requeue(write);
      } else {
        context.completions.settle(
            List.of(write), new PendingWrite.Failure(doubt.cause, true, true));
      }
    }
    context.completions.settle(applied, null);
  }
}
