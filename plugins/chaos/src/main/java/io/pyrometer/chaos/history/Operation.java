package io.pyrometer.chaos.history;

import com.fasterxml.jackson.databind.node.NullNode;

/**
 * One call of a process. Keys, arguments and results are JSON values: {@link Long}, {@link
 * Boolean}, {@link String}, {@link #NIL} and {@link java.util.List} of them.
 *
 * @param process calls of one process do not overlap
 * @param function such as {@code read}, {@code write}, {@code cas} or {@code txn}
 * @param key the object that is called; {@link #NIL} in a history of one object
 * @param result {@link #NIL} unless the outcome is {@link Outcome#OK}
 * @param invoked monotonic time, ns, of a clock that all processes share
 * @param completed {@link #NEVER} where the outcome is {@link Outcome#UNKNOWN}
 */
public record Operation(
    int process,
    String function,
    Object key,
    Object argument,
    Object result,
    long invoked,
    long completed,
    Outcome outcome) {
  /** The value {@code null}. */
  public static final Object NIL = NullNode.getInstance();

  /** After all completions. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Outcome of an operation, as far as it is known. */
  public enum Outcome {
    /** It took effect between its invocation and its completion. */
    OK,
    /** It did not take effect and never will. */
    FAILED,
    /** Without an answer: it takes effect at any time after its invocation, or never. */
    UNKNOWN
  }

  public boolean ok() {
    return outcome == Outcome.OK;
  }

  /** Call like this one, without an answer. */
  public Operation withoutAnswer() {
    return new Operation(process, function, key, argument, NIL, invoked, NEVER, Outcome.UNKNOWN);
  }

  /** Description for a person to read: {@code write 3}, {@code read → 4}. */
  public String describe() {
    StringBuilder text = new StringBuilder(function);
    if (argument != NIL) {
      text.append(' ').append(argument);
    }
    return switch (outcome) {
      case OK ->
          result == NIL && argument != NIL
              ? text.append(" ok").toString()
              : text.append(" → ").append(result).toString();
      case FAILED -> text.append(" failed").toString();
      case UNKNOWN -> text.append(" → ?").toString();
    };
  }
}
