package io.pyrometer.results.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.Figures;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Json;
import io.pyrometer.report.Finding;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Page;
import io.pyrometer.results.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * All runs of a folder on one page, the newest first, with the question and answer of each. It
 * reads what runs have written of themselves and no measurement again.
 */
public final class RunIndex {
  /** The page's name in the folder of the runs. */
  public static final String FILE = "index.html";

  private RunIndex() {}

  /** One run as the page shows it. */
  private record Entry(RunFolder folder, PlannedRun plan, int done, Optional<JsonNode> results) {
    String name() {
      return String.valueOf(folder.path().getFileName());
    }

    /** The moment it began and what began it, as its folder is named. */
    String stamp() {
      return name().replaceFirst("^(\\d{4})(\\d\\d)(\\d\\d)-(\\d\\d)(\\d\\d).*$", "$1-$2-$3 $4:$5");
    }
  }

  /**
   * Writes the page into the folder of the runs.
   *
   * @return the page's file
   * @throws RunException if it cannot be written
   */
  public static Path write(Path runs) {
    Path file = runs.resolve(FILE);
    try {
      HtmlReport.write(page(runs), file);
      return file;
    } catch (UncheckedIOException failure) {
      throw RunException.of(
          "%s cannot be written (%s); make room on the disk.", file, failure.getMessage(), failure);
    }
  }

  private static Page page(Path runs) {
    List<Entry> entries = new ArrayList<>();
    for (RunFolder folder : RunFolder.all(runs)) {
      entry(folder).ifPresent(entries::add);
    }
    Collections.reverse(entries);
    String folder = runs.toAbsolutePath().normalize().toString();
    return new Page(
        "Runs",
        "Runs and results",
        "%s in %s".formatted(Figures.count(entries.size(), "run"), folder),
        List.<Finding>of(),
        List.of(Texts.section("index.runs", table().figure("All runs of this folder", entries))),
        List.of(new Page.Command("Regenerate this page", "./pyrometer open --out " + folder)));
  }

  private static Optional<Entry> entry(RunFolder folder) {
    try {
      int done = Attempts.selectedAttempts(folder.attempts()).size();
      return Optional.of(new Entry(folder, folder.plan(), done, results(folder)));
    } catch (RunException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<JsonNode> results(RunFolder folder) {
    Path file = folder.file("results.json");
    try {
      return Files.exists(file)
          ? Optional.of(Json.LINES.readTree(Files.readString(file)))
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static MetricTable<Entry> table() {
    return new MetricTable<Entry>()
        .text("begun", Entry::stamp)
        .text("experiment", entry -> entry.plan().name())
        .text("question", entry -> entry.plan().question())
        .text("answer", RunIndex::answer)
        .text("trials", RunIndex::trials)
        .text("report", RunIndex::report);
  }

  private static String report(Entry entry) {
    return Files.exists(entry.folder().file("report.html"))
        ? entry.name() + "/report.html"
        : "none: pyrometer report " + entry.name();
  }

  private static String answer(Entry entry) {
    return entry
        .results()
        .map(results -> results.path("findings").path(0).path("sentence").asText(""))
        .filter(sentence -> !sentence.isEmpty())
        .orElse("not reported yet");
  }

  private static String trials(Entry entry) {
    int all = entry.plan().trials().size();
    return entry.done() == all ? String.valueOf(all) : "%d of %d".formatted(entry.done(), all);
  }
}
