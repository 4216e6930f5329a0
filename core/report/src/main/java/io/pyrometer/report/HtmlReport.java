package io.pyrometer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page as one HTML file: style, script, chart library and figures are in it, and its policy
 * forbids every request. It follows the reader's light or dark scheme, fits a phone, and prints.
 */
public final class HtmlReport {
  private HtmlReport() {}

  /**
   * Writes the page in place of what was there.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void write(Page page, Path file) {
    try (Writer out = Files.newBufferedWriter(file)) {
      new HtmlPage(page, out).write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
