package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcomes of writes and publishes them: completes futures, tells the failure listener
 * on its own thread, and releases the room of the writes. The room of a failed write is released
 * when the listener has returned, so that failures that wait for a slow listener are bounded as
 * well. Flushes wait for the writes that were accepted before them.
 *
 * <p>The thread that completes a future runs the stages that depend on it, which may block for
 * ever, for instance until another write of the batch is acknowledged. In each tick in which that
 * thread makes no progress another one goes on in its place.
 */
final class Completions {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final int NESTED = 1_000; // futures; the stacks of late threads have room for them

  private final Context context;
  private final Optional<Consumer<FailedWrite<Object, Object>>> listener;
  private final Set<Publication> unpublished = ConcurrentHashMap.newKeySet();
  private final WriteGroup untold = new WriteGroup();
  private volatile WriteGroup flushGroup = new WriteGroup();
  private CompletableFuture<Void> flushed = CompletableFuture.completedFuture(null);

  Completions(Context context) {
    this.context = context;
    this.listener = context.settings.failureListener;
  }

  /** Writes that were decided together. */
  private final class Publication {
    private final List<PendingWrite> writes;
    private final AtomicInteger next = new AtomicInteger(); // to complete by its own thread
    private volatile AtomicInteger steps = new AtomicInteger(); // of the thread that helps last
    private int released;
    private int progress = -1; // at the last tick

    Publication(List<PendingWrite> writes) {
      this.writes = writes;
    }

    void run() {
      for (int i = next.getAndIncrement(); i < writes.size(); i = next.getAndIncrement()) {
        complete(writes.get(i));
      }
      release();
      unpublished.remove(this);
    }

    /** Releases the writes that are complete, whether or not their stages have returned. */
    private void release() {
      int from;
      int to;
      synchronized (this) {
        from = released;
        while (released < writes.size() && writes.get(released).isDone()) {
          released++;
        }
        to = released;
      }
      PendingWrite.forEachRun(
          writes.subList(from, to),
          (a, b) -> a.share == b.share && a.flushGroup == b.flushGroup,
          Completions.this::release);
    }

    /** Returns whether nothing has happened since the last tick. */
    private synchronized boolean isStuck() {
      int before = progress;
      progress = Math.min(next.get(), writes.size()) + steps.get() + released;
      return progress == before;
    }
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
    List<PendingWrite> decided = new ArrayList<>(writes.size());
    for (PendingWrite write : writes) {
      if (failure == null ? write.acknowledge() : write.fail(failure, failure)) {
        decided.add(write);
      }
    }
    PendingWrite.forEachRun(
        writes, (a, b) -> a.shard == b.shard, run -> run.get(0).shard.settle(run));
    publish(decided);
  }

  /** Counts writes that the caller has decided, and publishes them on another thread. */
  void publish(List<PendingWrite> decided) {
    if (decided.isEmpty()) {
      return;
    }
    for (PendingWrite write : decided) {
      context.counters.merged.add(write.merged);
      if (write.failure() != null) {
        context.counters.failed.increment();
        context.failures.add(write);
      }
    }
    context.counters.finished.add(decided.size());
    Publication publication = new Publication(decided);
    unpublished.add(publication);
    context.workers.executeStages(publication::run);
  }

  /** Has another thread go on where one is stuck, or everywhere. */
  synchronized void tick(boolean everywhere) {
    List<Publication> stuck = new ArrayList<>();
    AtomicInteger steps = new AtomicInteger();
    for (Publication publication : unpublished) {
      if (publication.isStuck() || everywhere) {
        publication.next.set(publication.writes.size());
        publication.steps = steps;
        stuck.add(publication);
      }
    }
    if (!stuck.isEmpty()) {
      context.workers.executeLate(() -> new Help(stuck, steps).run());
    }
    context.workers.tick();
  }

  /** Completes the futures that are left, and only then runs the stages that are. */
  private final class Help {
    private final List<Publication> publications;
    private final AtomicInteger steps;
    private final List<PendingWrite> left;
    private final CountDownLatch complete = new CountDownLatch(1);

    Help(List<Publication> publications, AtomicInteger steps) {
      this.publications = publications;
      this.steps = steps;
      left =
          publications.stream()
              .flatMap(of -> of.writes.stream())
              .filter(write -> !write.isDone())
              .collect(Collectors.toList());
    }

    void run() {
      completeNested(0, NESTED);
      for (Publication publication : publications) {
        publication.writes.forEach(this::step); // for the stages that blocked threads have left
        unpublished.remove(publication);
      }
    }

    private void step(PendingWrite write) {
      steps.incrementAndGet();
      complete(write);
    }

    /**
     * The newest stage of each future completes the next one, before the others run. When the stack
     * is used up another thread goes on, and this one waits.
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void completeNested(int from, int depth) {
      int i = from;
      for (; i < left.size() && left.get(i).getNumberOfDependents() == 0; i++) {
        step(left.get(i));
      }
      int at = i;
      if (at == left.size()) {
        publications.forEach(Publication::release);
        complete.countDown();
      } else if (depth > 0) {
        left.get(at).whenComplete((done, failed) -> completeNested(at + 1, depth - 1));
        step(left.get(at));
      } else {
        context.workers.startStages(() -> completeNested(at, NESTED));
        try {
          complete.await();
        } catch (InterruptedException e) { // stages may run early
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** Releases writes of one node and one flush, but not the room of those the listener is told. */
  private void release(List<PendingWrite> run) {
    long bytes = 0;
    int free = 0;
    for (PendingWrite write : run) {
      if (write.failure() != null && listener.isPresent()) {
        tell(write);
      } else {
        free++;
        bytes += write.pendingBytes();
      }
    }
    context.budget.release(run.get(0).share, free, bytes);
    run.get(0).flushGroup.end(run.size());
  }

  private void complete(PendingWrite write) {
    PendingWrite.@Nullable Failure failure = write.failure();
    Object key = write.key.encoded;
    try {
      write.publish(
          failure == null
              ? null
              : new WriteFailedException(context.encoder.keys.decodeKey(key), failure));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "the future of a write could not be completed", e);
    }
  }

  private void tell(PendingWrite write) {
    untold.add();
    context.workers.listen(
        () -> {
          try {
            listener.ifPresent(to -> to.accept(failed(write)));
          } finally {
            context.budget.release(write.share, 1, write.pendingBytes());
            untold.end(1);
          }
        });
  }

  private FailedWrite<Object, Object> failed(PendingWrite write) {
    return new FailedWrite<>(
        context.encoder.keys.decodeKey(write.key.encoded),
        context.encoder.values.decodeValue(write.value),
        write.requireFailure());
  }

  /** Completes when the listener has been told of all failures; called once, when all settled. */
  CompletableFuture<Void> allTold() {
    return untold.close();
  }
}
