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
    List<Line> changed = history.lines().stream().filter(HistoryFindings::moved).toList();
    List<Line> few =
        history.lines().stream()
            .filter(
                line ->
                    line.history().findings().stream()
                        .anyMatch(finding -> finding.kind() == Kind.NOT_ENOUGH_RUNS))
            .toList();
    List<Finding> findings = new ArrayList<>();
    changed.forEach(line -> findings.addAll(line.history().findings()));
    List<Line> steady =
        history.lines().stream()
            .filter(line -> !changed.contains(line) && !few.contains(line))
            .toList();
    if (!steady.isEmpty()) {
      findings.add(steady(history, steady, changed.isEmpty()));
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

  private static Finding steady(RunHistory history, List<Line> steady, boolean all) {
    List<Double> visible =
        steady.stream()
            .flatMap(line -> line.history().visible().stream().boxed())
            .sorted()
            .toList();
    String seen =
        visible.isEmpty()
            ? ""
            : "; at their spread a change of %s would be found in the quietest and of %s in the noisiest, in 95 of 100 cases"
                .formatted(
                    Figures.percent(visible.get(0)),
                    Figures.percent(visible.get(visible.size() - 1)));
    return finding(
        Kind.CHANGE_POINT,
        Severity.INFO,
        "No lasting change by %s or more was found in %s%s%s."
            .formatted(
                Figures.percent(ChangeRule.OF_RUNS.smallest()),
                Figures.count(steady.size(), all ? "figure" : "other figure"),
                over(history),
                seen));
  }

  private static String over(RunHistory history) {
    return " over " + Figures.count(history.runs().size(), "run");
  }

  /** By a step or a trend. */
  private static boolean moved(Line line) {
    return line.history().findings().stream()
        .anyMatch(
            finding ->
                finding.kind() == Kind.CHANGE_POINT && finding.severity() == Severity.NOTICE);
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
