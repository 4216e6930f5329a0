package io.pyrometer.scenario.protocol;

import java.util.List;

/** How a request ended. Every request ends in exactly one of them. */
public enum Outcome {
  COMPLETED("completed"),
  /** No reply in time, although no message was lost and no race: the service said so. */
  TIMED_OUT("timed out"),
  /** Timed out, because an answer came before the state that it belongs to was visible. */
  LOST_RACE("lost race"),
  /** The service said that it failed, or nobody said anything. */
  FAILED("failed");

  private static final List<Outcome> ALL = List.of(values());

  private final String words;

  Outcome(String words) {
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
  public static Outcome of(int code) {
    return ALL.get(code);
  }
}
