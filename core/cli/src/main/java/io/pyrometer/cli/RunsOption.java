package io.pyrometer.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the folder of all runs. */
final class RunsOption {
  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "runs",
      description = "The folder of all runs (default: ${DEFAULT-VALUE}).")
  Path folder = Path.of("runs");
}
