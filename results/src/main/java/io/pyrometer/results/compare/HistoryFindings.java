package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.changepoint.ChangeRule;
import io.pyrometer.results.compare.RunHistory.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a history says, in sentences. */
final class HistoryFindings {
  private static final String MORE = "More runs of this experiment on this machine.";

  private HistoryFindings() {}

  static List<Finding> of(RunHistory history) {
    List<Line> changed =
        history.lines().stream().filter(line -> !line.history().points().isEmpty()).toList();
    List<Line> few =
        history.lines().stream()
            .filter(
                line ->
                    line.history().findings().stream()
                        .anyMatch(finding -> finding.kind() == Kind.NOT_ENOUGH_RUNS))
            .toList();
    List<Finding> findings = new ArrayList<>();
    changed.forEach(line -> findings.addAll(line.history().findings()));
    int steady = history.lines().size() - changed.size() - few.size();
    if (steady > 0) {
      findings.add(
          finding(
              Kind.CHANGE_POINT,
              Severity.INFO,
              "No lasting change by %s or more in %s%s."
                  .formatted(
                      Figures.percent(ChangeRule.DEFAULT.smallest()),
                      steady + (changed.isEmpty() ? " series" : " other series"),
                      over(history))));
    }
    if (!few.isEmpty()) {
      findings.add(few(history, few));
    }
    if (history.elsewhere() > 0) {
      findings.add(
          finding(
              Kind.DISTURBED,
              Severity.NOTICE,
              "%s left out, as made on another machine, system or JVM than the newest."
                  .formatted(
                      Figures.count(history.elsewhere(), "run")
                          + (history.elsewhere() == 1 ? " is" : " are"))));
    }
    return findings;
  }

  private static String over(RunHistory history) {
    return " over " + Figures.count(history.runs().size(), "run");
  }

  private static Finding few(RunHistory history, List<Line> few) {
    boolean all = few.size() == history.lines().size();
    return finding(
        Kind.NOT_ENOUGH_RUNS,
        Severity.NOTICE,
        all
            ? few.get(0).history().findings().get(0).sentence()
            : "%s of fewer than 4 runs, which show no change yet."
                .formatted(few.size() + (few.size() == 1 ? " series is" : " series are")));
  }

  private static Finding finding(Kind kind, Severity severity, String sentence) {
    return new Finding(kind, severity, sentence, Map.of(), MORE);
  }
}
