package io.pyrometer.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes a foreign process end with this JVM, even where this JVM is killed with -9. */
enum ParentDeathGuard {
  /**
   * Linux with util-linux 2.33 or newer: the kernel kills the process when the thread ends that
   * started it (prctl PR_SET_PDEATHSIG). The command replaces the guard, so that both are one
   * process. A JVM that ended before the signal was asked for is no parent any more, and the
   * command is not started then.
   */
  SETPRIV {
    @Override
    List<String> around(List<String> command, Path pidFile) {
      List<String> guarded = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
      guarded.addAll(List.of("sh", "-c", "[ \"$PPID\" = \"$0\" ] && exec \"$@\""));
      guarded.add(String.valueOf(ProcessHandle.current().pid()));
      guarded.addAll(command);
      return guarded;
    }

    @Override
    long pid(Process process, Path pidFile) {
      return process.pid();
    }
  },

  /**
   * Any POSIX system: a shell around the command watches its standard input, a pipe from this JVM
   * that the system closes when the JVM ends, and then kills the command.
   */
  SHELL {
    private static final String SCRIPT =
        """
        exec 3<&0
        "$@" </dev/null 3<&- &
        command=$!
        echo "$command" >"$0"
        (cat <&3; kill -9 "$command") >/dev/null 2>&1 &
        watch=$!
        exec 3<&- 2>/dev/null
        wait "$command"
        code=$?
        kill "$watch"
        exit "$code"
        """;

    @Override
    List<String> around(List<String> command, Path pidFile) {
      List<String> guarded = new ArrayList<>(List.of("sh", "-c", SCRIPT, pidFile.toString()));
      guarded.addAll(command);
      return guarded;
    }

    @Override
    long pid(Process process, Path pidFile) throws IOException {
      boolean told =
          Poll.until(
              Duration.ofSeconds(10), () -> read(pidFile).endsWith("\n") || !process.isAlive());
      if (!told || read(pidFile).isBlank()) {
        process.destroyForcibly();
        throw new IOException("its shell did not report its process id");
      }
      return Long.parseLong(read(pidFile).strip());
    }

    private static String read(Path pidFile) {
      try {
        return Files.readString(pidFile, StandardCharsets.UTF_8);
      } catch (IOException unreadable) {
        return "";
      }
    }
  };

  /**
   * The command with the guard around it.
   *
   * @param pidFile where a guard that stays a process of its own notes the command's process id
   */
  abstract List<String> around(List<String> command, Path pidFile);

  /**
   * The id of the command's own process.
   *
   * @throws IOException if the guard ended before it told
   */
  abstract long pid(Process process, Path pidFile) throws IOException;

  /** The kernel's guard where this machine has it, because nothing can take it from the process. */
  static ParentDeathGuard best() {
    return Holder.BEST;
  }

  private static final class Holder {
    static final ParentDeathGuard BEST = hasSetpriv() ? SETPRIV : SHELL;

    private static boolean hasSetpriv() {
      if (NativeProcess.program("setpriv").isEmpty()) {
        return false;
      }
      try {
        Process process =
            new ProcessBuilder("setpriv", "--pdeathsig", "KILL", "true")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
      } catch (IOException cannotBeStarted) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
