package io.pyrometer.report;

import java.util.List;
import java.util.Optional;

/**
 * A whole report: the answer first, then what it rests on.
 *
 * @param title a few words, for example the experiment's name
 * @param question the question of the experiment in a sentence
 * @param about one line on the origin of the figures: when, which version, how many trials; may be
 *     empty
 * @param recommendation the choice for each job; empty for pages that only show figures
 * @param answer the findings, the most important first: notes to the recommendation, or the answer
 *     itself where there is none
 * @param sections in reading order
 * @param again the commands that make these figures, or this report, once more
 */
public record Page(
    String title,
    String question,
    String about,
    Optional<Recommendation> recommendation,
    List<Finding> answer,
    List<Section> sections,
    List<Command> again) {

  /** Copies the lists. */
  public Page {
    answer = List.copyOf(answer);
    sections = List.copyOf(sections);
    again = List.copyOf(again);
  }

  /** A page without a recommendation. */
  public Page(
      String title,
      String question,
      String about,
      List<Finding> answer,
      List<Section> sections,
      List<Command> again) {
    this(title, question, about, Optional.empty(), answer, sections, again);
  }

  /** A copy with a recommendation. */
  public Page with(Recommendation choice) {
    return new Page(title, question, about, Optional.of(choice), answer, sections, again);
  }

  /**
   * An answer in figures.
   *
   * @param rows one for each job
   * @param confidence {@code high}, {@code medium} or {@code low}
   * @param reason cause of a confidence that is not high, in a few words; may be empty
   * @param validFor scope of the answer, such as "CPU cost on this machine"; may be empty
   * @param next the command that would raise the confidence, with its duration as its purpose
   */
  public record Recommendation(
      List<AnswerRow> rows,
      String confidence,
      String reason,
      String validFor,
      Optional<Command> next) {}

  /**
   * The answer for one job, as it is shown.
   *
   * @param job such as "write"; empty where there is only one
   * @param choice the recommended treatment
   * @param figure with its unit
   * @param ratio to the baseline, which it names; may be empty
   * @param notes probed guarantees, treatments that are equally good
   */
  public record AnswerRow(
      String job, String choice, String figure, String ratio, List<String> notes) {}

  /**
   * A command to copy.
   *
   * @param purpose the result of the command, in a few words
   * @param line as typed in a shell
   */
  public record Command(String purpose, String line) {}
}
