package io.pyrometer.driver;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.MixedOperation;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.QueryAnswers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An access path whose calls are one function, for paths that need no class of their own. The
 * methods that return the path itself complete it, before its first call.
 */
public final class FunctionPath implements AccessPath {
  /** The event of a record that was merged with a later one of its key. */
  private static final String MERGED = "records-merged";

  private final List<String> operations;
  private final int window;
  private final int recordsPerCall;
  private final Body body;
  private boolean wholeSet;
  private boolean mayDrop;
  private Supplier<Aggregate> answer = () -> Aggregate.NOTHING;
  private Supplier<Map<String, Long>> events = Map::of;
  private List<MixedOperation> mix = List.of();
  private LongSupplier merged = () -> 0;
  private AutoCloseable flush = () -> {};
  private AutoCloseable resource = () -> {};
  private IntToDoubleFunction weights = operation -> 1;
  private Optional<Function<List<long[]>, QueryAnswers>> comparison = Optional.empty();

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

  /**
   * Queries, each an operation of its own, done when the function returns.
   *
   * @param weights how often an operation is drawn, relative to the others
   * @param keys the most keys that parameters of a query are made of
   */
  public static FunctionPath queries(
      List<String> operations, IntToDoubleFunction weights, int keys, Body body) {
    FunctionPath path = new FunctionPath(operations, 1, keys, ended(body));
    path.weights = weights;
    return path;
  }

  /**
   * Operations of a mix, the one or the other by the call's, done when the function returns.
   *
   * @param recordsPerCall the most records of a call of any of them
   */
  static FunctionPath mixing(List<MixedOperation> mix, int recordsPerCall, Body body) {
    FunctionPath path =
        new FunctionPath(
            mix.stream().map(MixedOperation::name).toList(), 1, recordsPerCall, ended(body));
    path.mix = mix;
    return path;
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

  /** Adds what {@link AccessPath#mergedRecords()} returns, which is an event as well. */
  public FunctionPath merging(LongSupplier count) {
    this.merged = count;
    return counting(() -> Map.of(MERGED, count.getAsLong()));
  }

  /** Adds what {@link AccessPath#events()} returns. */
  public FunctionPath counting(Supplier<Map<String, Long>> counts) {
    this.events = counts;
    return this;
  }

  /** Adds what {@link AccessPath#compareAnswers} returns. */
  public FunctionPath comparing(Function<List<long[]>, QueryAnswers> comparison) {
    this.comparison = Optional.of(comparison);
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

  /**
   * Adds something that is closed with the path, such as a connection of its own, after what was
   * added before.
   */
  public FunctionPath closing(AutoCloseable with) {
    AutoCloseable before = resource;
    this.resource =
        () -> {
          try (with) {
            before.close();
          }
        };
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
  public long mergedRecords() {
    return merged.getAsLong();
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
  public List<MixedOperation> mix() {
    return mix;
  }

  @Override
  public double weight(int operation) {
    return weights.applyAsDouble(operation);
  }

  @Override
  public QueryAnswers compareAnswers(List<long[]> keys) {
    return comparison
        .orElseThrow(() -> new IllegalArgumentException("This path executes no queries."))
        .apply(keys);
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
