package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import io.pyrometer.protocol.message.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A process that serves as a server, an agent, a relay or a switch. It takes commands from its
 * standard input and answers on its standard output; when the input ends, whatever else it is
 * doing, the process ends, an agent of a grid that goes on after it has left that.
 */
public final class Worker {

  /** The exit code of a worker whose reading thread failed. */
  private static final int FAILED = 70;

  private Worker() {}

  /** Takes the driver's name. */
  public static void main(String[] args) {
    Pipe pipe = Pipe.takeStandardOutput();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> e.printStackTrace());
    CommandDispatcher dispatcher = new CommandDispatcher(Drivers.named(args[0]), pipe);
    pipe.say(
        Optional.empty(),
        new Answer.Hello(ProcessHandle.current().pid(), Runtime.version().toString()));
    int code = 0;
    try {
      listen(System.in, dispatcher, pipe);
    } catch (Throwable e) {
      e.printStackTrace();
      code = FAILED;
    } finally {
      dispatcher.leave();
      Runtime.getRuntime().halt(code);
    }
  }

  /** Executes the commands of an input until its end, those that only read on this thread. */
  static void listen(InputStream input, CommandDispatcher dispatcher, Pipe pipe) {
    ExecutorService commands = Executors.newSingleThreadExecutor();
    try {
      BufferedReader in = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Line.Down down = Json.LINES.readValue(line, Line.Down.class);
        if (CommandDispatcher.onlyReads(down.command())) {
          execute(down, dispatcher, pipe);
        } else if (down.command() instanceof Command.Examine) {
          // While trials of other commands go on.
          Daemon.start("examine", () -> execute(down, dispatcher, pipe));
        } else {
          commands.execute(() -> execute(down, dispatcher, pipe));
        }
      }
    } catch (IOException e) {
      System.err.println(Messages.format("worker.no-command").formatted(e.getMessage()));
    }
  }

  private static void execute(Line.Down down, CommandDispatcher dispatcher, Pipe pipe) {
    try {
      pipe.say(Optional.of(down.id()), dispatcher.execute(down.command()));
    } catch (PortTakenException e) {
      e.printStackTrace();
      pipe.say(Optional.of(down.id()), new Answer.PortTaken(sentence(e)));
    } catch (Throwable e) {
      e.printStackTrace();
      pipe.say(Optional.of(down.id()), new Answer.Failed(sentence(e)));
    }
    if (down.command() instanceof Command.Stop) {
      Runtime.getRuntime().halt(0);
    }
  }

  private static String sentence(Throwable e) {
    boolean ours =
        e instanceof GridException
            || e instanceof IllegalStateException
            || e instanceof IllegalArgumentException;
    if (ours && e.getMessage() != null) {
      return e.getMessage();
    }
    Throwable root = e;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message =
        root.getMessage() == null ? "" : ": " + root.getMessage().lines().findFirst().orElse("");
    return root.getClass().getSimpleName() + message;
  }
}
