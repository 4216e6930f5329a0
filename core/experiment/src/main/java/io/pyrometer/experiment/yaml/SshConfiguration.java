package io.pyrometer.experiment.yaml;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The user's configuration of {@code ssh}, as {@code ssh -G} prints it without connecting. */
final class SshConfiguration {
  private static final String HOST_NAME = "hostname ";

  private SshConfiguration() {}

  /**
   * The address that the configuration gives a name, at which other hosts reach it too.
   *
   * @param ssh the command, such as {@code ssh}
   * @param name of an entry of the configuration or of a machine, with or without a user
   * @return the name itself where {@code ssh} is missing or does not tell
   */
  static String address(String ssh, String name) {
    String machine = name.substring(name.indexOf('@') + 1);
    try {
      Process process =
          new ProcessBuilder(List.of(ssh, "-G", name))
              .redirectInput(new File("/dev/null"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var output = process.inputReader(StandardCharsets.UTF_8)) {
        return output
            .lines()
            .filter(line -> line.startsWith(HOST_NAME))
            .map(line -> line.substring(HOST_NAME.length()).strip())
            .findFirst()
            .orElse(machine);
      } finally {
        process.destroy();
      }
    } catch (IOException | UncheckedIOException e) {
      return machine; // reported where the host is used: there is no such command
    }
  }
}
