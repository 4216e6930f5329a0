package io.pyrometer.driver.nullgrid;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A worker of the null grid in a process of its own, spoken to over its pipe. */
final class WorkerProcess implements AutoCloseable {

  final Process process;
  final List<Answer> unasked = new ArrayList<>();
  private final BufferedReader out;
  private long lastId;

  WorkerProcess() throws IOException {
    this.process =
        new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static List<String> command() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-cp",
        classPath,
        "io.pyrometer.worker.Worker",
        "null");
  }

  Line.Up read() {
    try {
      String line = out.readLine();
      if (line == null) {
        throw new IllegalStateException("The worker said no more.");
      }
      return Json.LINES.readValue(line, Line.Up.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends the command and waits for its answer. */
  Answer ask(Command command) throws IOException {
    long id = ++lastId;
    write(Json.LINES.writeValueAsString(new Line.Down(id, command)));
    for (Line.Up up = read(); ; up = read()) {
      if (up.id().equals(Optional.of(id))) {
        return up.answer();
      }
      unasked.add(up.answer());
    }
  }

  /** Reads until so many samples have come. */
  void awaitSamples(int samples) {
    while (unasked.stream().filter(Answer.Sample.class::isInstance).count() < samples) {
      unasked.add(read().answer());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
