package io.pyrometer.results.compare;

import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.JUnitXml.Case;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * A comparison as CI systems show it: each judged comparison a test, a regression a failure, one
 * that neither passes nor fails skipped.
 */
public final class Verdicts {
  private Verdicts() {}

  public static List<Case> cases(RunComparison found) {
    List<Case> cases = new ArrayList<>();
    for (Lost lost : found.lost()) {
      cases.add(
          new Case(
              group(found, lost.candidate()),
              lost.treatment(),
              0,
              JUnitXml.Outcome.FAILED,
              lost.refuted()
                  ? "It does not keep its guarantees: %s.".formatted(lost.why())
                  : "It has no valid trial. " + lost.why()));
    }
    for (Row row : found.rows()) {
      cases.add(
          new Case(
              group(found, row.candidate()),
              row.treatment() + ": " + row.metric().label(),
              0,
              outcome(row),
              ComparisonFindings.sentence(found, row)));
    }
    return cases;
  }

  private static String group(RunComparison found, int run) {
    return found.sides().get(run).name();
  }

  private static JUnitXml.Outcome outcome(Row row) {
    return switch (row.outcome()) {
      case PASS -> JUnitXml.Outcome.PASSED;
      case REGRESSION -> JUnitXml.Outcome.FAILED;
      case LARGER_LOSS_EXCLUDED, NOT_ENOUGH_RUNS -> JUnitXml.Outcome.SKIPPED;
    };
  }
}
