package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.page.RunReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer open}. */
@Command(name = "open", mixinStandardHelpOptions = true)
final class OpenCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "RUN")
  Optional<String> run = Optional.empty();

  @Option(names = "--out", paramLabel = "FOLDER", defaultValue = "runs")
  Path runs = Path.of("runs");

  @Option(names = "--no-browser")
  boolean noBrowser;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Path page =
        RunReport.write(run.map(name -> RunFolder.find(runs, name)).orElseGet(this::newest)).html();
    out.println("Page: " + page.toAbsolutePath().normalize());
    browse(page.toUri().toString());
    return Main.OK;
  }

  private RunFolder newest() {
    List<RunFolder> all = RunFolder.all(runs);
    if (all.isEmpty()) {
      throw RunException.of(
          "There are no runs in %s; '%s run' makes one, and --out names another folder.",
          runs.toAbsolutePath().normalize(), Home.command());
    }
    return all.get(all.size() - 1);
  }

  /** Opens an address in a browser; it is printed all the same, so that no failure matters. */
  private void browse(String address) {
    if (noBrowser || !Console.terminal()) {
      return;
    }
    boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");
    try {
      new ProcessBuilder(List.of(mac ? "open" : "xdg-open", address))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException noBrowserHere) {
      spec.commandLine().getOut().println("No browser could be opened: open the page yourself.");
    }
  }
}
