package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.ResultsSite;
import io.pyrometer.results.publication.Publication;
import io.pyrometer.results.publication.Publication.Draft;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code pyrometer publish}. */
@Command(
    name = "publish",
    mixinStandardHelpOptions = true,
    description =
        "Writes a run's result as one JSON file with its evidence beside it, so that others can"
            + " check it.",
    footer = {
      "",
      "Examples:",
      "  pyrometer publish first-light --to results",
      "  pyrometer publish --check results/first-light-1a2b3c4d.json",
      "  pyrometer publish --site results",
      "",
      "Exit code: 0 success, 1 the figures of a checked file do not follow from its evidence,",
      "2 invalid input"
    })
final class PublishCommand extends ReportingCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RUN",
      description = "A run's folder or its name.")
  Optional<String> run = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      defaultValue = "published",
      description = "The folder of published results (default: ${DEFAULT-VALUE}).")
  Path to = Path.of("published");

  @Option(
      names = "--tuned",
      description = "Says that options of the product were set for this workload.")
  boolean tuned;

  @Option(
      names = {"-y", "--yes"},
      description = "Writes without asking. Without a terminal nobody is asked.")
  boolean yes;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Makes every figure of published files again from their evidence and lists the"
              + " differences.")
  List<Path> check = List.of();

  @Option(
      names = "--site",
      paramLabel = "FOLDER",
      description = "Writes a page of all published results of a folder, index.html, into it.")
  Optional<Path> site = Optional.empty();

  @Override
  public Integer call() {
    if (Stream.of(run.isPresent(), !check.isEmpty(), site.isPresent()).filter(is -> is).count()
        != 1) {
      throw new ParameterException(
          line(),
          "Name a run to publish, or published files with --check, or their folder with --site.");
    }
    if (site.isPresent()) {
      int count = ResultsSite.write(site.get());
      people()
          .println(
              "Page: "
                  + site.get().resolve(ResultsSite.FILE)
                  + ", "
                  + Console.count(count, "result"));
      return Main.OK;
    }
    return run.isPresent() ? publish(RunFolder.find(runs, run.get())) : checked();
  }

  private int checked() {
    Map<String, List<String>> differences = new TreeMap<>();
    for (Path file : check) {
      List<String> found = Publication.check(file);
      differences.put(file.toString(), found);
      people()
          .println(
              found.isEmpty()
                  ? "Every figure of " + file + " follows from its evidence."
                  : "The figures of " + file + " do not follow from its evidence:");
      found.forEach(each -> people().println(Console.wrapped("- " + each + ".")));
    }
    form.print(line(), differences);
    return differences.values().stream().allMatch(List::isEmpty) ? Main.OK : Main.TRIALS_NOT_RIGHT;
  }

  private int publish(RunFolder folder) {
    Path scratch = scratch();
    try {
      Draft draft = Publication.of(folder, tuned, scratch);
      preview(draft, people());
      if (!yes) {
        Console.confirm(
            "Write it to %s?".formatted(to),
            "Nothing was published: answer y, or use --yes, to publish it.",
            line().getErr());
      }
      Path file = Publication.write(draft, to);
      people().println("Published: " + file + " and the folder of its evidence beside it.");
      form.print(line(), draft.publication());
      return Main.OK;
    } finally {
      WorkFolders.delete(scratch);
    }
  }

  /** On the file system of the published results, whose folder is made when one is written. */
  private Path scratch() {
    Path there = to.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      return Files.createTempDirectory(there, ".draft");
    } catch (IOException failure) {
      throw RunException.of(
          "%s cannot be written (%s); name another folder with --to.",
          to, failure.getMessage(), failure);
    }
  }

  private static void preview(Draft draft, PrintWriter out) {
    Publication result = draft.publication();
    out.println(Console.wrapped(result.question()));
    out.println(
        Console.wrapped(
            "%s on %s, %d cores, %s; %d of %d trials verified; repeated by %s"
                .formatted(
                    result.versions().entrySet().stream()
                        .map(of -> of.getKey() + " " + of.getValue())
                        .collect(Collectors.joining(", ")),
                    result.machine().cpu(),
                    result.machine().cores(),
                    result.machine().operatingSystem(),
                    result.verified(),
                    result.trials(),
                    result.command())));
    out.println(
        Console.wrapped("! " + result.results().at("/findings/0/sentence").asText("no finding")));
    out.println(
        Console.wrapped(
            "Left out: "
                + (draft.replaced().isEmpty() ? "nothing" : draft.leftOut())
                + ". Evidence: "
                + Console.count(result.evidence().sha256().size(), "file")
                + "."));
  }
}
