package io.pyrometer.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium that opens one page. */
final class Browser {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  /**
   * What became of the page.
   *
   * @param dom after its scripts ran
   * @param log of the browser: console messages and refused requests
   */
  record Opened(String dom, String log) {}

  private Browser() {}

  static Opened open(Path page, Path folder, String... flags)
      throws IOException, InterruptedException {
    Path dom = folder.resolve("dom.html");
    Path log = folder.resolve("browser.log");
    List<String> command = new ArrayList<>(command(folder.resolve("profile")));
    command.addAll(List.of("--enable-logging=stderr", "--virtual-time-budget=20000"));
    command.addAll(List.of(flags));
    command.addAll(List.of("--dump-dom", page.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("Chromium did not finish within two minutes; its log is " + log);
    }
    return new Opened(
        Files.readString(dom), new String(Files.readAllBytes(log), StandardCharsets.UTF_8));
  }

  /** How a browser is started that asks nobody for anything. */
  static List<String> command(Path profile) {
    return List.of(
        binary(),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile);
  }

  private static String binary() {
    return Stream.concat(Stream.ofNullable(System.getenv("CHROMIUM")), PLACES.stream())
        .filter(place -> Files.isExecutable(Path.of(place)))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "This test opens a report in Chromium, which is not here: install the package"
                        + " chromium or set CHROMIUM to its path."));
  }
}
