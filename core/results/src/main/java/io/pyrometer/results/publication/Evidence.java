package io.pyrometer.results.publication;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a run's folder that its figures are made of, without personal data. */
final class Evidence {
  /** Whose text may name users, hosts and folders. */
  private static final List<String> NAMING =
      List.of(
          "plan.json",
          "environment.json",
          "experiment.yaml",
          "journal.jsonl",
          "profiles.jsonl",
          RunFolder.EXAMINATIONS);

  /** Histograms, series, stacks and other data; a recording holds far more than figures. */
  private static final List<String> COPIED = List.of(".hlog", ".jsonl", ".json", ".collapsed");

  private Evidence() {}

  /**
   * Copies what is published of a run.
   *
   * @param to a folder that does not exist
   */
  static void copy(RunFolder from, Path to, PersonalData personal) throws IOException {
    Files.createDirectories(to.resolve("trials"));
    for (String name : NAMING) {
      if (Files.exists(from.file(name))) {
        Files.writeString(
            to.resolve(name), personal.removedFrom(Files.readString(from.file(name))));
      }
    }
    try (Stream<Path> files = Files.walk(from.file("trials"))) {
      for (Path file : (Iterable<Path>) files.filter(Evidence::isCopied)::iterator) {
        Path copy = to.resolve(from.path().relativize(file));
        Files.createDirectories(copy.getParent());
        if (file.toString().endsWith(RunFolder.CPU_LOG)) {
          // It names the hosts of each machine.
          Files.writeString(copy, personal.removedFrom(Files.readString(file)));
        } else {
          Files.copy(file, copy);
        }
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  private static boolean isCopied(Path file) {
    return Files.isRegularFile(file) && COPIED.stream().anyMatch(file.toString()::endsWith);
  }

  /** SHA-256 of every file below a folder, by its name in the folder. */
  static Map<String, String> digests(Path folder) {
    Map<String, String> digests = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        digests.put(name, sha256(Files.readAllBytes(file)));
      }
      return digests;
    } catch (IOException | UncheckedIOException failure) {
      throw RunException.of(
          "The evidence in %s cannot be read: %s.", folder, failure.getMessage(), failure);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
