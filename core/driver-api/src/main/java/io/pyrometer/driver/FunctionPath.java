package io.pyrometer.driver;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An access path whose calls are one function, for drivers whose paths need no class of their own.
 *
 * @param operations names of the operations that are timed apart
 * @param window calls that may be in flight at once
 * @param recordsPerCall records that one call carries
 * @param wholeSet whether every call covers the whole data set
 * @param body makes one call and sees to it that its end is told
 * @param answer what was read since the last time it was asked
 * @param resource closed with the path, such as a connection of its own
 */
public record FunctionPath(
    List<String> operations,
    int window,
    int recordsPerCall,
    boolean wholeSet,
    Body body,
    Supplier<Aggregate> answer,
    AutoCloseable resource)
    implements AccessPath {

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

  /** Writes that are done when the function returns. */
  public static FunctionPath writing(String operation, int recordsPerCall, Body body) {
    return new FunctionPath(
        List.of(operation),
        1,
        recordsPerCall,
        false,
        ended(body),
        () -> Aggregate.NOTHING,
        FunctionPath::nothing);
  }

  /** Single records, written by a function that arranges for the end of the call to be told. */
  public static FunctionPath asynchronous(String operation, int window, Body body) {
    return new FunctionPath(
        List.of(operation), window, 1, false, body, () -> Aggregate.NOTHING, FunctionPath::nothing);
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

  /** Single records, written by a function that begins the call; told on the answer's thread. */
  public static FunctionPath completing(String operation, int window, Beginning beginning) {
    return asynchronous(
        operation,
        window,
        call -> {
          CompletionStage<?> unused =
              beginning
                  .begin(call)
                  .whenCompleteAsync((done, failure) -> end(call, failure), Runnable::run);
        });
  }

  private static void end(Call call, @Nullable Throwable failure) {
    if (failure == null) {
      call.done();
    } else if (failure instanceof CompletionException && failure.getCause() != null) {
      call.failed(failure.getCause());
    } else {
      call.failed(failure);
    }
  }

  /** Reads of the keys of a call into {@code highest}, done when the function returns. */
  public static FunctionPath reading(
      String operation, int recordsPerCall, HighestFields highest, Body body) {
    return new FunctionPath(
        List.of(operation),
        1,
        recordsPerCall,
        false,
        ended(body),
        highest::take,
        FunctionPath::nothing);
  }

  /** Reads of the whole data set into {@code highest}, done when the function returns. */
  public static FunctionPath wholeSet(
      String operation, int records, HighestFields highest, Body body) {
    return new FunctionPath(
        List.of(operation), 1, records, true, ended(body), highest::take, FunctionPath::nothing);
  }

  /**
   * Single reads ({@code get}) and writes of one record, the one or the other by the call's
   * operation, done when the function returns.
   *
   * @param read whether something was found at the call's key; a hit or a miss that is not intended
   *     fails the call
   */
  public static FunctionPath mixed(String writeName, Read read, Body write) {
    Body either =
        call -> {
          if (call.operation() == 0) {
            mustBe(call, read.finds(call.key(0)));
          } else {
            write.call(call);
          }
        };
    return new FunctionPath(
        List.of("get", writeName),
        1,
        1,
        false,
        ended(either),
        () -> Aggregate.NOTHING,
        FunctionPath::nothing);
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

  private static void mustBe(Call call, boolean found) {
    if (found == call.misses()) {
      throw new IllegalStateException(
          call.misses()
              ? "Key " + call.key(0) + " was never written but is present."
              : "Key " + call.key(0) + " was filled in but is absent.");
    }
  }

  private static void nothing() {}

  private static Body ended(Body body) {
    return call -> {
      body.call(call);
      call.done();
    };
  }

  @Override
  public void call(Call call) throws Exception {
    body.call(call);
  }

  @Override
  public Aggregate takeAnswer() {
    return answer.get();
  }

  /** The same path with something that is closed with it. */
  public FunctionPath closing(AutoCloseable with) {
    return new FunctionPath(operations, window, recordsPerCall, wholeSet, body, answer, with);
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
