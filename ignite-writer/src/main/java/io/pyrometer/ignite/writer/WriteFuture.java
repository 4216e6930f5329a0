package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of one pending entry, shared by all writes that were merged into it. Only the writer
 * completes it: callers may wait for it and derive stages from it.
 */
final class WriteFuture extends GuardedFuture<Void> {
  /** A refusal: the lane has as many waiting entries as it may have. */
  static final WriteFuture LANE_FULL = new WriteFuture();

  /** A refusal: the writer has as many pending entries or bytes as it may have. */
  static final WriteFuture BUDGET_FULL = new WriteFuture();

  /** A refusal: the lane takes no more writes, its keys have moved to another. */
  static final WriteFuture MOVED = new WriteFuture();

  /** Nothing, a {@link GroupFuture}, or a list of them: most entries have none or one. */
  private @Nullable Object groups;

  boolean isAcceptance() {
    return this != LANE_FULL && this != BUDGET_FULL && this != MOVED;
  }

  /** Lets a group wait for this too. Called under the lane's lock, before the entry is sent. */
  @SuppressWarnings("unchecked")
  void tell(GroupFuture group) {
    if (groups == null) {
      groups = group;
    } else if (groups instanceof GroupFuture other) {
      if (other == group) {
        return;
      }
      groups = new ArrayList<>(List.of(other, group));
    } else {
      List<GroupFuture> several = (List<GroupFuture>) groups;
      if (several.get(several.size() - 1) == group) {
        return;
      }
      several.add(group);
    }
    group.more();
  }

  /** Completes normally; false if this was complete before. */
  boolean succeed() {
    boolean first = super.complete(null);
    if (first) {
      tellGroups(null);
    }
    return first;
  }

  /** Completes exceptionally; false if this was complete before. */
  boolean fail(Throwable cause) {
    boolean first = super.completeExceptionally(cause);
    if (first) {
      tellGroups(cause);
    }
    return first;
  }

  @SuppressWarnings("unchecked")
  private void tellGroups(@Nullable Throwable cause) {
    if (groups instanceof GroupFuture group) {
      group.less(cause);
    } else if (groups != null) {
      ((List<GroupFuture>) groups).forEach(group -> group.less(cause));
    }
  }

  @Override
  public boolean complete(Void value) {
    return false;
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    return false;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return false;
  }

  @Override
  public CompletableFuture<Void> orTimeout(long timeout, TimeUnit unit) {
    return copy().orTimeout(timeout, unit);
  }

  @Override
  @SuppressWarnings("VoidUsed")
  public CompletableFuture<Void> completeOnTimeout(Void value, long timeout, TimeUnit unit) {
    return copy().completeOnTimeout(value, timeout, unit);
  }

  @Override
  public CompletableFuture<Void> completeAsync(
      Supplier<? extends Void> supplier, Executor executor) {
    throw onlyTheWriter();
  }

  @Override
  public void obtrudeValue(Void value) {
    throw onlyTheWriter();
  }

  @Override
  public void obtrudeException(Throwable cause) {
    throw onlyTheWriter();
  }

  private static UnsupportedOperationException onlyTheWriter() {
    return new UnsupportedOperationException(
        "only the writer completes this future; derive one with copy()");
  }
}
