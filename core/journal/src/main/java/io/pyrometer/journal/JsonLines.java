package io.pyrometer.journal;

import com.fasterxml.jackson.databind.MappingIterator;
import io.pyrometer.protocol.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Artefacts of one JSON object a line. */
public final class JsonLines {
  private JsonLines() {}

  /**
   * Writes a file, and its folder where there is none.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, List<?> objects) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Object object : objects) {
        out.write(Json.LINES.writeValueAsString(object));
        out.newLine();
      }
    }
  }

  /**
   * Reads the first artefact of a kind; nothing where there is none.
   *
   * @throws IOException if it cannot be read, or is not such a file
   */
  public static <T> List<T> read(
      RunFolder folder, List<TrialRecord.Artefact> artefacts, String kind, Class<T> type)
      throws IOException {
    for (TrialRecord.Artefact artefact : artefacts) {
      if (artefact.kind().equals(kind)) {
        try (MappingIterator<T> lines =
            Json.LINES.readerFor(type).readValues(folder.file(artefact.file()).toFile())) {
          return lines.readAll();
        }
      }
    }
    return List.of();
  }
}
