package io.pyrometer.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The log of one process of a scenario: a header and one record for each span.
 *
 * <p>The header has {@value #HEADER_BYTES} bytes: the magic number, the number of named steps, and
 * for each step its part and its name. A record has {@value #RECORD_BYTES} bytes, big-endian: the
 * request, from and to in nanoseconds, and a word of kind (8 bits, never 0), flags (8), peer (16)
 * and number (32). The word is written last, so that a record is whole where it is not 0: a process
 * may be killed at any time, and what it wrote until then can be read.
 *
 * @param steps by the index that spans name
 * @param spans in the order of the file
 */
public record SpanLog(List<Step> steps, List<Span> spans) {
  /** The first eight bytes, {@code PYSPANS2}. */
  public static final long MAGIC = 0x50595350414e5332L;

  public static final int HEADER_BYTES = 8_192;
  public static final int RECORD_BYTES = 32;

  /** Where the number of steps stands. */
  public static final int STEP_COUNT_AT = 8;

  /** Where the first step stands. */
  public static final int STEPS_AT = 16;

  /** Bytes of a step: its part, the length of its name, the name in UTF-8. */
  public static final int STEP_BYTES = 64;

  public static final int MOST_STEPS = (HEADER_BYTES - STEPS_AT) / STEP_BYTES;

  /** The flag of requests whose intended start was in the measured part. */
  public static final int MEASURED = 1;

  private static final SpanKind[] KINDS = SpanKind.values();

  /** A step that the scenario named, and what its time counts as. */
  public record Step(String name, Part part) {}

  /**
   * One span.
   *
   * @param request its id
   * @param from nanoseconds of the process's steady clock
   * @param to nanoseconds of the process's steady clock
   * @param kind what it says, and with it what peer and number mean
   * @param step index of the step of a {@link SpanKind#STEP}; else 0
   * @param measured whether the request counts
   */
  public record Span(
      long request,
      long from,
      long to,
      SpanKind kind,
      int step,
      boolean measured,
      int peer,
      int number) {

    /** The outcome that a span's number stands for. */
    public Outcome outcome() {
      return Coded.of(Outcome.class, number);
    }
  }

  /** The word of a record of a kind other than {@link SpanKind#STEP}. */
  public static long word(SpanKind kind, boolean measured, int peer, int number) {
    return word(kind.code() + 1, measured, peer, number);
  }

  /** The word of a record of a step, whose spans have no peer. */
  public static long stepWord(int step, boolean measured, int number) {
    return word(SpanKind.STEP.code() + 1 + step, measured, 0, number);
  }

  private static long word(int kind, boolean measured, int peer, int number) {
    return ((long) kind << 56)
        | ((measured ? (long) MEASURED : 0L) << 48)
        | ((peer & 0xffffL) << 32)
        | (number & 0xffffffffL);
  }

  /**
   * Reads a log, which may be compressed by gzip. A record that is not whole ends it.
   *
   * @throws IOException if the file cannot be read or is no log
   */
  public static SpanLog read(Path file) throws IOException {
    boolean zipped = String.valueOf(file.getFileName()).endsWith(".gz");
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = zipped ? new GZIPInputStream(raw, 1 << 16) : raw) {
      return of(in.readAllBytes());
    }
  }

  private static SpanLog of(byte[] bytes) throws IOException {
    ByteBuffer log = ByteBuffer.wrap(bytes);
    if (bytes.length < HEADER_BYTES || log.getLong(0) != MAGIC) {
      throw new IOException("it is no log of spans");
    }
    List<Step> steps = new ArrayList<>();
    int count = Math.min(log.getInt(STEP_COUNT_AT), MOST_STEPS);
    for (int i = 0; i < count; i++) {
      int at = STEPS_AT + i * STEP_BYTES;
      int length = log.get(at + 1);
      steps.add(
          new Step(
              new String(bytes, at + 2, length, StandardCharsets.UTF_8),
              Coded.of(Part.class, log.get(at))));
    }
    List<Span> spans = new ArrayList<>((bytes.length - HEADER_BYTES) / RECORD_BYTES);
    for (int at = HEADER_BYTES; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
      long word = log.getLong(at + 24);
      if (word != 0) {
        spans.add(span(log, at, word));
      }
    }
    return new SpanLog(steps, spans);
  }

  private static Span span(ByteBuffer log, int at, long word) {
    int kind = (int) (word >>> 56) - 1;
    int step = Math.max(0, kind - SpanKind.STEP.code());
    return new Span(
        log.getLong(at),
        log.getLong(at + 8),
        log.getLong(at + 16),
        KINDS[Math.min(kind, SpanKind.STEP.code())],
        step,
        ((word >>> 48) & MEASURED) != 0,
        (int) (word >>> 32) & 0xffff,
        (int) word);
  }
}
