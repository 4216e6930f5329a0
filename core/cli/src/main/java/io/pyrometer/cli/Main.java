package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Distribution;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Map;
import java.util.ResourceBundle;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code pyrometer} command. */
@Command(
    name = "pyrometer",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
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

  private static final ResourceBundle HELP = ResourceBundle.getBundle("io.pyrometer.cli.help");

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
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine line =
        new CommandLine(new Main())
            .setCommandName(Home.command())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpWidth(Math.min(110, Console.columns()))
            .setExecutionExceptionHandler(new ErrorMessages())
            .setParameterExceptionHandler(new ErrorMessages());
    describe(line);
    return line;
  }

  /** Gives a command and those under it their help. */
  private static void describe(CommandLine line) {
    Object command = line.getCommandSpec().userObject();
    if (command.getClass().getPackage().equals(Main.class.getPackage())) {
      String name = command instanceof Main ? "pyrometer" : line.getCommandName();
      line.getCommandSpec().resourceBundle(help(name));
      line.getSubcommands().values().forEach(Main::describe);
    }
  }

  /**
   * The texts of one command by picocli's keys; its examples begin as the user started this one.
   */
  private static ResourceBundle help(String command) {
    Map<String, String> texts = new HashMap<>();
    for (String prefix : List.of("any.", command + ".")) {
      HELP.keySet().stream()
          .filter(key -> key.startsWith(prefix))
          .forEach(
              key ->
                  texts.put(key.substring(prefix.length()), Home.asStarted(HELP.getString(key))));
    }
    return new ListResourceBundle() {
      @Override
      protected Object[][] getContents() {
        return texts.entrySet().stream()
            .map(text -> new Object[] {text.getKey(), text.getValue()})
            .toArray(Object[][]::new);
      }
    };
  }

  /** Output of {@code --version}. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      Distribution distribution = Home.distribution();
      String commit = distribution.commit().isEmpty() ? "" : " (" + distribution.commit() + ")";
      String java = System.getProperty("java.version");
      return new String[] {"Pyrometer " + distribution.version() + commit + ", Java " + java};
    }
  }
}
