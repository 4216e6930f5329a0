package io.pyrometer.lab.study;

import io.pyrometer.report.Page;

/** Makes a page from a file of figures. */
public final class Study {
  private Study() {}

  /**
   * Reads the file, analyses it and lays out what was found.
   *
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if the file or what is in it
   *     cannot be analysed
   */
  public static Page of(StudyRequest request) {
    FigureTable read = FigureTable.read(request.file());
    FigureTable table = request.trial().map(read::inOrderOf).orElse(read);
    if (request.aim() instanceof StudyRequest.Aim.Against against) {
      return ScalabilityStudy.page(table, request, against.column());
    }
    StudyRequest.Aim.Factors factors = (StudyRequest.Aim.Factors) request.aim();
    return FactorStudy.page(table, request, factors.columns());
  }
}
