package io.pyrometer.experiment.model;

import java.util.ResourceBundle;

/** The sentences for users of what is wrong in an experiment, by id. */
public final class Mistakes {
  private static final ResourceBundle SENTENCES =
      ResourceBundle.getBundle("io.pyrometer.experiment.mistakes");

  private Mistakes() {}

  /**
   * A sentence with its values.
   *
   * @param values those of the format; a sentence without values is no format
   */
  @SuppressWarnings("AnnotateFormatMethod")
  public static String words(String id, Object... values) {
    String sentence = SENTENCES.getString(id);
    return values.length == 0 ? sentence : sentence.formatted(values);
  }
}
