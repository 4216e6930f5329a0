package io.pyrometer.cli;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.ExperimentSchema;
import io.pyrometer.experiment.yaml.Reference;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer list}. */
@Command(name = "list", mixinStandardHelpOptions = true)
final class ListCommand extends ReportingCommand {
  /** The topics that users ask for first; others follow. */
  private static final List<String> TOPICS =
      List.of("start", "writing", "reading-and-computing", "latency", "scaling", "failures");

  @Parameters(index = "0", arity = "0..1", defaultValue = "experiments", paramLabel = "WHAT")
  String what = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "PART")
  Optional<String> part = Optional.empty();

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  Form generated = new Form();

  /** Generated documents. */
  static final class Form {
    @Option(names = "--schema")
    boolean schema;

    @Option(names = "--markdown")
    boolean markdown;
  }

  @Override
  public Integer call() {
    PrintWriter out = line().getOut();
    Catalogue catalogue = Home.catalogue();
    Collection<DriverDescription> drivers = catalogue.drivers().values();
    if (generated.schema) {
      out.print(ExperimentSchema.of(List.copyOf(drivers)));
    } else if (generated.markdown) {
      out.print(Reference.page(List.copyOf(drivers)));
    } else {
      switch (what) {
        case "experiments" -> experiments(out, catalogue);
        case "drivers" -> drivers(out, drivers);
        case "paths" -> paths(out, drivers);
        case "runs" -> runs(out);
        default -> driver(out, catalogue);
      }
    }
    out.flush();
    return Main.OK;
  }

  /** A bundled experiment; the time is an estimate. */
  private record Listed(String topic, String name, String question, double plannedSeconds) {}

  private void experiments(PrintWriter out, Catalogue catalogue) {
    List<Listed> all = listed(catalogue);
    if (json) {
      print(all);
      return;
    }
    all.stream()
        .collect(ListsByKey.by(Listed::topic))
        .forEach(
            (topic, listed) -> {
              out.println("%s/%s/NAME.yaml".formatted(folder(), topic));
              Console.list(
                  out,
                  listed.stream()
                      .map(
                          each ->
                              List.of(
                                  each.name(),
                                  Console.shortTime(each.plannedSeconds()),
                                  each.question()))
                      .toList());
              out.println();
            });
    out.println(
        "Times are estimates for two cores. '%1$s run NAME' runs one; --quick is shorter.\n"
                .formatted(Home.command())
            + "'%1$s list drivers', 'list DRIVER', 'list paths' and 'list runs' show the rest."
                .formatted(Home.command()));
  }

  /** Where users find the files: in a clone the sources rather than the build's copy of them. */
  private static String folder() {
    Path root = Home.distribution().root().toAbsolutePath().normalize();
    Path sources = root.resolve("../../experiments").normalize();
    Path folder = Files.isDirectory(sources) ? sources : root.resolve("experiments");
    Path here = Path.of("").toAbsolutePath();
    return (folder.startsWith(here) ? here.relativize(folder) : folder).toString();
  }

  private static List<Listed> listed(Catalogue catalogue) {
    List<Listed> all = new ArrayList<>();
    Path folder = Home.distribution().root().resolve("experiments");
    try (Stream<Path> files = Files.walk(folder, 2)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList()) {
        String name = String.valueOf(file.getFileName()).replace(".yaml", "");
        String topic = String.valueOf(folder.relativize(file).getName(0));
        Experiment experiment = ExperimentReader.read(name, catalogue);
        double seconds = Planner.plan(experiment, catalogue).estimatedSeconds();
        all.add(new Listed(topic, name, experiment.question(), seconds));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    all.sort(
        Comparator.comparingInt(
            each -> TOPICS.contains(each.topic()) ? TOPICS.indexOf(each.topic()) : TOPICS.size()));
    return all;
  }

  private void drivers(PrintWriter out, Collection<DriverDescription> drivers) {
    if (json) {
      print(drivers);
      return;
    }
    Console.list(
        out,
        drivers.stream()
            .map(
                each ->
                    List.of(each.name(), each.version(), each.product() + ". " + each.summary()))
            .toList());
    out.println("'%s list DRIVER' shows paths and settings.".formatted(Home.command()));
  }

  private void paths(PrintWriter out, Collection<DriverDescription> drivers) {
    for (DriverDescription driver : drivers) {
      out.println(driver.product() + " (" + driver.name() + ")");
      pathTable(out, driver.paths());
    }
  }

  private void driver(PrintWriter out, Catalogue catalogue) {
    DriverDescription driver = catalogue.drivers().get(what);
    if (driver == null) {
      throw RunException.of(
          "There is nothing called '%s' to list; choose from experiments, drivers, paths, runs,"
              + " %s.",
          what, String.join(", ", catalogue.drivers().keySet()));
    }
    if (json) {
      print(driver);
      return;
    }
    if (part.isPresent()) {
      part(out, driver, part.get());
      return;
    }
    Console.say(
        out,
        "Driver %s: %s %s. %s"
            .formatted(driver.name(), driver.product(), driver.version(), driver.summary()));
    if (!driver.capabilities().isEmpty()) {
      Console.say(out, "Capabilities: " + String.join(", ", driver.capabilities()));
    }
    out.println("\nPaths by job:");
    names(
        out,
        driver.paths().stream().collect(ListsByKey.by(path -> path.job().id())),
        PathDescription::name);
    out.println("\nSettings:");
    names(out, settings(driver), row -> row.get(0));
    out.println(
        "\n'%1$s list %2$s paths', 'list %2$s settings' and 'list %2$s NAME' show them in full."
            .formatted(Home.command(), driver.name()));
  }

  /** A group a line: how many it has, and their names. */
  private static <T> void names(
      PrintWriter out, Map<String, List<T>> groups, Function<T, String> name) {
    List<List<String>> rows = new ArrayList<>();
    groups.forEach(
        (group, items) -> {
          List<String> names = items.stream().map(name).distinct().toList();
          rows.add(List.of(group, String.valueOf(names.size()), String.join(", ", names)));
        });
    Console.list(out, rows);
  }

  /** Settings of a driver by what they are for. */
  private static Map<String, List<List<String>>> settings(DriverDescription driver) {
    Map<String, List<List<String>>> all = new LinkedHashMap<>();
    all.put("of all its paths", Reference.of(driver));
    all.put("of some of its paths", Reference.ofPaths(driver.paths()));
    all.put("of every driver", Reference.ofCore());
    all.values().removeIf(List::isEmpty);
    return all;
  }

  /** The paths or the settings in full, or those with a part in their names. */
  private static void part(PrintWriter out, DriverDescription driver, String part) {
    List<PathDescription> paths =
        driver.paths().stream()
            .filter(path -> part.equals("paths") || path.name().contains(part))
            .toList();
    Map<String, List<List<String>>> settings = settings(driver);
    settings.replaceAll(
        (of, rows) ->
            rows.stream()
                .filter(row -> part.equals("settings") || row.get(0).contains(part))
                .toList());
    settings.values().removeIf(List::isEmpty);
    if (paths.isEmpty() && settings.isEmpty()) {
      throw RunException.of(
          "Driver %s has no path or setting with '%s' in its name; '%s list %s' shows their names.",
          driver.name(), part, Home.command(), driver.name());
    }
    if (!paths.isEmpty()) {
      pathTable(out, paths);
    }
    settings.forEach(
        (of, rows) -> {
          out.println("Settings " + of + ":");
          Console.table(out, Table.ofWords(Reference.COLUMNS, rows));
          out.println();
        });
  }

  private static void pathTable(PrintWriter out, List<PathDescription> paths) {
    Console.table(
        out,
        Table.ofWords(
            List.of("path", "job", "guarantees", "description"),
            paths.stream()
                .map(
                    path ->
                        List.of(
                            path.name(),
                            path.job().id(),
                            Phrases.promises(path.guarantee()),
                            path.summary()))
                .toList()));
    out.println();
  }

  private void runs(PrintWriter out) {
    List<RunFolder> folders = RunFolder.all(runs);
    if (folders.isEmpty()) {
      out.println(
          "There are no runs in %s; start one with '%s run'.".formatted(runs, Home.command()));
      return;
    }
    Console.table(
        out,
        Table.ofWords(
            List.of("run", "experiment", "trials"),
            folders.stream().map(ListCommand::run).toList()));
  }

  private static List<String> run(RunFolder folder) {
    try {
      PlannedRun plan = folder.plan();
      int done = Attempts.selectedAttempts(folder.attempts()).size();
      return List.of(folder.path().toString(), plan.name(), done + " of " + plan.trials().size());
    } catch (RunException unreadable) {
      return List.of(folder.path().toString(), "cannot be read", Table.ABSENT);
    }
  }
}
