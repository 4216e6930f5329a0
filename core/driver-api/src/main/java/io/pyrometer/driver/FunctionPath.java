package io.pyrometer.driver;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An access path whose calls are one function, for paths that need no class of their own. The
 * methods that return the path itself complete it, before its first call.
 */
public final class FunctionPath implements AccessPath {
  private final List<String> operations;
  private final int window;
  private final int recordsPerCall;
  private final Body body;
  private boolean wholeSet;
  private boolean mayDrop;
  private Supplier<Aggregate> answer = () -> Aggregate.NOTHING;
  private Supplier<Map<String, Long>> events = Map::of;
  private AutoCloseable flush = () -> {};
  private AutoCloseable resource = () -> {};

  private FunctionPath(List<String> operations, int window, int recordsPerCall, Body body) {
    this.operations = operations;
    this.window = window;
    this.recordsPerCall = recordsPerCall;
    this.body = body;
  }

  /** Makes one call. */
  @FunctionalInterface
  public interface Body {

    /**
     * Makes one call of a path.
     *
     * @throws Exception where the call failed
     */
    void call(Call call) throws Exception;
  }

  /** Calls that are done when the function returns. */
  public static FunctionPath writing(String operation, int recordsPerCall, Body body) {
    return new FunctionPath(List.of(operation), 1, recordsPerCall, ended(body));
  }

  /** Calls whose end the function reports to the call, now or later. */
  public static FunctionPath asynchronous(
      String operation, int window, int recordsPerCall, Body body) {
    return new FunctionPath(List.of(operation), window, recordsPerCall, body);
  }

  /** Begins one call, which is done when the stage completes. */
  @FunctionalInterface
  public interface Beginning {

    /**
     * Begins one call of a path.
     *
     * @throws Exception where the call could not begin
     */
    CompletionStage<?> begin(Call call) throws Exception;
  }

  /** Single records; the end of a call is reported on the thread that completes its stage. */
  public static FunctionPath completing(String operation, int window, Beginning beginning) {
    return asynchronous(
        operation,
        window,
        1,
        call -> {
          CompletionStage<?> unused =
              beginning
                  .begin(call)
                  .whenCompleteAsync((done, failure) -> end(call, failure), Runnable::run);
        });
  }

  /** Reports the end of a call; the cause of a {@link CompletionException} in its place. */
  public static void end(Call call, @Nullable Throwable failure) {
    if (failure == null) {
      call.done();
    } else if (failure instanceof CompletionException && failure.getCause() != null) {
      call.failed(failure.getCause());
    } else {
      call.failed(failure);
    }
  }

  /**
   * Reads of the keys of a call, done when the function returns.
   *
   * @param answer what was read since it was last asked for
   */
  public static FunctionPath reading(
      String operation, int recordsPerCall, Supplier<Aggregate> answer, Body body) {
    FunctionPath path = writing(operation, recordsPerCall, body);
    path.answer = answer;
    return path;
  }

  /** Reads of the whole data set, done when the function returns. */
  public static FunctionPath wholeSet(
      String operation, int records, Supplier<Aggregate> answer, Body body) {
    FunctionPath path = reading(operation, records, answer, body);
    path.wholeSet = true;
    return path;
  }

  /** Reads one key. */
  @FunctionalInterface
  public interface Read {

    /**
     * Whether something is there.
     *
     * @throws Exception where the read failed
     */
    boolean finds(long key) throws Exception;
  }

  /**
   * Single reads ({@code get}) and writes of one record, the one or the other by the call's
   * operation, done when the function returns. A hit or a miss that is not intended fails the call.
   *
   * @param mayDrop whether the grid may drop records: a miss is then counted as {@code
   *     reads-of-dropped}
   */
  public static FunctionPath mixed(String writeName, boolean mayDrop, Read read, Body write) {
    AtomicLong dropped = new AtomicLong();
    Body either =
        call -> {
          if (call.operation() != 0) {
            write.call(call);
            return;
          }
          boolean found = read.finds(call.key(0));
          if (!call.misses() && !found && mayDrop) {
            dropped.incrementAndGet();
          } else if (!call.misses()) {
            requireFound(call.key(0), found);
          } else if (found) {
            throw new IllegalStateException(
                "Key " + call.key(0) + " was never written but is present.");
          }
        };
    FunctionPath path = new FunctionPath(List.of("get", writeName), 1, 1, ended(either));
    return mayDrop
        ? path.counting(() -> Map.of("reads-of-dropped", dropped.get())).dropping(true)
        : path;
  }

  /**
   * Checks that a record that was filled in is there.
   *
   * @throws IllegalStateException if it is absent
   */
  public static void requireFound(long key, boolean found) {
    if (!found) {
      throw new IllegalStateException("Key " + key + " was filled in but is absent.");
    }
  }

  private static Body ended(Body body) {
    return call -> {
      body.call(call);
      call.done();
    };
  }

  /** Adds what {@link AccessPath#events()} returns. */
  public FunctionPath counting(Supplier<Map<String, Long>> counts) {
    this.events = counts;
    return this;
  }

  /** Adds whether the grid may drop records of the trial by itself. */
  public FunctionPath dropping(boolean dropped) {
    this.mayDrop = dropped;
    return this;
  }

  /** Adds what {@link AccessPath#flush()} does. */
  public FunctionPath flushing(AutoCloseable action) {
    this.flush = action;
    return this;
  }

  /** Adds something that is closed with the path, such as a connection of its own. */
  public FunctionPath closing(AutoCloseable with) {
    this.resource = with;
    return this;
  }

  @Override
  public int window() {
    return window;
  }

  @Override
  public int recordsPerCall() {
    return recordsPerCall;
  }

  @Override
  public List<String> operations() {
    return operations;
  }

  @Override
  public boolean wholeSet() {
    return wholeSet;
  }

  @Override
  public boolean mayDrop() {
    return mayDrop;
  }

  @Override
  public Map<String, Long> events() {
    return events.get();
  }

  @Override
  public void call(Call call) throws Exception {
    body.call(call);
  }

  @Override
  public void flush() throws Exception {
    flush.close();
  }

  @Override
  public Aggregate takeAnswer() {
    return answer.get();
  }

  @Override
  public void close() {
    try {
      resource.close();
    } catch (Exception e) {
      throw new GridException("A connection could not be closed: " + e.getMessage(), e);
    }
  }
}
