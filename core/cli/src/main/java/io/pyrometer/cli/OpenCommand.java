package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.LiveServer;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunIndex;
import io.pyrometer.results.page.RunReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer open}. */
@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    description = {
      "Opens a page of all runs of a folder: question, answer, date, environment and trends.",
      "With --live the pages are served on this machine alone and follow a run in progress."
    },
    footer = {
      "",
      "Examples:",
      "  pyrometer open",
      "  pyrometer open --live --out /data/runs",
      "  pyrometer open 20261120-221500-first-light --no-browser"
    })
final class OpenCommand implements Callable<Integer> {
  private static final Pattern REPORT = Pattern.compile("/([\\w.-]+)/report\\.html");

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RUN",
      description = "Opens this run's report instead of the page of all runs.")
  Optional<String> run = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "runs",
      description = "The folder of all runs (default: ${DEFAULT-VALUE}).")
  Path runs = Path.of("runs");

  @Option(
      names = "--live",
      description = "Serves the pages at a loopback address until Ctrl-C, and updates them.")
  boolean live;

  @Option(
      names = "--port",
      defaultValue = "0",
      description = "The port of --live (default: any that is free).")
  int port;

  @Option(names = "--no-browser", description = "Prints where the page is, and opens no browser.")
  boolean noBrowser;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = runs;
    if (!Files.isDirectory(folder)) {
      throw new RunException(
          "There is no folder of runs %s; '%s run' creates it, or name another with --out."
              .formatted(folder.toAbsolutePath().normalize(), Home.command()));
    }
    Optional<RunFolder> one = run.map(name -> RunFolder.find(folder, name));
    if (live) {
      serve(out, folder, one);
      return Main.OK;
    }
    Path index = RunIndex.write(folder);
    Path page = one.map(named -> RunReport.write(named).html()).orElse(index);
    out.println("Page: " + page.toAbsolutePath().normalize());
    browse(page.toUri().toString());
    return Main.OK;
  }

  private void serve(PrintWriter out, Path folder, Optional<RunFolder> one)
      throws InterruptedException {
    try (LiveServer server = LiveServer.start(folder, new RunPages(folder), port)) {
      String where =
          server.address()
              + one.map(named -> named.path().getFileName() + "/report.html").orElse("");
      out.println("Page: " + where + " (Ctrl-C ends it)");
      browse(where);
      new CountDownLatch(1).await();
    } catch (IOException taken) {
      throw new RunException(
          "Port %d cannot be used (%s); name another with --port."
              .formatted(port, taken.getMessage()),
          taken);
    }
  }

  /** The pages of a folder's runs, made when they are asked for. */
  private record RunPages(Path folder) implements LiveServer.Pages {
    @Override
    public Optional<Page> page(String address) {
      if (address.equals("/") || address.equals("/" + RunIndex.FILE)) {
        return Optional.of(RunIndex.page(folder));
      }
      return run(address)
          .filter(run -> !RunRecord.load(run).finished().isEmpty())
          .map(run -> RunReport.of(RunRecord.load(run)).page());
    }

    @Override
    public String version(String address) {
      return run(address).map(RunPages::version).orElseGet(this::ofAll);
    }

    private Optional<RunFolder> run(String address) {
      Matcher matcher = REPORT.matcher(address);
      return matcher.matches()
          ? Optional.of(new RunFolder(folder.resolve(matcher.group(1))))
              .filter(run -> Files.isRegularFile(run.file("plan.json")))
          : Optional.empty();
    }

    private String ofAll() {
      StringBuilder versions = new StringBuilder();
      RunFolder.all(folder).forEach(run -> versions.append(version(run)).append(' '));
      return Integer.toHexString(versions.toString().hashCode());
    }

    /** Journals only grow; a report that was written changes the page of all runs. */
    private static String version(RunFolder run) {
      return run.path().getFileName()
          + "-"
          + size(run.journal())
          + "-"
          + size(run.file("results.json"));
    }

    private static long size(Path file) {
      try {
        return Files.exists(file) ? Files.size(file) : 0;
      } catch (IOException gone) {
        return 0;
      }
    }
  }

  /** What cannot be opened is printed all the same, so that no failure matters. */
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
