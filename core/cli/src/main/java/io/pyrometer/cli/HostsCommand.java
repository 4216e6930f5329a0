package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.check.HostCheck;
import io.pyrometer.coordinator.testbed.host.HostState;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.RunException;
import io.pyrometer.report.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer hosts check}. */
@Command(name = "hosts", mixinStandardHelpOptions = true, subcommands = HostsCommand.Check.class)
final class HostsCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Checks all hosts at once. */
  @Command(name = "check", mixinStandardHelpOptions = true)
  static final class Check extends JsonCommand {
    @Parameters(index = "0", paramLabel = "FILE")
    String file = "";

    @Override
    public Integer call() {
      Experiment experiment = ExperimentReader.read(file, Home.catalogue());
      List<Host> hosts = experiment.testbed().hosts();
      if (hosts.isEmpty() || hosts.contains(Host.NAMESPACES)) {
        throw RunException.of(
            "%s names no hosts of its own, so that there is nothing to check; name them under"
                + " 'hosts'.",
            file);
      }
      List<HostCheck> checks = HostCheck.of(hosts);
      PrintWriter out = people();
      Console.table(
          out,
          Table.ofWords(
              List.of("host", "Java", "free memory", "clock", "usable"),
              checks.stream().map(Check::row).toList()));
      for (HostCheck check : checks) {
        check.errors().forEach(error -> Console.say(out, "! " + error));
      }
      boolean usable = checks.stream().allMatch(check -> check.errors().isEmpty());
      out.println(usable ? "A run can start on these hosts." : "A run cannot start: see '!'.");
      out.flush();
      print(checks);
      return usable ? Main.OK : Main.TRIALS_NOT_RIGHT;
    }

    private static List<String> row(HostCheck check) {
      return List.of(
          check.host().name(),
          cell(check, HostState::java, java -> java.replaceAll(".*\"(.*)\".*", "$1")),
          cell(
              check,
              HostState::freeBytes,
              bytes -> String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30))),
          cell(
              check,
              HostState::clock,
              is ->
                  String.format(
                      Locale.ROOT, "%+.0f ± %.0f ms", is.ahead() * 1e3, is.error() * 1e3)),
          check.errors().isEmpty() ? "yes" : "no");
    }

    private static <T> String cell(
        HostCheck check, Function<HostState, Optional<T>> of, Function<T, String> text) {
      return check.state().flatMap(of).map(text).orElse(Table.ABSENT);
    }
  }
}
