package io.pyrometer.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where runs are kept. */
final class RunsOption {
  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "runs",
      description = "Where the folders of runs are kept (default: ${DEFAULT-VALUE}).")
  Path folder = Path.of("runs");
}
