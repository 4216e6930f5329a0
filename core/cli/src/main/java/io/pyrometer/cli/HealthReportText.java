package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints a report of {@code doctor} for people.
 *
 * @param all whether the checks that found nothing are named
 * @param accepted names of checks whose findings are marked as accepted
 */
record HealthReportText(PrintWriter out, boolean all, List<String> accepted) {
  private static final int WIDTH = 100;

  void print(HealthReport report) {
    out.println();
    out.println(
        report.seconds() > 0
            ? String.format(
                Locale.ROOT, "%s, observed for %.0f s.", report.subject(), report.seconds())
            : report.subject() + ".");
    int number = 0;
    for (Diagnosis found : report.diagnoses()) {
      out.println();
      String severity = found.severity() + (accepted.contains(found.check()) ? " (accepted)" : "");
      paragraph(out, ++number + ". ", severity + ": " + found.symptom());
      found.impact().ifPresent(measured -> entry(out, "measured", measured));
      entry(
          out,
          "evidence",
          found.evidence().stream().map(HealthReportText::text).collect(Collectors.joining("; ")));
      entry(out, "cause", found.cause());
      entry(out, "do", found.action());
      found.change().forEach(line -> out.println("             " + line));
      entry(out, "needs", found.needs().words());
      found.loses().ifPresent(lost -> entry(out, "gives up", lost));
      entry(out, "see", found.check() + ", " + found.source());
    }
    out.println();
    if (report.diagnoses().isEmpty()) {
      out.println("Nothing was found.");
    }
    paragraph(out, "", "Checked and healthy: " + healthy(report.healthy()));
    Map<String, List<String>> reasons = new TreeMap<>();
    report
        .notMade()
        .forEach((check, why) -> reasons.computeIfAbsent(why, w -> new ArrayList<>()).add(check));
    reasons.forEach(
        (why, checks) ->
            paragraph(out, "", "Not checked, because " + why + ": " + sorted(checks) + "."));
    out.flush();
  }

  private String healthy(List<String> checks) {
    return all
        ? String.join(", ", checks) + " (the driver's page in docs/ describes each)."
        : Figures.count(checks.size(), "check")
            + " (--all names them, and the driver's page in docs/ describes each).";
  }

  private static String sorted(List<String> names) {
    return names.stream().sorted().collect(Collectors.joining(", "));
  }

  private static String text(Evidence evidence) {
    return "%s = %s (%s)".formatted(evidence.what(), evidence.value(), evidence.where());
  }

  private static void entry(PrintWriter out, String name, String text) {
    paragraph(out, "   %-9s ".formatted(name), text);
  }

  static void paragraph(PrintWriter out, String head, String text) {
    String indent = " ".repeat(head.length());
    int width = Math.min(WIDTH, Console.columns()) - head.length();
    out.println(head + Console.wrapped(text, width).replace("\n", "\n" + indent));
  }
}
