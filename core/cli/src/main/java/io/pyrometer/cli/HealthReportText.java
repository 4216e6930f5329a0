package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Table;
import io.pyrometer.report.Table.Align;
import io.pyrometer.report.TerminalTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints a report of {@code doctor} for people: for five diagnoses at most 40 lines.
 *
 * @param verbose whether causes, all evidence and the names of checks are printed
 * @param accepted names of checks whose diagnoses are marked as accepted
 */
record HealthReportText(PrintWriter out, boolean verbose, List<String> accepted) {
  private static final int SHOWN_EVIDENCE = 3;
  private static final int SHOWN_REASONS = 3;
  private static final int SHOWN_ROWS = 4;
  private static final int WIDEST_CELL = 36;

  void print(HealthReport report) {
    out.println();
    Console.paragraph(
        out,
        "",
        report.subject()
            + (report.seconds() > 0
                ? String.format(Locale.ROOT, ", observed for %.0f s", report.seconds())
                : "")
            + (report.diagnoses().isEmpty() ? ": nothing was found." : "."));
    int number = 0;
    for (Diagnosis found : report.diagnoses()) {
      if (found.explainedBy().isEmpty()) {
        number++;
        out.println();
        Console.paragraph(out, number + ". ", head(found) + found.sentence());
        details(found);
      } else {
        entry("explains", head(found) + found.sentence());
        if (verbose) {
          details(found);
        }
      }
    }
    for (HealthReport.Figures figures : report.tables()) {
      out.println();
      table(figures);
    }
    out.println();
    judged(report);
    out.flush();
  }

  private String head(Diagnosis found) {
    String mark = accepted.contains(found.check()) ? ", accepted" : "";
    return "%s%s (%s): ".formatted(found.severity(), mark, found.check());
  }

  private void details(Diagnosis found) {
    String evidence =
        text(found.evidence().stream().limit(verbose ? Long.MAX_VALUE : SHOWN_EVIDENCE).toList());
    entry("evidence", verbose ? evidence : line(evidence));
    if (verbose) {
      found.cause().ifPresent(cause -> entry("cause", cause));
    }
    found.remedy().ifPresent(remedy -> entry("do", remedy));
    String change =
        found.change().stream()
            .map(each -> "%s: %s → %s".formatted(each.property(), each.now(), each.then()))
            .collect(Collectors.joining("; "));
    if (!change.isEmpty()) {
      entry("change", change);
    }
    if (verbose) {
      entry("needs", found.needs().phrase());
      found.loses().ifPresent(lost -> entry("gives up", lost));
      entry("see", found.source());
    }
  }

  private void table(HealthReport.Figures figures) {
    List<List<String>> rows =
        figures.rows().stream()
            .limit(verbose ? Long.MAX_VALUE : SHOWN_ROWS)
            .map(row -> row.stream().map(HealthReportText::cell).toList())
            .toList();
    List<Align> alignment = new ArrayList<>();
    for (Value first : figures.rows().get(0)) {
      alignment.add(first.value() instanceof Double ? Align.RIGHT : Align.LEFT);
    }
    TerminalTable.plain(new Table(figures.columns(), rows, alignment), Console.textColumns())
        .forEach(lines -> lines.forEach(out::println));
  }

  private static String cell(Value value) {
    String text = value.text();
    return text.length() <= WIDEST_CELL ? text : text.substring(0, WIDEST_CELL - 1) + "…";
  }

  private void judged(HealthReport report) {
    boolean busy = report.diagnoses().stream().anyMatch(each -> each.severity() == Severity.BUSY);
    String checks =
        verbose
            ? String.join(", ", report.healthy())
            : "%s (--verbose names them; '%s explain NAME' explains one)"
                .formatted(Figures.count(report.healthy().size(), "other check"), Home.command());
    String doubt = busy ? "Without free CPUs, a cause may be missed. " : "";
    Console.paragraph(out, "", doubt + "Nothing found by " + checks + ".");
    List<Map.Entry<Reason, List<String>>> reasons =
        new TreeMap<>(report.unjudged())
            .entrySet().stream()
                .collect(
                    Collectors.groupingBy(
                        check -> Reason.of(check.getValue()),
                        LinkedHashMap::new,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByValue((a, b) -> b.size() - a.size()))
                .toList();
    int shown = verbose || reasons.size() <= SHOWN_REASONS + 1 ? reasons.size() : SHOWN_REASONS;
    for (Map.Entry<Reason, List<String>> reason : reasons.subList(0, shown)) {
      List<String> names = reason.getValue();
      String of = verbose ? String.join(", ", names) : Figures.count(names.size(), "check");
      String remedy = reason.getKey().remedy().map(text -> ": " + text).orElse("");
      Console.paragraph(
          out, "", "Not judged %s (%s)%s.".formatted(reason.getKey().phrase(), of, remedy));
    }
    int others = reasons.stream().skip(shown).mapToInt(each -> each.getValue().size()).sum();
    if (others > 0) {
      out.println("Not judged for other reasons: " + Figures.count(others, "check") + ".");
    }
  }

  /** A reason why checks could not judge, in words. */
  private record Reason(String phrase, Optional<String> remedy) {
    static Reason of(Unjudged why) {
      return new Reason(why.phrase(), why.remedy());
    }
  }

  /** Values of one place share its name. */
  private static String text(List<Evidence> evidence) {
    return evidence.stream().collect(ListsByKey.by(Evidence::where)).entrySet().stream()
        .map(
            place ->
                place.getValue().stream()
                    .map(each -> each.what() + " = " + each.value())
                    .collect(Collectors.joining(", ", "", " (" + place.getKey() + ")")))
        .collect(Collectors.joining("; "));
  }

  private static String line(String text) {
    int most = Console.textColumns() - entryHead("").length();
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  private static String entryHead(String name) {
    return "   %-9s ".formatted(name);
  }

  private void entry(String name, String text) {
    if (!text.isEmpty()) {
      Console.paragraph(out, entryHead(name), text);
    }
  }
}
