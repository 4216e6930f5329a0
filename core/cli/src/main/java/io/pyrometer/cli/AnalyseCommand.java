package io.pyrometer.cli;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.study.StudyRequest;
import io.pyrometer.results.study.StudyRequest.Aim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer analyse}. */
@Command(
    name = "analyse",
    description = "Fits scalability models or factorial effects to a CSV file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  pyrometer analyse scaling.csv --response throughput --against nodes",
      "  pyrometer analyse runs.csv --response throughput --factors nodes,mode --replicate run"
    })
final class AnalyseCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE.csv", description = "Comma-separated values with a header.")
  private Path file = Path.of("");

  @Option(names = "--response", required = true, description = "The column to explain.")
  private String response = "";

  @Option(names = "--unit", description = "The unit of the response, for example ops/s.")
  private String unit = "";

  @ArgGroup(multiplicity = "1")
  private AimOptions aim = new AimOptions();

  static final class AimOptions {
    @Option(
        names = "--factors",
        split = ",",
        required = true,
        description = "The columns of the factors.")
    private List<String> factors = List.of();

    @Option(
        names = "--against",
        required = true,
        description = "The column with the number of nodes or clients, for the scalability law.")
    private String against = "";

    Aim aim() {
      return against.isEmpty() ? new Aim.Factors(factors) : new Aim.Against(against);
    }
  }

  @Option(names = "--trial", description = "The column with the trial's number or name.")
  private Optional<String> trial = Optional.empty();

  @Option(
      names = "--replicate",
      description =
          "The column that numbers the replicates of a treatment; it is no block (default: blocks"
              + " are the only replicates).")
  private Optional<String> replicate = Optional.empty();

  @Option(
      names = "--block",
      description =
          "The column with the block: trials that were made together (default: the column 'block',"
              + " if there is one).")
  private Optional<String> block = Optional.empty();

  @Option(
      names = "--start",
      split = ",",
      description =
          "The columns that were set once for a start of processes, as the whole plots of a split"
              + " plot (default: by the order of rows; row: every row has its own).")
  private List<String> start = List.of();

  @Option(
      names = "--rows",
      defaultValue = "mean",
      description =
          "What rows of one treatment are: readings of one trial (mean), its clients (sum), or"
              + " trials of their own (replicates).")
  private StudyRequest.Rows rows = StudyRequest.Rows.MEAN;

  @Option(
      names = "--scale",
      defaultValue = "ln",
      description = "Analyse the logarithm of the response (ln) or the response (plain).")
  private ResponseScale scale = ResponseScale.LN;

  @Option(
      names = "--out",
      description =
          "The folder for report.html and report.md (default: FILE-RESPONSE-analysis, next to the"
              + " file).")
  private Optional<Path> out = Optional.empty();

  @Option(names = "--verbose", description = "Print the whole page instead of its first table.")
  private boolean verbose;

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    Page page = request(line).page();
    Path folder = out.orElseGet(this::besideTheFile);
    PageOutput.show(
        line, form, page, StudyRequest.brief(page), verbose, folder.resolve("report.html"));
    PageOutput.write(
        folder.resolve("report.md"), file -> Files.writeString(file, Markdown.page(page)));
    return Main.OK;
  }

  private StudyRequest request(CommandLine line) {
    return new StudyRequest(
        file,
        response,
        unit,
        aim.aim(),
        trial,
        replicate,
        block,
        start,
        rows,
        scale,
        PageOutput.typed(line));
  }

  private Path besideTheFile() {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.csv$", "");
    String column = response.replaceAll("[^\\w.]+", "-");
    return file.resolveSibling("%s-%s-analysis".formatted(name, column));
  }
}
