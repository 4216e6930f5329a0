package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunIndex;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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
    Path folder = runs;
    if (!Files.isDirectory(folder)) {
      throw RunException.of(
          "There is no folder of runs %s; '%s run' creates it, or name another with --out.",
          folder.toAbsolutePath().normalize(), Home.command());
    }
    Optional<RunFolder> one = run.map(name -> RunFolder.find(folder, name));
    Path index = RunIndex.write(folder);
    Path page = one.map(named -> ResultFiles.write(named).html()).orElse(index);
    out.println("Page: " + page.toAbsolutePath().normalize());
    browse(page.toUri().toString());
    return Main.OK;
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
