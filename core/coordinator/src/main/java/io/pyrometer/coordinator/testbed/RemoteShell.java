package io.pyrometer.coordinator.testbed;

import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs short commands on a host. Its words hold no character that a shell would read otherwise, so
 * that they mean the same to {@code ip netns exec}, which runs them as they are, and to {@code
 * ssh}, which hands them to a shell.
 */
public record RemoteShell(Host host) {
  /**
   * Each stream is read or fed for as long as the command runs. On the common pool of a machine of
   * three cores, two readers would keep the one that feeds the command from ever beginning.
   */
  private static final Executor OWN_THREAD = task -> Daemon.start("stream-of-command", task);

  /**
   * @param error what it said of its failure, its last line
   */
  public record Ended(int code, String output, String error) {}

  public Ended run(Duration patience, String... command) {
    return run(patience, InputStream.nullInputStream(), command);
  }

  /**
   * @param input of the command, which is closed
   */
  public Ended run(Duration patience, InputStream input, String... command) {
    try {
      Process process = new ProcessBuilder(host.command(List.of(command))).start();
      CompletableFuture<String> output = text(process.getInputStream());
      CompletableFuture<String> error = text(process.getErrorStream());
      CompletableFuture<Void> fed =
          CompletableFuture.runAsync(() -> feed(process, input), OWN_THREAD);
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw WorkerException.lost(
            "coordinator.host-timeout", host.words(), command[0], patience.toSeconds());
      }
      fed.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return new Ended(process.exitValue(), output.get(), lastLine(error.get()));
    } catch (IOException cannot) {
      throw WorkerException.gone(
          "The %s cannot be reached: %s.", host.words(), LogTail.plain(cannot.getMessage()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw WorkerException.gone("Waiting for %s was interrupted.", host.name());
    } catch (ExecutionException | TimeoutException odd) {
      throw WorkerException.gone("The %s fell silent.", host.words());
    }
  }

  private static void feed(Process process, InputStream input) {
    try (input;
        OutputStream out = process.getOutputStream()) {
      long unused = input.transferTo(out);
    } catch (IOException endedBefore) {
      // Its exit code says why.
    }
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException closed) {
            return "";
          }
        },
        OWN_THREAD);
  }

  private static String lastLine(String text) {
    return text.lines().map(String::strip).filter(l -> !l.isEmpty()).reduce("", (a, b) -> b);
  }
}
