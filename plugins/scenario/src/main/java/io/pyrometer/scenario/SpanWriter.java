package io.pyrometer.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Daemon;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@link SpanLog} of a process. The file is mapped into memory: what was written is
 * there even if the process is killed, and writing a span is a few stores without a system call, a
 * lock or garbage. The first store into a page of a mapped file costs the kernel some microseconds,
 * so a thread of the log's own makes it for the next {@value #CHUNK_RECORDS} spans in advance. Safe
 * for threads.
 */
final class SpanWriter implements AutoCloseable {
  private static final int CHUNK_RECORDS = 1 << 16;
  private static final int CHUNK_BYTES = CHUNK_RECORDS * SpanLog.RECORD_BYTES;

  /** 256 chunks of 2 MiB hold 16 million spans; what comes after them is counted as lost. */
  private static final int MOST_CHUNKS = 256;

  private static final int PAGE_BYTES = 4_096;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer header;
  private final AtomicReferenceArray<@Nullable ByteBuffer> chunks =
      new AtomicReferenceArray<>(MOST_CHUNKS);
  private final AtomicLong next = new AtomicLong();
  private final ExecutorService preparing =
      Executors.newSingleThreadExecutor(Daemon.factory("span-log"));
  private int steps;

  private SpanWriter(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.header = channel.map(FileChannel.MapMode.READ_WRITE, 0, SpanLog.HEADER_BYTES);
    header.putLong(0, SpanLog.MAGIC);
    prepare(0);
  }

  /**
   * Begins a new log.
   *
   * @throws GridException if the file cannot be written
   */
  static SpanWriter create(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      return new SpanWriter(file, channel);
    } catch (IOException e) {
      throw GridException.of(
          "The log of spans cannot be written to %s: %s.", file, e.getMessage(), e);
    }
  }

  Path file() {
    return file;
  }

  /** Bytes from the begin of the file to the end of the last record. */
  long bytes() {
    long records = Math.min(next.get(), (long) MOST_CHUNKS * CHUNK_RECORDS);
    return SpanLog.HEADER_BYTES + records * SpanLog.RECORD_BYTES;
  }

  /** Spans that did not fit. */
  long lost() {
    return Math.max(0, next.get() - (long) MOST_CHUNKS * CHUNK_RECORDS);
  }

  /**
   * Names a step.
   *
   * @return its index
   */
  synchronized int step(String name, Part part) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    if (text.length > SpanLog.STEP_BYTES - 2 || steps == SpanLog.MOST_STEPS) {
      throw new IllegalArgumentException(
          "The step '%s' cannot be recorded: a scenario has at most %d steps with names of at most %d bytes."
              .formatted(name, SpanLog.MOST_STEPS, SpanLog.STEP_BYTES - 2));
    }
    int at = SpanLog.STEPS_AT + steps * SpanLog.STEP_BYTES;
    header.put(at, (byte) part.code());
    header.put(at + 1, (byte) text.length);
    header.put(at + 2, text);
    header.putInt(SpanLog.STEP_COUNT_AT, ++steps);
    return steps - 1;
  }

  void write(
      SpanKind kind, long request, boolean measured, int peer, int number, long from, long to) {
    write(request, from, to, SpanLog.word(kind, measured, peer, number));
  }

  void writeStep(int step, long request, boolean measured, int number, long from, long to) {
    write(request, from, to, SpanLog.stepWord(step, measured, number));
  }

  private void write(long request, long from, long to, long word) {
    long record = next.getAndIncrement();
    int index = (int) (record / CHUNK_RECORDS);
    if (index >= MOST_CHUNKS) {
      return;
    }
    ByteBuffer there = chunks.get(index);
    ByteBuffer chunk = there == null ? chunk(index) : there;
    int at = (int) (record % CHUNK_RECORDS) * SpanLog.RECORD_BYTES;
    if (at == 0 && index + 1 < MOST_CHUNKS) {
      prepareLater(index + 1);
    }
    chunk.putLong(at, request);
    chunk.putLong(at + 8, from);
    chunk.putLong(at + 16, to);
    WORD.setRelease(chunk, at + 24, word);
  }

  private void prepareLater(int index) {
    try {
      preparing.execute(() -> prepare(index));
    } catch (RejectedExecutionException closed) {
      // Spans that are written while the log is closed need no further ones.
    }
  }

  /** Makes the kernel provide every page of a chunk, which others may be writing to already. */
  private void prepare(int index) {
    ByteBuffer chunk = chunk(index);
    for (int at = 0; at < CHUNK_BYTES; at += PAGE_BYTES) {
      boolean unused = WORD.compareAndSet(chunk, at + 24, 0L, 0L);
    }
  }

  private synchronized ByteBuffer chunk(int index) {
    ByteBuffer there = chunks.get(index);
    if (there != null) {
      return there;
    }
    try {
      ByteBuffer chunk =
          channel.map(
              FileChannel.MapMode.READ_WRITE,
              SpanLog.HEADER_BYTES + (long) index * CHUNK_BYTES,
              CHUNK_BYTES);
      chunks.set(index, chunk);
      return chunk;
    } catch (IOException e) {
      throw GridException.of(
          "The log of spans cannot be written to %s: %s.", file, e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    preparing.shutdown();
    try {
      channel.close();
    } catch (IOException e) {
      throw new GridException("The log of spans " + file + " cannot be closed.", e);
    }
  }
}
