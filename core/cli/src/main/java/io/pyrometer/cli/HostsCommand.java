package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.HostCheck;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.RunException;
import io.pyrometer.report.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer hosts check}. */
@Command(
    name = "hosts",
    mixinStandardHelpOptions = true,
    description = "Looks after the hosts of an experiment.",
    subcommands = HostsCommand.Check.class)
final class HostsCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Checks all hosts at once. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description =
          "Looks at all hosts of an experiment at once: Java, memory, disk, clock, settings of the"
              + " system, round trips between them, and what to mend. 'run' does so first.",
      footer = {
        "",
        "Example:",
        "  pyrometer hosts check mine.yaml",
        "",
        "Exit code: 0 a run can start, 1 it cannot, 2 invalid input."
      })
  static final class Check implements Callable<Integer> {
    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "An experiment with 'hosts'.")
    String file = "";

    @Mixin JsonOption form = new JsonOption();

    @Override
    public Integer call() {
      Experiment experiment = ExperimentReader.read(file, Home.catalogue());
      List<Host> hosts = experiment.testbed().hosts();
      if (hosts.isEmpty() || hosts.contains(Host.NAMESPACES)) {
        throw new RunException(
            "%s names no hosts of its own, so that there is nothing to check; name them under 'hosts'."
                .formatted(file));
      }
      List<HostCheck> checks = HostCheck.of(hosts);
      PrintWriter out = form.people(spec.commandLine());
      Console.table(out, table(checks));
      Stream.concat(
              checks.stream().flatMap(check -> check.errors().stream()).map(e -> "! " + e),
              checks.stream().flatMap(check -> check.warnings().stream()).map(w -> "- " + w))
          .forEach(line -> out.println(Console.wrapped(line).replace("\n", "\n  ")));
      boolean usable = checks.stream().allMatch(check -> check.errors().isEmpty());
      out.println(usable ? "A run can start on these hosts." : "A run cannot start: see '!'.");
      out.flush();
      form.print(spec.commandLine(), checks);
      return usable ? Main.OK : Main.TRIALS_NOT_RIGHT;
    }

    private static Table table(List<HostCheck> checks) {
      return Table.ofWords(
          List.of("host", "Java", "cores", "free memory", "free disk", "clock", "round trip"),
          checks.stream().map(Check::row).toList());
    }

    private static List<String> row(HostCheck check) {
      return List.of(
          check.host().name(),
          fact(check, "java")
              .map(java -> java.replaceAll(".*\"(.*)\".*", "$1"))
              .orElse(Table.ABSENT),
          fact(check, "cores").orElse(Table.ABSENT),
          fact(check, "memory").map(Check::gibibytes).orElse(Table.ABSENT),
          fact(check, "disk").map(Check::gibibytes).orElse(Table.ABSENT),
          check
              .clock()
              .map(is -> String.format(Locale.ROOT, "%+.2f ± %.2f s", is.ahead(), is.error()))
              .orElse(Table.ABSENT),
          check.roundTrips().values().stream()
              .max(Double::compare)
              .map(millis -> String.format(Locale.ROOT, "≤%.2f ms", millis))
              .orElse(Table.ABSENT));
    }

    private static Optional<String> fact(HostCheck check, String name) {
      return Optional.ofNullable(check.facts().get(name));
    }

    private static String gibibytes(String kibibytes) {
      return String.format(Locale.ROOT, "%.1f GiB", Long.parseLong(kibibytes) / 1024.0 / 1024);
    }
  }
}
