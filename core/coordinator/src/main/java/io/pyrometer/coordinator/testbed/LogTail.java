package io.pyrometer.coordinator.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a process ended, in words, from its exit code and the end of its log. */
public final class LogTail {
  private static final int TAIL_BYTES = 8192;
  private static final int LONGEST = 240;

  /** What a JVM prints below the line that says why it did not start. */
  private static final Set<String> JVM_GAVE_UP =
      Set.of(
          "Error: Could not create the Java Virtual Machine.",
          "Error: A fatal exception has occurred. Program will exit.");

  private LogTail() {}

  public static String exit(int code) {
    return switch (code) {
      case 137, 9 -> "was killed (exit code " + code + ")";
      case 130, 143 -> "was terminated by a signal (exit code " + code + ")";
      default -> "ended with exit code " + code;
    };
  }

  /** {@code ; its log ends: …}, the line most likely to say why, or nothing where there is none. */
  public static String lastWords(Path log) {
    List<String> lines =
        tail(log)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !JVM_GAVE_UP.contains(line))
            .toList();
    String telling = "";
    for (String line : lines) {
      boolean frame = line.startsWith("at ") || line.startsWith("...");
      boolean error = line.contains("Exception") || line.contains("Error");
      if (error || (!frame && !telling.contains("Exception") && !telling.contains("Error"))) {
        telling = line;
      }
    }
    return telling.isEmpty() ? "" : "; its log ends: " + plain(telling);
  }

  /** At most one line of moderate length, without a full stop at its end. */
  public static String plain(@Nullable String text) {
    String line = text == null ? "no reason given" : text.strip().replaceAll("\\s+", " ");
    String cut = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    return cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut;
  }

  private static String tail(Path log) {
    try (InputStream in = Files.newInputStream(log)) {
      in.skipNBytes(Math.max(0, Files.size(log) - TAIL_BYTES));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
