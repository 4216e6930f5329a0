package io.pyrometer.report;

import io.pyrometer.analysis.Finding;
import java.util.List;

/**
 * A whole report: the answer first, then what it rests on.
 *
 * @param title a few words, for example the experiment's name
 * @param question what was asked, in a sentence
 * @param about one line on where the figures come from: when, which version, how many trials; may
 *     be empty
 * @param answer the findings that answer the question, the most important first
 * @param sections in reading order
 * @param again the commands that make these figures, or this report, once more
 */
public record Page(
    String title,
    String question,
    String about,
    List<Finding> answer,
    List<Section> sections,
    List<Command> again) {

  /** Copies the lists. */
  public Page {
    answer = List.copyOf(answer);
    sections = List.copyOf(sections);
    again = List.copyOf(again);
  }

  /**
   * A command to copy.
   *
   * @param purpose what it does, in a few words
   * @param line as typed in a shell
   */
  public record Command(String purpose, String line) {}
}
