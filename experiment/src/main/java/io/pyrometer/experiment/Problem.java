package io.pyrometer.experiment;

/**
 * One mistake of the user's.
 *
 * @param source the file, or the option of the command line
 * @param line from 1; 0 where the source has no lines
 * @param column from 1; 0 where the source has no lines
 * @param sentence what is wrong; what to do
 */
public record Problem(String source, int line, int column, String sentence) {

  /** {@code source:line:column: sentence}, as editors and terminals jump to it. */
  @Override
  public String toString() {
    return line == 0
        ? source + ": " + sentence
        : source + ":" + line + ":" + column + ": " + sentence;
  }
}
