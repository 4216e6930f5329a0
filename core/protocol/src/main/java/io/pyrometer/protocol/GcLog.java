package io.pyrometer.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The contents of a JVM's unified log of {@code gc*,safepoint}, with the decoration tags and one of
 * uptime, time and timemillis, and any others. It reads what G1, Serial, Parallel, ZGC (of one and
 * of two generations) and Shenandoah write; JDK 17 and 25 were tried.
 *
 * @param pauses of collections, each a time in which no thread of the program ran
 * @param stops every safepoint, of collections and of anything else
 * @param occupancies of the heap before and after a collection, in the order of the log
 */
public record GcLog(List<Pause> pauses, List<Pause> stops, List<Occupancy> occupancies) {
  /** Decorations, then the tags and the message, which the patterns below are of. */
  private static final Pattern LINE =
      Pattern.compile("((?:\\[[^\\[\\]]*])*)\\[([a-z,]+[a-z0-9,]* *] .*)");

  private static final Pattern UPTIME = Pattern.compile("\\[(\\d+[.,]\\d+)s]");
  private static final Pattern MILLIS = Pattern.compile("\\[(\\d{12,})ms]");
  private static final Pattern TIME =
      Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+[+-]\\d{4})]");
  private static final DateTimeFormatter WITH_ZONE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);
  private static final Pattern PAUSE =
      Pattern.compile(
          "gc(?:,phases)? *] GC\\(\\d+\\) (?:[YyOo]: )?(Pause .*?)(?: \\d+\\S*)? (\\d+[.,]\\d+)ms");
  private static final Pattern SAFEPOINT =
      Pattern.compile("safepoint *] Safepoint \"(\\w+)\",.* Total: +(\\d+) ns");
  private static final Pattern OCCUPANCY =
      Pattern.compile(
          "gc *] GC\\(\\d+\\) .*?(\\d+)([BKMGT])(?:\\(\\d+%\\))?->(\\d+)([BKMGT])\\(.*");
  private static final Pattern ALLOCATED_WITHIN =
      Pattern.compile(
          "gc,heap *] GC\\(\\d+\\) (?:[YyOo]: )? *Allocated:.* (\\d+)([KMGT]) \\(\\d+%\\) *(?:- *)*");

  /**
   * @param endSeconds when it ended, since the start of the JVM; since 1970 without uptime
   * @param ended the same by the clock of its host; empty where the log does not tell
   */
  public record Pause(double endSeconds, Optional<Instant> ended, String what, double millis) {}

  /**
   * @param seconds when the collection ended, since the start of the JVM
   * @param within allocated while it ran beside the program
   */
  public record Occupancy(double seconds, double beforeBytes, double afterBytes, double within) {}

  /**
   * Reads a log.
   *
   * @throws IOException if it cannot be read
   */
  public static GcLog read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
      return parse(lines);
    }
  }

  public static GcLog parse(Stream<String> lines) {
    GcLog log = new GcLog(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    double[] within = {0};
    lines.map(LINE::matcher).filter(Matcher::matches).forEach(line -> log.add(line, within));
    return log;
  }

  /**
   * @param within the bytes allocated so far within the collection that is being reported
   */
  private void add(Matcher line, double[] within) {
    Optional<Instant> at = instant(line.group(1));
    Matcher uptime = UPTIME.matcher(line.group(1));
    double seconds;
    if (uptime.find()) {
      seconds = number(uptime.group(1));
    } else if (at.isPresent()) {
      seconds = at.get().toEpochMilli() / 1e3;
    } else {
      return;
    }
    String message = line.group(2);
    Matcher stop = SAFEPOINT.matcher(message);
    if (stop.lookingAt()) {
      stops.add(new Pause(seconds, at, stop.group(1), Long.parseLong(stop.group(2)) / 1e6));
    }
    Matcher pause = PAUSE.matcher(message);
    if (pause.matches()) {
      pauses.add(new Pause(seconds, at, pause.group(1), number(pause.group(2))));
    }
    Matcher occupancy = OCCUPANCY.matcher(message);
    if (occupancy.matches()) {
      double before = bytes(occupancy.group(1), occupancy.group(2));
      double after = bytes(occupancy.group(3), occupancy.group(4));
      occupancies.add(new Occupancy(seconds, before, after, within[0]));
      within[0] = 0;
    }
    Matcher allocated = ALLOCATED_WITHIN.matcher(message);
    if (allocated.matches()) {
      within[0] += bytes(allocated.group(1), allocated.group(2));
    }
  }

  /** The pauses that ended within the last seconds of the log. */
  public List<Pause> lastPauses(double within) {
    double from = endSeconds() - within;
    return pauses.stream().filter(pause -> pause.endSeconds() >= from).toList();
  }

  /** When it ends, since the start of the JVM; 0 without a pause. */
  public double endSeconds() {
    return pauses.isEmpty() ? 0 : pauses.get(pauses.size() - 1).endSeconds();
  }

  /**
   * Bytes a second that the program allocated, from the growth of the heap between collections:
   * what was there before each less what the one before it had left. Empty with fewer than two
   * collections.
   */
  public Optional<Double> allocationRate() {
    if (occupancies.size() < 2) {
      return Optional.empty();
    }
    double allocated = 0;
    for (int i = 1; i < occupancies.size(); i++) {
      Occupancy now = occupancies.get(i);
      double grown = now.beforeBytes - occupancies.get(i - 1).afterBytes;
      allocated += Math.max(0, grown) + now.within;
    }
    double seconds = occupancies.get(occupancies.size() - 1).seconds - occupancies.get(0).seconds;
    return seconds > 0 ? Optional.of(allocated / seconds) : Optional.empty();
  }

  /**
   * The least that a collection left in the heap: not less than what is live, and more where a
   * collection of the young generation leaves old garbage. Empty without a collection.
   */
  public Optional<Double> liveSet() {
    return occupancies.stream().map(Occupancy::afterBytes).min(Double::compare);
  }

  private static Optional<Instant> instant(String decorations) {
    Matcher millis = MILLIS.matcher(decorations);
    Matcher time = TIME.matcher(decorations);
    if (millis.find()) {
      return Optional.of(Instant.ofEpochMilli(Long.parseLong(millis.group(1))));
    }
    return time.find()
        ? Optional.of(WITH_ZONE.parse(time.group(1), Instant::from))
        : Optional.empty();
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(',', '.'));
  }

  private static double bytes(String number, String unit) {
    return Double.parseDouble(number) * (1L << (10 * "BKMGT".indexOf(unit)));
  }
}
