package io.pyrometer.experiment.model;

/** A mistake of the user's, because of which an experiment cannot be run as it is written. */
public final class ExperimentException extends RuntimeException {

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
}
