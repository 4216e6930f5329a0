package io.pyrometer.driver.ignite.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import org.apache.ignite.internal.processors.performancestatistics.FilePerformanceStatisticsReader;
import org.jspecify.annotations.Nullable;

/**
 * Strings of a file of performance statistics by their hashes, also of those up to 1 MiB that
 * records use before the record that spells them: threads that execute their first statements at
 * the same time write them in any order, and the reader of Ignite 2.17 takes such a record for the
 * end of the file.
 */
final class SharedStrings extends HashMap<Integer, String> {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 1 << 20;

  /** The bytes before a string: a mark that it is spelt, and its length. */
  private static final int HEAD = 1 + Integer.BYTES;

  /** Bytes that are searched at a time, and those that are searched again with the next ones. */
  private static final int WINDOW = 16 << 20;

  private static final int OVERLAP = LONGEST + HEAD;

  private final transient Path file;
  private boolean searched;

  private SharedStrings(Path file) {
    this.file = file;
  }

  /** Lets a reader of the file know them; of another version it is left as it is. */
  static void know(FilePerformanceStatisticsReader reader, Path file) {
    try {
      PerformanceStatistics.field("knownStrs").set(reader, new SharedStrings(file));
    } catch (ReflectiveOperationException otherVersion) {
      return;
    }
  }

  @Override
  public @Nullable String get(Object hash) {
    String known = super.get(hash);
    if (known == null && !searched) {
      searched = true;
      search();
      known = super.get(hash);
    }
    return known;
  }

  /** Finds what may be a spelt string at any place. */
  private void search() {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      ByteBuffer bytes =
          ByteBuffer.allocate((int) Math.min(size, WINDOW)).order(ByteOrder.nativeOrder());
      for (long from = 0; from < size; from += WINDOW - OVERLAP) {
        bytes.clear();
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
          read = channel.read(bytes, from + bytes.position());
        }
        search(bytes.flip());
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void search(ByteBuffer bytes) {
    for (int at = 0; at < bytes.limit() - HEAD; at++) {
      int length = bytes.get(at) == 0 ? bytes.getInt(at + 1) : 0;
      if (length > 0 && length <= Math.min(LONGEST, bytes.limit() - HEAD - at)) {
        add(bytes, at + HEAD, length);
      }
    }
  }

  private void add(ByteBuffer bytes, int from, int length) {
    for (int at = from; at < from + length; at++) {
      byte character = bytes.get(at);
      if (character >= 0 && character < ' ' && !Character.isWhitespace(character)) {
        return;
      }
    }
    byte[] text = new byte[length];
    bytes.get(from, text);
    String spelt = new String(text, StandardCharsets.UTF_8);
    putIfAbsent(spelt.hashCode(), spelt);
  }
}
