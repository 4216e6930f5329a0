package io.pyrometer.results.study;

import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Section;
import java.util.List;

/**
 * The result of a study.
 *
 * @param about how it was made, in a few words
 * @param findings the most important first
 * @param sections that show it
 */
public record StudyResult(String about, List<Finding> findings, List<Section> sections) {
  /** Findings and the sections that show them. */
  public static StudyResult of(List<Finding> findings, Section... sections) {
    return new StudyResult("", findings, List.of(sections));
  }

  /**
   * This result with sections that can stand beside those of other studies.
   *
   * @param title before the titles of the sections; empty where those say enough
   */
  public StudyResult under(String id, String title) {
    List<Section> named =
        sections.stream()
            .map(
                s ->
                    new Section(
                        id + "-" + s.id(),
                        title.isEmpty() || s.title().equals(title)
                            ? s.title()
                            : title + ": " + Finding.afterColon(s.title()),
                        s.lead(),
                        s.figures()))
            .toList();
    return new StudyResult(about, findings, named);
  }

  /**
   * The response to be explained, with its observations.
   *
   * @param response its name in the observations and in sentences
   * @param unit of the response; may be empty
   */
  public record StudyData(
      List<Observation> observations, String response, String unit, ResponseScale scale) {
    /** The response as an axis names it: {@code throughput in records/s}. */
    String responseWithUnit() {
      return unit.isEmpty() ? response : response + " in " + unit;
    }
  }
}
