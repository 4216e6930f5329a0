package io.pyrometer.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code pyrometer} command. */
@Command(
    name = "pyrometer",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Measures in-memory data grids on your machines and recommends how to use them.",
    footer = {
      "",
      "Examples:",
      "  pyrometer run                        the default experiment, about 4 minutes",
      "  pyrometer run --quick                one block of it, under 2 minutes",
      "  pyrometer run mine.yaml --blocks 5   your own experiment, with five blocks",
      "  pyrometer list                       the bundled experiments by topic",
      "",
      "Exit code: 0 success, 1 a trial failed, failed verification or missed a threshold,",
      "2 invalid input;",
      "for 'compare' see 'pyrometer compare --help'."
    },
    subcommands = {
      RunCommand.class,
      PlanCommand.class,
      ResumeCommand.class,
      ReportCommand.class,
      OpenCommand.class,
      ValidateCommand.class,
      ListCommand.class,
      DoctorCommand.class,
      ExplainCommand.class,
      HostsCommand.class,
      SampleCommand.class,
      AnalyseCommand.class,
      CapacityCommand.class,
      CompareCommand.class,
      TuneCommand.class,
      HistoryCommand.class,
      CommandLine.HelpCommand.class,
      AutoComplete.GenerateCompletion.class,
    })
public final class Main implements Runnable {
  static final int OK = 0;
  static final int TRIALS_NOT_RIGHT = 1;
  static final int NOT_ENOUGH = 3;

  @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Ends the JVM with the command's exit code. */
  public static void main(String[] arguments) {
    System.exit(
        execute(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            arguments));
  }

  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line = new CommandLine(new Main());
    line.setOut(out)
        .setErr(err)
        .setCommandName(Home.command())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Math.min(110, Console.columns()))
        .setExecutionExceptionHandler(new ErrorMessages())
        .setParameterExceptionHandler(new ErrorMessages());
    asStarted(line);
    return line.execute(arguments);
  }

  /** Lets the examples of all commands begin as the user started this one. */
  private static void asStarted(CommandLine line) {
    CommandLine.Model.UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    usage.footer(Stream.of(usage.footer()).map(Home::asStarted).toArray(String[]::new));
    line.getSubcommands().values().forEach(Main::asStarted);
  }
}
