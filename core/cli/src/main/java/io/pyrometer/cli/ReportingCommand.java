package io.pyrometer.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** A command over the folder of runs. */
abstract class ReportingCommand extends JsonCommand {
  @Option(names = "--out", paramLabel = "FOLDER", defaultValue = "runs")
  Path runs = Path.of("runs");
}
