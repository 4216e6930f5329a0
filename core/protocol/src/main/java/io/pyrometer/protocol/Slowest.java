package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The slowest calls of an agent that ended between Measure and Finish.
 *
 * @param epochMicros the instant of Measure by the wall clock of the agent's host, since 1970
 * @param byOperation without operations of which no call ended
 */
public record Slowest(long epochMicros, Map<String, OfOperation> byOperation) {

  /**
   * Slowest calls of one operation.
   *
   * @param completeAbove nanoseconds: every call that took longer is among them; below 0 where
   *     every call of the operation is
   */
  public record OfOperation(long completeAbove, List<SlowCall> calls) {}

  /** These calls, whose begins are later by so much. */
  public Slowest later(long micros) {
    Map<String, OfOperation> moved = new TreeMap<>();
    byOperation.forEach(
        (operation, slow) ->
            moved.put(
                operation,
                new OfOperation(
                    slow.completeAbove(),
                    slow.calls().stream().map(call -> call.later(micros)).toList())));
    return new Slowest(epochMicros, moved);
  }
}
