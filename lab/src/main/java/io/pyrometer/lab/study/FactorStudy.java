package io.pyrometer.lab.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.factorial.FactorialData;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialOptions;
import io.pyrometer.analysis.factorial.LevelEffects;
import io.pyrometer.analysis.factorial.ResponseScale;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What factors do to a response. */
final class FactorStudy {
  private FactorStudy() {}

  static Page page(FigureTable table, StudyRequest request, List<String> factors) {
    Gathered gathered = Gathered.from(table, request, factors);
    ResponseScale scale =
        request.scale() == StudyRequest.Scale.LN ? ResponseScale.LN : ResponseScale.IDENTITY;
    FactorialOptions options =
        FactorialOptions.DEFAULT.on(scale).named(request.response(), request.unit());
    Optional<FactorialData> design = twoLevels(gathered.observations(), request, factors);
    if (design.isPresent()) {
      FactorialEffects found = FactorialEffects.of(design.get(), options);
      return page(
          table, request, factors, found.findings(), gathered.notes(), TwoLevelPage.of(found));
    }
    LevelEffects found = levels(gathered.observations(), request, factors, options);
    return page(table, request, factors, found.findings(), gathered.notes(), LevelPage.of(found));
  }

  /** Empty if the treatments are no regular two-level design. */
  private static Optional<FactorialData> twoLevels(
      List<Observation> observations, StudyRequest request, List<String> factors) {
    boolean two =
        factors.stream()
            .allMatch(f -> observations.stream().map(o -> o.level(f)).distinct().count() == 2);
    if (!two) {
      return Optional.empty();
    }
    if (observations.stream().map(o -> o.value(request.response())).distinct().count() < 2) {
      throw BadDataException.of(
          "%s is the same to the last digit in every row, so nothing can explain it.",
          request.response());
    }
    try {
      return Optional.of(FactorialData.of(observations, factors, request.response()));
    } catch (BadDataException irregular) {
      return Optional.empty();
    }
  }

  /** With all interactions of two factors if the runs can tell them apart, else without. */
  private static LevelEffects levels(
      List<Observation> observations,
      StudyRequest request,
      List<String> factors,
      FactorialOptions options) {
    List<String> pairs = new ArrayList<>();
    for (int a = 0; a < factors.size(); a++) {
      for (int b = a + 1; b < factors.size(); b++) {
        pairs.add(factors.get(a) + "*" + factors.get(b));
      }
    }
    try {
      LevelEffects all = LevelEffects.of(observations, factors, pairs, request.response(), options);
      if (all.errorDegreesOfFreedom() > 0) {
        return all;
      }
    } catch (BadDataException tooFew) {
      // The main effects alone may do; if not, they say why.
    }
    return LevelEffects.of(observations, factors, List.of(), request.response(), options);
  }

  private static Page page(
      FigureTable table,
      StudyRequest request,
      List<String> factors,
      List<Finding> findings,
      List<Finding> notes,
      List<Section> sections) {
    List<Finding> answer = new ArrayList<>(findings);
    answer.addAll(notes);
    String scale =
        request.scale() == StudyRequest.Scale.LN ? "logarithms" : "the figures as they are";
    return new Page(
        table.name(),
        "What do " + words(factors) + " do to " + request.response() + "?",
        table.name() + " · analysed on " + scale,
        answer,
        sections,
        List.of(new Page.Command("Make this page again", request.command())));
  }

  private static String words(List<String> factors) {
    int last = factors.size() - 1;
    return last == 0
        ? factors.get(0)
        : String.join(", ", factors.subList(0, last)) + " and " + factors.get(last);
  }
}
