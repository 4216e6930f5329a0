package io.pyrometer.cli;

import io.pyrometer.experiment.Reference;
import io.pyrometer.experiment.SettingTable;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists drivers with their access paths, bundled experiments, and past runs.",
    footer = {
      "",
      "Examples:",
      "  pyrometer list null",
      "  pyrometer list --schema >experiment.schema.json",
    })
final class ListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin RunsOption runs = new RunsOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DRIVER",
      description = "Lists this driver's paths and settings, and the settings of every driver.")
  Optional<String> driver = Optional.empty();

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  Form form = new Form();

  /** The output format, if not tables. */
  static final class Form {
    @Option(names = "--json", description = "Prints the drivers' descriptions as JSON.")
    boolean json;

    @Option(
        names = "--schema",
        description = "Prints the JSON Schema of experiment files, for editors.")
    boolean schema;

    @Option(
        names = "--markdown",
        description = "Prints the reference page of all settings and paths.")
    boolean markdown;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<DriverDescription> drivers = drivers();
    if (form.schema) {
      out.print(Reference.schema(drivers));
      out.flush();
    } else if (form.markdown) {
      out.print(Reference.page(drivers));
      out.flush();
    } else if (form.json) {
      out.println(JsonOption.text(driver.isPresent() ? drivers.get(0) : drivers));
    } else if (driver.isPresent()) {
      reference(out, drivers.get(0));
    } else {
      overview(out, drivers);
    }
    return Main.OK;
  }

  private List<DriverDescription> drivers() {
    List<DriverDescription> all = Home.distribution().drivers();
    if (driver.isEmpty()) {
      return all;
    }
    List<DriverDescription> named =
        all.stream().filter(each -> each.name().equals(driver.get())).toList();
    if (named.isEmpty()) {
      throw new RunException(
          "There is no driver '%s'; choose from %s."
              .formatted(
                  driver.get(),
                  String.join(", ", all.stream().map(DriverDescription::name).toList())));
    }
    return named;
  }

  private static void reference(PrintWriter out, DriverDescription driver) {
    driver(out, driver);
    settings(out, "Settings of all its paths:", SettingTable.of(driver));
    settings(out, "Settings of some of its paths:", SettingTable.ofPaths(driver));
    settings(out, "Settings of every driver:", SettingTable.ofCore());
  }

  private static void settings(PrintWriter out, String title, List<SettingTable.Row> rows) {
    if (!rows.isEmpty()) {
      out.println(title);
      Console.table(
          out,
          Table.ofWords(SettingTable.COLUMNS, rows.stream().map(SettingTable.Row::cells).toList()));
      out.println();
    }
  }

  private void overview(PrintWriter out, List<DriverDescription> drivers) {
    drivers.forEach(each -> driver(out, each));
    out.println("'pyrometer list DRIVER' shows a driver's settings.");
    out.println(
        "Bundled experiments: " + String.join(", ", Home.catalogue().experiments().keySet()));
    out.println();
    List<RunFolder> folders = RunFolder.all(runs.folder);
    if (folders.isEmpty()) {
      out.println("No runs yet in %s; start one with 'pyrometer run'.".formatted(runs.folder));
    } else {
      Console.table(
          out,
          Table.ofWords(
              List.of("run", "experiment", "trials"),
              folders.stream().map(ListCommand::run).toList()));
    }
  }

  private static void driver(PrintWriter out, DriverDescription driver) {
    out.println(
        Console.wrapped(
            "Driver %s: %s %s. %s"
                .formatted(driver.name(), driver.product(), driver.version(), driver.summary())));
    if (!driver.capabilities().isEmpty()) {
      out.println("Capabilities: " + String.join(", ", driver.capabilities()));
    }
    Console.table(
        out,
        Table.ofWords(
            List.of("path", "job", "guarantees", "what it does"),
            driver.paths().stream().map(ListCommand::path).toList()));
    out.println();
  }

  private static List<String> path(PathDescription path) {
    return List.of(
        path.name(),
        path.job().name().toLowerCase(Locale.ROOT),
        Phrases.promises(path.guarantee()),
        path.summary());
  }

  private static List<String> run(RunFolder folder) {
    PlannedRun plan = folder.plan();
    int done = Attempts.selectedAttempts(folder.trials()).size();
    return List.of(folder.path().toString(), plan.name(), done + " of " + plan.trials().size());
  }
}
