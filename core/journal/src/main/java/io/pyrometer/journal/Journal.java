package io.pyrometer.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.ProbeResult;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The append-only list of finished trials and guarantee probes, one JSON line each, on the disk
 * before {@link #append} returns. What follows the last end of line was torn by a kill and is cut
 * off on opening. One process at a time writes it.
 */
public final class Journal implements AutoCloseable {
  private static final String SCHEMA_ONE = "{\"schema\":1,";

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
        throw new RunException(
            "The run in %s is being written by another Pyrometer; wait for it or stop it."
                .formatted(file.toAbsolutePath().normalize().getParent()));
      }
      channel.truncate(wholeLines(Files.readAllBytes(file)));
      channel.position(channel.size());
      return new Journal(file, channel);
    } catch (IOException failure) {
      throw new RunException(
          "The journal %s cannot be opened: %s.".formatted(file, failure.getMessage()), failure);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException ownedHere) {
      return null;
    }
  }

  /** The trials on whole lines, in order; those of older versions in today's form. */
  public static List<TrialRecord> read(Path file) {
    return parsed(file, line -> !isProbe(line), Journal::trial);
  }

  private static TrialRecord trial(String line) throws JsonProcessingException {
    if (!line.startsWith(SCHEMA_ONE)) {
      return known(Json.LINES.readValue(line, TrialRecord.class));
    }
    return Json.LINES.treeToValue(SchemaOne.trial(Json.LINES.readTree(line)), TrialRecord.class);
  }

  private static TrialRecord known(TrialRecord trial) {
    mustBeKnown(trial.schema(), TrialRecord.SCHEMA);
    return trial;
  }

  /** The guarantee probes on whole lines, in order. */
  public static List<ProbeResult> probes(Path file) {
    return parsed(
        file,
        Journal::isProbe,
        line -> {
          ProbeResult probe = Json.LINES.readValue(line, ProbeResult.class);
          mustBeKnown(probe.schema(), ProbeResult.SCHEMA);
          return probe;
        });
  }

  private static boolean isProbe(String line) {
    return line.startsWith("{\"probe\":");
  }

  private static <T> List<T> parsed(Path file, Predicate<String> wanted, LineParser<T> parser) {
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
          .mapToObj(i -> parse(file, i + 1, lines.get(i), parser))
          .toList();
    } catch (IOException failure) {
      throw new RunException(
          "The journal %s cannot be read: %s.".formatted(file, failure.getMessage()), failure);
    }
  }

  /** Makes one line's value. */
  private interface LineParser<T> {
    T parse(String line) throws JsonProcessingException;
  }

  private static <T> T parse(Path file, int number, String line, LineParser<T> parser) {
    try {
      return parser.parse(line);
    } catch (NewerSchemaException newer) {
      throw new RunException(
          "%s:%d: this line has schema %d, but this Pyrometer reads up to %d; use a newer one."
              .formatted(file, number, newer.schema, newer.newest),
          newer);
    } catch (JsonProcessingException broken) {
      throw new RunException(
          "%s:%d: this is not a trial's line; restore the file or take this line out."
              .formatted(file, number),
          broken);
    }
  }

  /** A line of a version that is newer than this one. */
  private static final class NewerSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int schema;
    private final int newest;

    NewerSchemaException(int schema, int newest) {
      this.schema = schema;
      this.newest = newest;
    }
  }

  private static void mustBeKnown(int schema, int newest) {
    if (schema > newest) {
      throw new NewerSchemaException(schema, newest);
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
    return appendLine(trial);
  }

  /** The same for a probe. */
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
      throw new RunException(
          "A line could not be written to %s (%s); make room on the disk and resume the run."
              .formatted(file, failure.getMessage()),
          failure);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      channel.close();
    } catch (IOException failure) {
      throw new RunException(
          "The journal %s could not be closed: %s.".formatted(file, failure.getMessage()), failure);
    }
  }
}
