package io.pyrometer.scenario.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The timers that were published of a scenario. */
final class PublishedTimers {
  /** Where the figures of the asynchronous service stand. */
  static final String SOURCE = "the tutorial of learn-tibco-cep";

  /** The mean time of the published service without the 50 ms of its mock, in milliseconds. */
  static final double ELAPSED_WITHOUT_MOCK = 19.4;

  /** The share of time-outs that was published, in percent: 0.735/s of 467.6/s. */
  static final double TIMED_OUT_PERCENT = 0.16;

  /**
   * One timer, in milliseconds.
   *
   * @param count since the timer was last reset, which is fewer than the rate's
   */
  record Published(double count, double rate, double average, double minimum, double maximum) {}

  private PublishedTimers() {}

  /** By the timer's name in the published order; empty for a scenario without published timers. */
  static Map<String, Published> of(String scenario) {
    Map<String, Published> timers = new LinkedHashMap<>();
    try (InputStream resource =
        PublishedTimers.class.getResourceAsStream(scenario + "-published.csv")) {
      if (resource == null) {
        return timers;
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8));
      for (String line : lines.lines().skip(1).toList()) {
        String[] cells = line.split(",", -1);
        timers.put(
            cells[0],
            new Published(
                Double.parseDouble(cells[1]),
                Double.parseDouble(cells[2]),
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Double.parseDouble(cells[5])));
      }
      return timers;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
