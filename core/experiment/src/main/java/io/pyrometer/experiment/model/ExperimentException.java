package io.pyrometer.experiment.model;

import java.util.ResourceBundle;

/** A mistake of the user's, because of which an experiment cannot be run as it is written. */
public final class ExperimentException extends RuntimeException {

  private static final ResourceBundle SENTENCES =
      ResourceBundle.getBundle("io.pyrometer.experiment.mistakes");

  private final String sentence;

  /**
   * @param source the file, or the option of the command line
   * @param sentence the mistake; what to do
   */
  public ExperimentException(String source, String sentence) {
    super(source + ": " + sentence);
    this.sentence = sentence;
  }

  /** The mistake and what to do, without its place, which begins the message. */
  public String sentence() {
    return sentence;
  }

  /**
   * The sentence of a mistake by its id.
   *
   * @param values those of the format; a sentence without values is no format
   */
  @SuppressWarnings("AnnotateFormatMethod")
  public static String words(String id, Object... values) {
    String format = SENTENCES.getString(id);
    return values.length == 0 ? format : format.formatted(values);
  }
}
