package io.pyrometer.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The append-only list of finished trials and guarantee probes, one JSON line each, on the disk
 * before {@link #append} returns. What follows the last end of line was torn by a kill and is cut
 * off on opening. One process at a time writes it.
 */
public final class Journal implements AutoCloseable {
  /** The schema of a line as a whole, not of anything inside it. */
  private static final Pattern SCHEMA =
      Pattern.compile("^\\{(?:\"probe\":\"[^\"]*\",)?\"schema\":(\\d{1,9}),");

  private final Path file;
  private final FileChannel channel;
  private boolean closed;

  private Journal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Opens for appending, after the last whole line. */
  public static Journal open(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw RunException.of(
            Messages.format("journal.locked"), file.toAbsolutePath().normalize().getParent());
      }
      channel.truncate(wholeLines(Files.readAllBytes(file)));
      channel.position(channel.size());
      return new Journal(file, channel);
    } catch (IOException failure) {
      throw RunException.of(
          "The journal %s cannot be opened: %s.", file, failure.getMessage(), failure);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException ownedHere) {
      return null;
    }
  }

  /** The trials on whole lines, in order. */
  public static List<TrialRecord> read(Path file) {
    return parsed(file, TrialRecord.class, TrialRecord.SCHEMA, line -> !isProbe(line));
  }

  /** The guarantee probes on whole lines, in order. */
  public static List<ProbeResult> probes(Path file) {
    return parsed(file, ProbeResult.class, ProbeResult.SCHEMA, Journal::isProbe);
  }

  private static boolean isProbe(String line) {
    return line.startsWith("{\"probe\":");
  }

  private static <T> List<T> parsed(
      Path file, Class<T> type, int schema, Predicate<String> wanted) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, 0, wholeLines(bytes), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return IntStream.range(0, lines.size())
          .parallel()
          .filter(i -> wanted.test(lines.get(i)))
          .mapToObj(i -> parse("%s:%d".formatted(file, i + 1), lines.get(i), type, schema))
          .toList();
    } catch (IOException failure) {
      throw RunException.of(
          "The journal %s cannot be read: %s.", file, failure.getMessage(), failure);
    }
  }

  private static <T> T parse(String where, String line, Class<T> type, int schema) {
    Matcher written = SCHEMA.matcher(line);
    if (written.find() && Integer.parseInt(written.group(1)) != schema) {
      throw RunException.of(
          Messages.format("journal.line-schema"), where, written.group(1), schema);
    }
    try {
      return Json.LINES.readValue(line, type);
    } catch (JsonProcessingException broken) {
      throw RunException.of(Messages.format("journal.no-trial"), where, broken);
    }
  }

  private static int wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /**
   * Adds a trial; after {@link #close} nothing is added any more.
   *
   * @return whether it was added
   * @throws RunException if the disk does not take it
   */
  public boolean append(TrialRecord trial) {
    return appendLine(trial.withoutLatencies());
  }

  /** Adds a probe in the same way. */
  public boolean append(ProbeResult probe) {
    return appendLine(probe);
  }

  private synchronized boolean appendLine(Object value) {
    if (closed) {
      return false;
    }
    try {
      byte[] line = Json.LINES.writeValueAsBytes(value);
      ByteBuffer bytes = ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      return true;
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.journal-unwritable"), file, failure.getMessage(), failure);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      channel.close();
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.not-closed"), file, failure.getMessage(), failure);
    }
  }
}
