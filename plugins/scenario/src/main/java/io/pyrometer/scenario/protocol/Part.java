package io.pyrometer.scenario.protocol;

import java.util.List;

/** What a request's time goes into. The parts of a request add up to the whole. */
public enum Part {
  /** The delay that the mock adds by intention. */
  MOCK("mock"),
  /** From the moment a message is given to the transport to the moment it is read. */
  TRANSPORT("transport"),
  /** Waiting for a lock in the grid. */
  LOCK_WAIT("lock wait"),
  /** Reading from the grid. */
  CACHE_READ("cache read"),
  /** Writing to the grid, commits included. */
  CACHE_WRITE("cache write"),
  /** Waiting for a thread: late sends, and messages and writes that no thread has taken up. */
  QUEUEING("queueing"),
  /** The service's own code, and whatever no span covers. */
  HANDLING("own code");

  private static final List<Part> ALL = List.of(values());

  private final String words;

  Part(String words) {
    this.words = words;
  }

  /** The name in tables. */
  public String words() {
    return words;
  }

  /** The name in metrics: the words with hyphens. */
  public String metric() {
    return words.replace(' ', '-');
  }

  /** The number that stands for it in logs and messages; the order is part of their form. */
  @SuppressWarnings("EnumOrdinal")
  public int code() {
    return ordinal();
  }

  /**
   * What a number stands for.
   *
   * @throws IndexOutOfBoundsException if it stands for nothing
   */
  public static Part of(int code) {
    return ALL.get(code);
  }
}
