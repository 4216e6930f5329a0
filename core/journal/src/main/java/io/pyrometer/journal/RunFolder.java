package io.pyrometer.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One run's folder and the places in it. */
public record RunFolder(Path path) {
  /** The end of the names of files of latency histograms. */
  public static final String HISTOGRAM = ".hlog";

  /** The end of the names of files of CPU time. */
  public static final String CPU_LOG = ".cpu.jsonl";

  /** The end of the names of files of the slowest calls. */
  public static final String SLOW_CALLS = ".slow.jsonl";

  /** The file of the examinations of the run's grids. */
  public static final String EXAMINATIONS = "health.json";

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** Makes a new folder named after the moment and the experiment. */
  public static RunFolder create(Path runs, String experiment, Clock clock) {
    String name = STAMP.format(LocalDateTime.now(clock)) + "-" + experiment;
    Path path = runs.resolve(name);
    try {
      Files.createDirectories(runs);
      for (int i = 2; Files.exists(path); i++) {
        path = runs.resolve(name + "-" + i);
      }
      Files.createDirectory(path);
      Files.createDirectory(path.resolve("trials"));
      Files.createDirectory(path.resolve("logs"));
      return new RunFolder(path);
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.no-folder"),
          runs.toAbsolutePath(),
          failure.getMessage(),
          failure);
    }
  }

  /**
   * Finds a run by its folder, or by its name (or the end of it) among the runs.
   *
   * @param runs where runs are kept
   */
  public static RunFolder find(Path runs, String name) {
    return search(runs, name)
        .orElseThrow(
            () ->
                RunException.of(
                    Messages.format("journal.no-run"), name, runs.toAbsolutePath().normalize()));
  }

  /** A run by its folder or name; empty where there is none. */
  public static Optional<RunFolder> search(Path runs, String name) {
    return Stream.of(Path.of(name), runs.resolve(name))
        .filter(path -> Files.isRegularFile(path.resolve("plan.json")))
        .findFirst()
        .map(RunFolder::new);
  }

  /** Every run's folder, oldest first. */
  public static List<RunFolder> all(Path runs) {
    if (!Files.isDirectory(runs)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(runs)) {
      return folders
          .filter(folder -> Files.isRegularFile(folder.resolve("plan.json")))
          .sorted()
          .map(RunFolder::new)
          .toList();
    } catch (IOException failure) {
      throw RunException.of(
          "The folder %s cannot be read: %s.", runs, failure.getMessage(), failure);
    }
  }

  public Path journal() {
    return path.resolve("journal.jsonl");
  }

  public Path log(String process) {
    return path.resolve("logs").resolve(process + ".log");
  }

  /** The file of a trial's latency histograms. */
  public Path histogram(String trial, int attempt) {
    return path.resolve(artefact(trial, attempt, HISTOGRAM));
  }

  /**
   * A file of an attempt at a trial, or with an empty ending the folder of its other artefacts.
   *
   * @param ending of the name, such as {@link #CPU_LOG}
   * @return relative to the run's folder
   */
  public static String artefact(String trial, int attempt, String ending) {
    return "trials/" + trial + (attempt == 1 ? "" : "-again") + ending;
  }

  public Path file(String name) {
    return path.resolve(name);
  }

  /** Every attempt as the journal holds it, without the latencies of its log. */
  public List<TrialRecord> attempts() {
    return Journal.read(journal());
  }

  /** Every attempt with the latencies of its log, which are read here and nowhere else. */
  public List<TrialRecord> trials() {
    return attempts().parallelStream()
        .map(
            trial ->
                trial.outcome() == TrialRecord.Outcome.FAILED
                    ? trial
                    : trial.with(Latencies.totals(histogram(trial.id(), trial.attempt()))))
        .toList();
  }

  /** Where profiled trials are written, which run after the measured ones. */
  public Path profileJournal() {
    return path.resolve("profiles.jsonl");
  }

  public List<TrialRecord> profiles() {
    return Journal.read(profileJournal());
  }

  /** The findings of the driver's checks; empty where the run's grids were not examined. */
  public List<Examination> examinations() {
    return Files.exists(file(EXAMINATIONS))
        ? List.of(read(EXAMINATIONS, Examination[].class))
        : List.of();
  }

  public List<ProbeResult> probes() {
    return Journal.probes(journal());
  }

  /** The plan as written when the run began. */
  public PlannedRun plan() {
    JsonNode plan = read("plan.json", JsonNode.class);
    int schema = plan.path("schema").asInt();
    if (schema != PlannedRun.SCHEMA) {
      throw RunException.of(
          Messages.format("journal.schema"), file("plan.json"), schema, PlannedRun.SCHEMA);
    }
    try {
      return Json.LINES.treeToValue(plan, PlannedRun.class);
    } catch (JsonProcessingException failure) {
      throw RunException.of(Messages.format("journal.unreadable"), file("plan.json"), failure);
    }
  }

  public <T> T read(String name, Class<T> kind) {
    try {
      return Json.LINES.readValue(file(name).toFile(), kind);
    } catch (IOException failure) {
      throw RunException.of(Messages.format("journal.unreadable"), file(name), failure);
    }
  }

  /** Writes a file whole or not at all. */
  public void write(String name, Object value) {
    try {
      writeText(name, Json.PRETTY.writeValueAsString(value) + "\n");
    } catch (IOException failure) {
      throw RunException.of("%s could not be made.", file(name), failure);
    }
  }

  public void writeText(String name, String text) {
    Path whole = file(name);
    Path part = file(name + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.unwritable"), whole, failure.getMessage(), failure);
    }
  }
}
