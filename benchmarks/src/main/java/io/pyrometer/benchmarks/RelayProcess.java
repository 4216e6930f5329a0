package io.pyrometer.benchmarks;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import io.pyrometer.protocol.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A relay as trials have it: a worker process that is told what to do over its pipe. */
final class RelayProcess implements AutoCloseable {
  private final Process process;
  private final Writer input;
  private final BufferedReader output;
  private final int port;
  private long ids;

  /**
   * @param target host:port that it stands before
   */
  RelayProcess(String target) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.pyrometer.grid.Worker",
                "null")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    input = process.outputWriter(StandardCharsets.UTF_8);
    output = process.inputReader(StandardCharsets.UTF_8);
    heard();
    port = ((Answer.Ports) ask(new Command.StartRelay(List.of(target)))).ports().get(0);
  }

  int port() {
    return port;
  }

  void shape(Shape shape) throws IOException {
    Answer unused = ask(new Command.SetShape(shape));
  }

  double cpuSeconds() throws IOException {
    return ((Answer.Used) ask(new Command.Usage())).cpuSeconds();
  }

  private Answer ask(Command command) throws IOException {
    input.write(Json.LINES.writeValueAsString(new Line.Down(++ids, command)));
    input.write('\n');
    input.flush();
    return heard();
  }

  private Answer heard() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the relay's process ended");
    }
    return Json.LINES.readValue(line, Line.Up.class).answer();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
