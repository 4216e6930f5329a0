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
import java.util.OptionalInt;

/**
 * A relay or a switch as trials have it: a worker process that is told what to do over its pipe.
 */
final class NetworkProcess implements AutoCloseable {
  private final Process process;
  private final Writer input;
  private final BufferedReader output;
  private long ids;

  NetworkProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.pyrometer.worker.Worker",
                "null")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    input = process.outputWriter(StandardCharsets.UTF_8);
    output = process.inputReader(StandardCharsets.UTF_8);
    heard();
  }

  void shape(Shape shape) throws IOException {
    Answer unused = ask(new Command.SetShape(shape, OptionalInt.empty()));
  }

  double cpuSeconds() throws IOException {
    return ((Answer.Used) ask(new Command.Usage())).cpuSeconds();
  }

  Answer ask(Command command) throws IOException {
    input.write(Json.LINES.writeValueAsString(new Line.Down(++ids, command)));
    input.write('\n');
    input.flush();
    Answer answer = heard();
    if (answer instanceof Answer.Failed failed) {
      throw new IOException(failed.why());
    }
    return answer;
  }

  private Answer heard() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the process of the network ended");
    }
    return Json.LINES.readValue(line, Line.Up.class).answer();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
