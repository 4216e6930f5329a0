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
final class Ack extends CompletableFuture<Void> {
  /** Not an acknowledgement: the lane has no room now. */
  static final Ack FULL = new Ack();

  /** Not an acknowledgement: the lane takes no more writes, its keys have moved. */
  static final Ack MOVED = new Ack();

  /** Nothing, a {@link Group}, or a list of them: most entries have none or one. */
  private @Nullable Object groups;

  /** Lets a group wait for this too. By the entry's lane, before the entry is sent. */
  @SuppressWarnings("unchecked")
  void tell(Group group) {
    if (groups == null) {
      groups = group;
    } else if (groups instanceof Group other) {
      if (other == group) {
        return;
      }
      groups = new ArrayList<>(List.of(other, group));
    } else {
      List<Group> several = (List<Group>) groups;
      if (several.get(several.size() - 1) == group) {
        return;
      }
      several.add(group);
    }
    group.more();
  }

  void succeed() {
    if (super.complete(null)) {
      tellGroups(null);
    }
  }

  void fail(Throwable cause) {
    if (super.completeExceptionally(cause)) {
      tellGroups(cause);
    }
  }

  @SuppressWarnings("unchecked")
  private void tellGroups(@Nullable Throwable cause) {
    if (groups instanceof Group group) {
      group.less(cause);
    } else if (groups != null) {
      ((List<Group>) groups).forEach(group -> group.less(cause));
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
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
