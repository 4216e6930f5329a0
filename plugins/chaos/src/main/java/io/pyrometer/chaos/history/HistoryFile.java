package io.pyrometer.chaos.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A history as JSON lines, one for each invocation and each completion, in the order of time:
 *
 * <pre>{@code
 * {"process":0,"type":"invoke","f":"cas","key":7,"value":[1,2],"time":1000}
 * {"process":0,"type":"ok","f":"cas","key":7,"value":true,"time":2000}
 * }</pre>
 *
 * <p>A completion is {@code ok} with the result as its value, {@code fail} if the call surely took
 * no effect, or {@code info} if that is not known. Times are ns of {@link System#nanoTime}.
 */
public final class HistoryFile implements AutoCloseable {
  private static final JsonMapper MAPPER =
      Json.LINES
          .rebuild()
          .enable(
              DeserializationFeature.USE_LONG_FOR_INTS,
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .build();

  private final Writer file;
  private long lastTime = -1;

  private enum Type {
    @JsonProperty("invoke")
    INVOKE,
    @JsonProperty("ok")
    OK,
    @JsonProperty("fail")
    FAIL,
    @JsonProperty("info")
    INFO
  }

  private record Event(
      int process, Type type, String f, @Nullable Object key, @Nullable Object value, long time) {
    Event {
      Objects.requireNonNull(type);
      Objects.requireNonNull(f);
    }
  }

  public HistoryFile(Writer file) {
    this.file = file;
  }

  /** Writes that a process calls, before it does. Safe for threads, as is {@link #completed}. */
  public void invoked(int process, String function, Object key, Object argument)
      throws IOException {
    write(process, Type.INVOKE, function, key, argument);
  }

  /**
   * Writes the outcome of the process's last call.
   *
   * @param result {@link Operation#NIL} if it has none
   */
  public void completed(int process, Outcome outcome, String function, Object key, Object result)
      throws IOException {
    Type type =
        switch (outcome) {
          case OK -> Type.OK;
          case FAILED -> Type.FAIL;
          case UNKNOWN -> Type.INFO;
        };
    write(process, type, function, key, result);
  }

  private synchronized void write(int process, Type type, String function, Object key, Object value)
      throws IOException {
    // Two events of one instant would lose their order.
    lastTime = Math.max(lastTime + 1, System.nanoTime());
    file.write(
        MAPPER.writeValueAsString(new Event(process, type, function, key, value, lastTime)) + "\n");
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }

  /**
   * Reads a history.
   *
   * @throws IllegalArgumentException with one sentence if it is none, or without an event
   */
  public static List<Operation> read(String text) {
    Map<Integer, Integer> open = new HashMap<>();
    List<Operation> history = new ArrayList<>();
    long last = -1;
    int line = 0;
    for (String each : text.lines().toList()) {
      Event event = event(each, ++line);
      @Nullable Integer call = open.remove(event.process());
      Operation operation = call == null ? called(event) : completed(history.get(call), event);
      if (event.time() <= last
          || (call == null) != (event.type() == Type.INVOKE)
          || !operation.function().equals(event.f())
          || !operation.key().equals(value(event.key()))) {
        throw malformed(line);
      }
      last = event.time();
      if (call == null) {
        open.put(event.process(), history.size());
        history.add(operation);
      } else {
        history.set(call, operation);
      }
    }
    if (history.isEmpty()) {
      throw new IllegalArgumentException("The history is empty.");
    }
    return history;
  }

  private static Operation called(Event event) {
    return new Operation(
        event.process(),
        event.f(),
        value(event.key()),
        value(event.value()),
        Operation.NIL,
        event.time(),
        Operation.NEVER,
        Outcome.UNKNOWN);
  }

  private static Operation completed(Operation call, Event event) {
    return event.type() == Type.INFO
        ? call
        : new Operation(
            call.process(),
            call.function(),
            call.key(),
            call.argument(),
            event.type() == Type.OK ? value(event.value()) : Operation.NIL,
            call.invoked(),
            event.time(),
            event.type() == Type.OK ? Outcome.OK : Outcome.FAILED);
  }

  private static Event event(String line, int number) {
    try {
      return MAPPER.readValue(line, Event.class);
    } catch (JsonProcessingException none) {
      throw malformed(number);
    }
  }

  private static IllegalArgumentException malformed(int line) {
    return new IllegalArgumentException(Messages.format("chaos.malformed-event").formatted(line));
  }

  private static Object value(@Nullable Object json) {
    if (json instanceof List<?> list) {
      return list.stream().map(HistoryFile::value).toList();
    }
    return json == null ? Operation.NIL : json;
  }
}
