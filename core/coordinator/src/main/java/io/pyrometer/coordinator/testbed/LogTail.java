package io.pyrometer.coordinator.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a process ended, in words, from its exit code and the end of its log. */
public final class LogTail {
  private static final int TAIL_BYTES = 8192;
  private static final int MAX_BYTES = 1 << 20;
  private static final int LONGEST = 240;
  private static final int KILLED = 137;
  private static final int TERMINATED = 143;

  /** The name of an exception, and not a flag such as {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final Pattern ERROR = Pattern.compile("(?<![+\\w.])[\\w.$]*(Exception|Error)\\b");

  /** Lines that a JVM prints below the one that says why it did not start. */
  private static final Set<String> JVM_GAVE_UP =
      Set.of(
          "Error: Could not create the Java Virtual Machine.",
          "Error: A fatal exception has occurred. Program will exit.");

  private LogTail() {}

  public static String exit(int code) {
    return switch (code) {
      case KILLED, 9 -> "was killed (exit code " + code + ")";
      case 130, TERMINATED -> "was terminated by a signal (exit code " + code + ")";
      default -> "ended with exit code " + code;
    };
  }

  /**
   * How a process ended, with the line of its log most likely to say why: the first exception where
   * it had not started yet, and later the last one. A log says nothing of a signal.
   */
  public static String end(int code, Path log, boolean started) {
    return code == KILLED || code == TERMINATED
        ? exit(code)
        : exit(code) + (started ? lastWords(log) : firstException(log));
  }

  private static String firstException(Path log) {
    String first = "";
    for (String line : text(log, true).lines().map(String::strip).toList()) {
      if (first.isEmpty() ? isError(line) : line.startsWith("Caused by: ")) {
        first = line;
      } else if (!first.isEmpty() && !isFrame(line)) {
        break;
      }
    }
    return first.isEmpty()
        ? lastWords(log)
        : "; its log says: " + plain(first.replaceFirst("^(Exception in .*? |Caused by: )", ""));
  }

  /** {@code ; its log ends: …}, the line most likely to say why, or nothing where there is none. */
  public static String lastWords(Path log) {
    String telling = "";
    for (String line : text(log, false).lines().map(String::strip).toList()) {
      boolean said = !line.isEmpty() && !JVM_GAVE_UP.contains(line) && !isFrame(line);
      if (said && (isError(line) || !isError(telling))) {
        telling = line;
      }
    }
    return telling.isEmpty() ? "" : "; its log ends: " + plain(telling);
  }

  private static boolean isFrame(String line) {
    return line.startsWith("at ") || line.startsWith("...");
  }

  private static boolean isError(String line) {
    return !JVM_GAVE_UP.contains(line) && ERROR.matcher(line).find();
  }

  /** At most one line of moderate length, without a full stop at its end. */
  public static String plain(@Nullable String text) {
    String line = text == null ? "no reason given" : text.strip().replaceAll("\\s+", " ");
    String cut = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    return cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut;
  }

  private static String text(Path log, boolean fromTheStart) {
    try (InputStream in = Files.newInputStream(log)) {
      in.skipNBytes(fromTheStart ? 0 : Math.max(0, Files.size(log) - TAIL_BYTES));
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
