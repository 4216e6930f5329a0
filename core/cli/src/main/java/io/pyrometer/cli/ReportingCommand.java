package io.pyrometer.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command over the folder of runs that prints text or JSON. */
abstract class ReportingCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin JsonOption form = new JsonOption();

  @Option(names = "--out", paramLabel = "FOLDER", defaultValue = "runs")
  Path runs = Path.of("runs");

  CommandLine line() {
    return spec.commandLine();
  }

  /** Where sentences are printed: standard error if standard output is for JSON. */
  PrintWriter people() {
    return form.people(line());
  }
}
