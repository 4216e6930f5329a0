package io.pyrometer.driver.ignite.doctor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The threads of a JVM at one instant, as HotSpot prints them.
 *
 * @param deadlocked names of threads that wait for each other; empty if none do
 * @param seconds age of the oldest thread; 0 where the dump does not tell
 */
record ThreadDump(List<JavaThread> threads, Set<String> deadlocked, double seconds) {
  private static final Pattern HEAD = Pattern.compile("(?m)^\"(.*)\" #\\d+ .*");
  private static final Pattern CPU = Pattern.compile(" cpu=([\\d.]+)ms");
  private static final Pattern AGE = Pattern.compile(" elapsed=([\\d.]+)s");
  private static final Pattern STATE = Pattern.compile("java\\.lang\\.Thread\\.State: (\\w+)");
  private static final Pattern FRAME = Pattern.compile("(?m)^\\s+at (.+)");
  private static final Pattern MONITOR =
      Pattern.compile("- waiting to lock <(0x\\w+)> \\(a (.+)\\)");
  private static final Pattern DEADLOCKED = Pattern.compile("(?m)^\"(.*)\":");

  /** Class names of the JDK, of Ignite, and of what Ignite calls. */
  private static final Pattern NOT_OF_THE_USER =
      Pattern.compile(
          "(java|javax|jdk|sun|com\\.sun|org\\.apache\\.(ignite|calcite|lucene)|org\\.h2)\\..*");

  /** Native methods in which a thread waits although its state is RUNNABLE. */
  private static final Pattern NATIVE_WAIT =
      Pattern.compile("(sun\\.nio\\.(ch|fs)|java\\.(net|io))\\..*\\(.*Native Method\\)");

  /** A share of a pool's threads that is no chance. */
  static final double MANY = 0.25;

  /**
   * One thread.
   *
   * @param frames the innermost first, with file and line
   * @param monitor the object whose monitor it waits for, with its class; empty if none
   * @param cpuMillis CPU time since it started; 0 where the dump does not tell
   */
  record JavaThread(
      String name, String state, List<String> frames, String monitor, double cpuMillis) {
    private boolean waits() {
      return !frames.isEmpty()
          && (!state.equals("RUNNABLE") || NATIVE_WAIT.matcher(frames.get(0)).matches());
    }

    /** The code of the user's in which it waits, or in which it runs. */
    private Optional<Place> standsIn(boolean waiting) {
      List<String> outer = frames.stream().dropWhile(JavaThread::isForeign).toList();
      if (waits() != waiting || outer.isEmpty()) {
        return Optional.empty();
      }
      List<String> called =
          outer.stream().takeWhile(frame -> !frame.startsWith("org.apache.ignite.")).toList();
      List<String> own = called.stream().filter(frame -> !isForeign(frame)).toList();
      return Optional.of(
          new Place(
              own.get(own.size() - 1), own.get(0), outer.subList(called.size(), outer.size())));
    }

    /** Returns whether a frame is of the JDK, of Ignite, or of what Ignite calls. */
    private static boolean isForeign(String frame) {
      return NOT_OF_THE_USER.matcher(frame).matches();
    }

    /** Its innermost frame outside of the JDK. */
    String place() {
      return frames.stream()
          .filter(frame -> !frame.matches("(java|jdk|sun)\\..*"))
          .findFirst()
          .orElse(name);
    }
  }

  /**
   * One thread's place in code of the user's, where it waits or runs.
   *
   * @param frame the method of the user's that Ignite called
   * @param place the innermost method of the user's
   * @param callers those of Ignite that called it, the innermost first
   */
  record Place(String frame, String place, List<String> callers) {}

  /**
   * Threads of a pool that wait, or run, in code of the user's.
   *
   * @param pool the beginning of the names of its threads
   * @param most the place of most of them
   * @param share of all threads of the pool, in the mean of all dumps
   * @param seen in how many dumps
   */
  record Standing(String pool, Place most, double share, int seen, int dumps) {}

  static ThreadDump parse(String text) {
    // The threads, the names of those in a deadlock, and their stacks.
    String[] parts = text.split("Java-level deadlock|Java stack information", 3);
    List<JavaThread> threads = new ArrayList<>();
    double seconds = 0;
    List<MatchResult> heads = HEAD.matcher(parts[0]).results().toList();
    for (int i = 0; i < heads.size(); i++) {
      int end = i + 1 < heads.size() ? heads.get(i + 1).start() : parts[0].length();
      String lines = parts[0].substring(heads.get(i).start(), end);
      String head = heads.get(i).group();
      Matcher monitor = MONITOR.matcher(lines);
      threads.add(
          new JavaThread(
              heads.get(i).group(1),
              found(STATE, lines).findFirst().orElse(""),
              found(FRAME, lines).toList(),
              monitor.find() ? monitor.group(2) + "@" + monitor.group(1) : "",
              number(CPU, head)));
      seconds = Math.max(seconds, number(AGE, head));
    }
    Set<String> deadlocked =
        parts.length < 2 ? Set.of() : found(DEADLOCKED, parts[1]).collect(Collectors.toSet());
    return new ThreadDump(threads, deadlocked, seconds);
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(each -> each.group(1));
  }

  private static double number(Pattern pattern, String head) {
    return found(pattern, head).mapToDouble(Double::parseDouble).findFirst().orElse(0);
  }

  /** The time from the first dump to the last in seconds; 0 with fewer than two dumps. */
  static double span(List<ThreadDump> dumps) {
    return dumps.isEmpty() ? 0 : dumps.get(dumps.size() - 1).seconds - dumps.get(0).seconds;
  }

  /**
   * CPU time of the threads of a pool between the first dump and the last, in milliseconds; empty
   * with fewer than two dumps.
   *
   * @param pool the beginning of the names of its threads
   */
  static Map<String, Double> cpuMillis(List<ThreadDump> dumps, String pool) {
    Map<String, Double> used = new TreeMap<>();
    if (dumps.size() > 1) {
      dumps.get(dumps.size() - 1).ofPool(pool).forEach(used::put);
      dumps.get(0).ofPool(pool).forEach((name, before) -> used.merge(name, -before, Double::sum));
    }
    return used;
  }

  private Map<String, Double> ofPool(String pool) {
    return threads.stream()
        .filter(thread -> thread.name.startsWith(pool))
        .collect(Collectors.toMap(JavaThread::name, JavaThread::cpuMillis, (one, same) -> one));
  }

  /**
   * Where threads of a pool wait, or run, in code of the user's, or one stands at the same place in
   * all dumps.
   *
   * @param waiting whether they wait or run
   * @param pool the beginning of the names of its threads
   * @param size its threads if all have started; 0 if they have
   * @param least the share of them, in the mean of the dumps
   * @return empty with fewer than two dumps
   */
  static Optional<Standing> standing(
      List<ThreadDump> dumps, String pool, boolean waiting, double size, double least) {
    Map<Place, Integer> places = new HashMap<>();
    Map<String, Integer> threads = new HashMap<>();
    int standing = 0;
    int all = 0;
    int seen = 0;
    for (ThreadDump dump : dumps) {
      int before = standing;
      for (JavaThread thread : dump.threads) {
        if (thread.name.startsWith(pool)) {
          all++;
          Optional<Place> place = thread.standsIn(waiting);
          if (place.isPresent()) {
            standing++;
            places.merge(place.get(), 1, Integer::sum);
            threads.merge(thread.name + place.get().place, 1, Integer::sum);
          }
        }
      }
      seen += standing > before ? 1 : 0;
    }
    double share = standing / Math.max(1, Math.max(all, size * dumps.size()));
    boolean oneStands = size == 0 && threads.containsValue(dumps.size());
    if (seen < 2 || (share < least && !oneStands)) {
      return Optional.empty();
    }
    Place most = Collections.max(places.entrySet(), Map.Entry.comparingByValue()).getKey();
    return Optional.of(new Standing(pool, most, share, seen, dumps.size()));
  }

  /** The names of the threads that execute a method, given by a part of its name. */
  Set<String> in(String method) {
    return threads.stream()
        .filter(thread -> thread.frames.stream().anyMatch(frame -> frame.contains(method)))
        .map(JavaThread::name)
        .collect(Collectors.toSet());
  }

  /** The threads that wait for one monitor, for that of most. */
  List<JavaThread> longestQueue() {
    return threads.stream()
        .filter(thread -> !thread.monitor.isEmpty())
        .collect(Collectors.groupingBy(JavaThread::monitor))
        .values()
        .stream()
        .max(Comparator.comparingInt(List::size))
        .orElse(List.of());
  }
}
