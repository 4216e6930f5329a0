package io.pyrometer.results.study;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Page;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Studies of files, whose rows have no blocks of their own name. */
final class Studies {
  private Studies() {}

  /** By one number. */
  static Page against(Path file, String response, ResponseScale scale, String column) {
    return of(file, response, true, Rows.MEAN, scale, "", "", List.of(), List.of(column));
  }

  /**
   * By factors, or by one number.
   *
   * @param trial may be empty, as the replicate
   */
  static Page of(
      Path file,
      String response,
      boolean numeric,
      Rows rows,
      ResponseScale scale,
      String trial,
      String replicate,
      List<String> start,
      List<String> columns) {
    return StudyPage.of(
        new StudyRequest(
            file,
            response,
            "",
            columns,
            numeric,
            named(trial),
            named(replicate),
            Optional.empty(),
            start,
            rows,
            scale,
            "./pyrometer analyse"));
  }

  private static Optional<String> named(String column) {
    return Optional.of(column).filter(name -> !name.isEmpty());
  }
}
