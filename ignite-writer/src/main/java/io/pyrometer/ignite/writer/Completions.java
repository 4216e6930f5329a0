package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcomes of writes and publishes them: completes futures on a worker, because
 * callers' stages may block, tells the failure listener on its own thread, and releases the room of
 * the writes. The room of a failed write is released when the listener has returned, so that
 * failures that wait for a slow listener are bounded as well. Flushes wait for the writes that were
 * accepted before them.
 */
final class Completions<K, V> {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Context context;
  private final Optional<Consumer<? super FailedWrite<K, V>>> listener;
  private final Set<PendingWrite[]> unpublished = ConcurrentHashMap.newKeySet();
  private final WriteGroup untold = new WriteGroup();
  private volatile WriteGroup flushGroup = new WriteGroup();
  private CompletableFuture<Void> flushed = CompletableFuture.completedFuture(null);

  Completions(Context context, Optional<Consumer<? super FailedWrite<K, V>>> listener) {
    this.context = context;
    this.listener = listener;
  }

  /** The group of the writes that the next flush waits for, which has one more now. */
  WriteGroup joinFlush() {
    WriteGroup group = flushGroup;
    while (!group.add()) {
      group = flushGroup;
    }
    return group;
  }

  /** Completes when every write accepted before is settled. */
  synchronized CompletableFuture<Void> settled() {
    WriteGroup before = flushGroup;
    flushGroup = new WriteGroup();
    flushed = CompletableFuture.allOf(flushed, before.close());
    return flushed;
  }

  /** Ends writes that are under way: acknowledged, or failed. Later writes of their keys go on. */
  void settle(List<PendingWrite> writes, PendingWrite.@Nullable Failure failure) {
    if (writes.isEmpty()) {
      return;
    }
    PendingWrite[] all = writes.toArray(PendingWrite[]::new);
    unpublished.add(all); // before the first is decided: see publishAll
    for (PendingWrite write : all) {
      if (failure == null ? write.acknowledge() : write.fail(failure, failure)) {
        decided(write);
      }
    }
    PendingWrite.forEachRun(
        writes, (a, b) -> a.shard == b.shard, run -> run.get(0).shard.settle(run));
    publishLater(all);
  }

  /** Counts a write that is decided. */
  void decided(PendingWrite write) {
    PendingWrite.@Nullable Failure failure = write.failure();
    context.counters.finished.increment();
    context.counters.merged.add(write.merged);
    if (failure != null) {
      context.counters.failed.increment();
      context.failures.add(write.key.encoded(), failure);
    }
  }

  /** Publishes writes that are decided, on a worker. */
  void publishLater(PendingWrite[] writes) {
    if (writes.length > 0) {
      unpublished.add(writes);
      context.workers.execute(
          () -> {
            publish(writes);
            unpublished.remove(writes);
          });
    }
  }

  /** Publishes on this thread what others have decided and have not published yet. */
  void publishAll() {
    unpublished.forEach(this::publish);
  }

  private void publish(PendingWrite[] writes) {
    List<PendingWrite> ended = new ArrayList<>(writes.length);
    for (PendingWrite write : writes) {
      PendingWrite.@Nullable Failure failure = write.failure();
      if (write.isDecided() && complete(write, failure)) {
        ended.add(write);
        if (failure != null && listener.isPresent()) {
          tell(write, failure);
        }
      }
    }
    PendingWrite.forEachRun(
        ended, (a, b) -> a.share == b.share && a.flushGroup == b.flushGroup, this::release);
  }

  /** Releases writes of one node and one flush, but not the room of those the listener is told. */
  private void release(List<PendingWrite> run) {
    List<PendingWrite> free =
        listener.isEmpty() ? run : run.stream().filter(write -> write.failure() == null).toList();
    long bytes = free.stream().mapToLong(PendingWrite::pendingBytes).sum();
    context.budget.release(run.get(0).share, free.size(), bytes);
    run.get(0).flushGroup.end(run.size());
  }

  private boolean complete(PendingWrite write, PendingWrite.@Nullable Failure failure) {
    try {
      return write.publish(
          failure == null
              ? null
              : new WriteFailedException(
                  Map.of(context.codec.decodeKey(write.key.encoded()), failure.cause()),
                  1,
                  failure.inDoubt(),
                  failure.retriable()));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "the future of a write could not be completed", e);
      return true;
    }
  }

  private void tell(PendingWrite write, PendingWrite.Failure failure) {
    untold.add();
    context.workers.listen(
        () -> {
          try {
            listener.ifPresent(to -> to.accept(failedWrite(write, failure)));
          } finally {
            context.budget.release(write.share, 1, write.pendingBytes());
            untold.end(1);
          }
        });
  }

  @SuppressWarnings("unchecked")
  private FailedWrite<K, V> failedWrite(PendingWrite write, PendingWrite.Failure failure) {
    return new FailedWrite<>(
        (K) context.codec.decodeKey(write.key.encoded()),
        (Optional<V>) context.codec.decodeValue(write.value),
        failure.inDoubt(),
        failure.retriable(),
        failure.cause());
  }

  /** Completes when the listener has been told of all failures; called once, when all settled. */
  CompletableFuture<Void> allTold() {
    return untold.close();
  }
}
