package io.pyrometer.cli;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.study.StudyPage;
import io.pyrometer.results.study.StudyRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer analyse}. */
@Command(name = "analyse", mixinStandardHelpOptions = true)
final class AnalyseCommand extends JsonCommand {
  @Parameters(index = "0", paramLabel = "FILE.csv")
  Path file = Path.of("");

  @Option(names = "--response", required = true)
  String response = "";

  @Option(names = "--unit")
  String unit = "";

  @ArgGroup(multiplicity = "1")
  AimOptions aim = new AimOptions();

  static final class AimOptions {
    @Option(names = "--factors", split = ",", required = true)
    List<String> factors = List.of();

    @Option(names = "--against", required = true)
    String against = "";
  }

  @Option(names = "--trial")
  Optional<String> trial = Optional.empty();

  @Option(names = "--replicate")
  Optional<String> replicate = Optional.empty();

  @Option(names = "--block")
  Optional<String> block = Optional.empty();

  @Option(names = "--start", split = ",")
  List<String> start = List.of();

  @Option(names = "--rows", defaultValue = "mean")
  StudyRequest.Rows rows = StudyRequest.Rows.MEAN;

  @Option(names = "--scale", defaultValue = "ln")
  ResponseScale scale = ResponseScale.LN;

  @Option(names = "--out")
  Optional<Path> out = Optional.empty();

  @Option(names = "--verbose")
  boolean verbose;

  @Override
  public Integer call() {
    Page page = StudyPage.of(request());
    Path folder = out.orElseGet(this::besideTheFile);
    PageOutput.show(
        this,
        page,
        Optional.of(StudyPage.brief(page)).filter(brief -> !verbose),
        folder.resolve("report.html"));
    PageOutput.write(
        folder.resolve("report.md"), file -> Files.writeString(file, Markdown.page(page)));
    return Main.OK;
  }

  private StudyRequest request() {
    return new StudyRequest(
        file,
        response,
        unit,
        aim.against.isEmpty() ? aim.factors : List.of(aim.against),
        !aim.against.isEmpty(),
        trial,
        replicate,
        block,
        start,
        rows,
        scale,
        PageOutput.typed(line()));
  }

  private Path besideTheFile() {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.csv$", "");
    String column = response.replaceAll("[^\\w.]+", "-");
    return file.resolveSibling("%s-%s-analysis".formatted(name, column));
  }
}
