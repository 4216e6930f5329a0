package io.pyrometer.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code pyrometer} command. */
@Command(
    name = "pyrometer",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Finds out how fast an in-memory data grid can be on your machines, and how to call it.",
    footer = {
      "",
      "Examples:",
      "  pyrometer run                        the bundled first experiment, about 5 minutes",
      "  pyrometer run --quick                one block of it, under 2 minutes",
      "  pyrometer run mine.yaml --blocks 5   your own, with five replicates",
      "  pyrometer list                       drivers, access paths, experiments, runs",
      "",
      "Exit code: 0 all is well, 1 a trial failed or was wrong, 2 the input is not right;",
      "'compare' has its own: see 'pyrometer compare --help'."
    },
    subcommands = {
      RunCommand.class,
      PlanCommand.class,
      ResumeCommand.class,
      ReportCommand.class,
      ValidateCommand.class,
      ListCommand.class,
      AnalyseCommand.class,
      CompareCommand.class,
      HistoryCommand.class,
      CalibrateCommand.class,
      AutoComplete.GenerateCompletion.class,
    })
public final class Main implements Runnable {
  static final int OK = 0;
  static final int TRIALS_NOT_RIGHT = 1;

  @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Ends the JVM with the command's exit code. */
  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  static int execute(String... arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    CommandLine line = new CommandLine(new Main());
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Math.min(110, Console.columns()))
        .setExecutionExceptionHandler(new Errors())
        .setParameterExceptionHandler(new Errors());
    return line.execute(arguments);
  }
}
