package io.pyrometer.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The worker's way of speaking: one JSON message a line on the standard output it was started with.
 */
final class Pipe {

  private final PrintStream out;

  Pipe(PrintStream out) {
    this.out = out;
  }

  /**
   * Takes the standard output for messages alone; what anything else prints goes to the standard
   * error.
   */
  static Pipe takeStandardOutput() {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    return new Pipe(out);
  }

  synchronized void say(Optional<Long> id, Answer answer) {
    try {
      out.println(Json.LINES.writeValueAsString(new Line.Up(id, answer)));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write " + answer + " as JSON.", e);
    }
  }
}
