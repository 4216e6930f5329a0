package io.pyrometer.results.publication;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.EqualTermsNotes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is published of a run: its figures, what they were measured on, and the digests of the
 * evidence that they are made of.
 *
 * @param id also the name of the evidence's folder, beside the file
 * @param date of the run, ISO 8601
 * @param tuned whether its publisher set options of the product for this workload
 * @param versions of Pyrometer and the products
 * @param command that repeats it; a file of the experiment is that of the evidence
 * @param verified trials whose contents or answers were right, of so many {@code trials}
 * @param configuration read back from the grid, where it was the same in all trials
 * @param unequalTerms what could not be made equal between products
 * @param results what a run's {@code results.json} holds
 */
public record Publication(
    int schema,
    String id,
    String experiment,
    String question,
    String date,
    boolean tuned,
    Map<String, String> versions,
    Machine machine,
    String command,
    long trials,
    long verified,
    long blocks,
    Map<String, String> configuration,
    List<String> unequalTerms,
    JsonNode results,
    EvidenceFiles evidence) {

  static final int SCHEMA = 1;
  private static final int DIGITS = 8;

  /** Of an instant in ISO 8601, the characters of its date. */
  private static final int DATE = 10;

  private static final int MOST_DIFFERENCES = 10;

  private static final String JOURNAL = "journal.jsonl";

  /** What a run was measured on. */
  public record Machine(
      String cpu, int cores, long memoryBytes, String operatingSystem, String kernel, String jvm) {}

  /** The folder of the evidence, and the SHA-256 of each file in it. */
  public record EvidenceFiles(String folder, Map<String, String> sha256) {}

  /** A publication that is not written yet to the folder where all are. */
  public record Draft(Publication publication, Path evidence, Map<String, Integer> replaced) {

    /** How many different names, addresses and folders were left out; empty for none. */
    public String leftOut() {
      return new TreeMap<>(replaced)
          .entrySet().stream()
              .map(of -> "%s (%d)".formatted(of.getKey(), of.getValue()))
              .collect(Collectors.joining(", "));
    }
  }

  /**
   * Makes the evidence and, of that alone, the figures.
   *
   * @param scratch an empty folder for the evidence, on the file system where it will be published
   * @throws RunException if the run has not ended, or personal data are part of its figures
   */
  public static Draft of(RunFolder run, boolean tuned, Path scratch) {
    RunRecord whole = RunRecord.load(run);
    if (!whole.whole()) {
      throw RunException.of(
          "%s has not ended: complete it with 'pyrometer resume' before it is published.",
          run.path());
    }
    PersonalData personal = PersonalData.of(whole.plan());
    try {
      // A temporary folder is its maker's alone; what is published is everybody's.
      Path evidence = scratch.resolve("evidence");
      Evidence.copy(run, evidence, personal);
      return new Draft(of(new RunFolder(evidence), tuned), evidence, personal.replaced());
    } catch (IOException failure) {
      throw unwritable(scratch, failure);
    }
  }

  private static Publication of(RunFolder evidence, boolean tuned) {
    RunReport report = RunReport.of(RunRecord.load(evidence));
    RunRecord run = report.run();
    Environment on = run.environment();
    Map<String, String> digests = Evidence.digests(evidence.path());
    String digest = digests.getOrDefault(JOURNAL, "");
    String id = run.plan().name() + "-" + digest.substring(0, Math.min(DIGITS, digest.length()));
    return new Publication(
        SCHEMA,
        id,
        run.plan().name(),
        run.plan().question(),
        on.taken().substring(0, DATE),
        tuned,
        versions(run),
        new Machine(
            on.cpu(), on.cores(), on.memoryBytes(), on.operatingSystem(), on.kernel(), on.jvm()),
        "./pyrometer "
            + String.join(" ", withoutFolder(run.plan().argumentsWith(id + "/experiment.yaml"))),
        run.counting().size(),
        run.counting().stream()
            .filter(trial -> trial.result().verification().filter(Verification::passed).isPresent())
            .count(),
        run.blocksSeen(),
        common(run.counting()),
        EqualTermsNotes.unequal(run.plan()),
        written(report.results()),
        new EvidenceFiles(id, digests));
  }

  private static List<String> withoutFolder(List<String> arguments) {
    List<String> kept = new ArrayList<>();
    for (Iterator<String> each = arguments.iterator(); each.hasNext(); ) {
      String argument = each.next();
      if (argument.equals("--out") && each.hasNext()) {
        each.next();
      } else if (!argument.startsWith("--out=")) {
        kept.add(argument);
      }
    }
    return kept;
  }

  /** Of products that are installed, what the servers said of themselves. */
  private static Map<String, String> versions(RunRecord run) {
    Map<String, String> versions = new TreeMap<>(run.environment().versions());
    for (TrialRecord trial : run.counting()) {
      String installed = trial.configuration().getOrDefault(DriverDescription.INSTALLED, "");
      int blank = installed.lastIndexOf(' ');
      if (blank > 0) {
        versions.remove(run.plan().driver(trial.settings()).product());
        versions.put(installed.substring(0, blank), installed.substring(blank + 1));
      }
    }
    return versions;
  }

  private static Map<String, String> common(List<TrialRecord> trials) {
    Map<String, String> common =
        trials.isEmpty() ? new TreeMap<>() : new TreeMap<>(trials.get(0).configuration());
    trials.forEach(trial -> common.entrySet().retainAll(trial.configuration().entrySet()));
    return common;
  }

  /** As it is read from a file, so that figures are compared as they are written. */
  private static JsonNode written(Object value) {
    try {
      return Json.LINES.readTree(Json.LINES.writeValueAsString(value));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Writes a draft to a folder of publications, which is made where it is absent, and moves its
   * evidence beside it.
   *
   * @return the file
   * @throws RunException if it cannot be written, or is there already
   */
  public static Path write(Draft draft, Path folder) {
    Publication publication = draft.publication();
    Path file = folder.resolve(publication.id() + ".json");
    if (Files.exists(file)) {
      throw RunException.of(
          "%s is there already: this run was published before; remove the file and its folder to"
              + " publish it again.",
          file);
    }
    try {
      Files.createDirectories(folder);
      Files.move(draft.evidence(), folder.resolve(publication.id()));
      Path part = folder.resolve("." + publication.id() + ".part");
      Files.writeString(part, Json.PRETTY.writeValueAsString(publication) + "\n");
      return Files.move(part, file);
    } catch (IOException failure) {
      throw unwritable(folder, failure);
    }
  }

  private static RunException unwritable(Path folder, IOException failure) {
    return RunException.of(
        "%s cannot be written (%s); name another folder with --to.",
        folder, failure.getMessage(), failure);
  }

  /**
   * Makes every figure of a file again from the evidence beside it.
   *
   * @return the differences, each as a sentence without its full stop; empty where there are none
   * @throws RunException if the file or the evidence cannot be read
   */
  public static List<String> check(Path file) {
    JsonNode given;
    try {
      given = Json.LINES.readTree(file.toFile());
    } catch (IOException failure) {
      throw RunException.of(
          "%s cannot be read as a published result: %s.",
          file, String.valueOf(failure.getMessage()).lines().findFirst().orElse(""), failure);
    }
    if (given.path("schema").asInt() != SCHEMA) {
      throw RunException.of(
          "%s has schema '%s', but this version of Pyrometer reads schema %d.",
          file, given.path("schema").asText("none"), SCHEMA);
    }
    String name = given.path("evidence").path("folder").asText();
    if (!name.matches("[\\w.-]+") || name.startsWith(".")) {
      throw RunException.of(
          "%s names no folder of evidence beside it under 'evidence.folder'.", file);
    }
    Path evidence = file.toAbsolutePath().resolveSibling(name);
    Publication made = of(new RunFolder(evidence), given.path("tuned").asBoolean());
    List<String> differences = new ArrayList<>();
    compare("", given, written(made), differences);
    int more = differences.size() - MOST_DIFFERENCES;
    return more <= 0
        ? differences
        : Stream.concat(
                differences.stream().limit(MOST_DIFFERENCES),
                Stream.of("and " + more + " further differences"))
            .toList();
  }

  private static void compare(String at, JsonNode given, JsonNode made, List<String> differences) {
    if (given.isObject() && made.isObject()) {
      TreeSet<String> names = new TreeSet<>();
      given.fieldNames().forEachRemaining(names::add);
      made.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        compare(
            at.isEmpty() ? name : at + "." + name, given.path(name), made.path(name), differences);
      }
    } else if (given.isArray() && made.isArray() && given.size() == made.size()) {
      for (int i = 0; i < given.size(); i++) {
        compare(at + "[" + i + "]", given.path(i), made.path(i), differences);
      }
    } else if (!given.equals(made)) {
      differences.add(
          "%s is %s in the file and %s from the evidence".formatted(at, text(given), text(made)));
    }
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode()) {
      return "absent";
    }
    return value.isArray() ? value.size() + " elements" : value.toString();
  }
}
