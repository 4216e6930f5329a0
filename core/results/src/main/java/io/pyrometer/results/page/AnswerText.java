package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Page;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.Answer.Alternative;
import io.pyrometer.results.ranking.Answer.Choice;
import io.pyrometer.results.ranking.Answer.Probed;
import io.pyrometer.results.ranking.Answer.Recommended;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The answer of a run as short texts for the cells of a page. */
final class AnswerText {
  private static final double MAX_SECONDS = 100;

  private AnswerText() {}

  /** One row for each recommendation. */
  static List<Page.AnswerRow> rows(Answer answer) {
    return answer.choices().stream()
        .flatMap(choice -> choice.recommended().stream().map(of -> row(choice, of)))
        .toList();
  }

  private static Page.AnswerRow row(Choice choice, Recommended of) {
    boolean open = choice.rate() > 0;
    String bound = of.conditions() == 1 ? "" : open ? "≤ " : "≥ ";
    String figure = bound + Value.shorten(of.figure().value());
    String rate = open ? " at %s/s".formatted(Value.rate(choice.rate()).text()) : "";
    return new Page.AnswerRow(
        choice.label() + rate,
        of.treatment(),
        open ? "p99 " + figure + " ms" : figure + " records/s",
        of.ratio().map(ratio -> bound + times(ratio) + " × " + of.baseline()).orElse(""),
        notes(of));
  }

  private static List<String> notes(Recommended of) {
    List<String> notes = new ArrayList<>();
    if (of.conditions() > 1) {
      notes.add("under %d conditions".formatted(of.conditions()));
    }
    of.probed().stream().map(AnswerText::counts).forEach(notes::add);
    if (!of.alike().isEmpty()) {
      int others = of.alike().size() - 1;
      notes.add(
          "no difference shown: %s%s"
              .formatted(
                  named(of.alike().get(0)), others == 0 ? "" : " and %d more".formatted(others)));
    }
    of.cheaper().ifPresent(other -> notes.add("less CPU time: " + named(other)));
    return notes;
  }

  private static String counts(Probed probed) {
    ProbeKind kind = probed.probe();
    return "%s%,d of %,d %s stale or lost%s"
        .formatted(
            probed.isTested() ? "" : "not tested: ",
            probed.staleOrLost(),
            probed.checked(),
            kind == ProbeKind.READ ? "reads" : "keys",
            kind.endsServer() ? " after a " + kind.id() : "");
  }

  private static String named(Alternative other) {
    return other.treatment()
        + other.ratio().map(ratio -> " (%s ×)".formatted(times(ratio))).orElse("");
  }

  /** Two digits below 1 and from 10 to 100, else three. */
  private static String times(Estimate ratio) {
    double value = ratio.value();
    boolean two = value < 0.995 || (value >= 10 && value < 99.5);
    return Value.shorten(value, two ? 2 : 3, value);
  }

  /** {@code → ./pyrometer run (5 min)}. */
  static String next(Answer.Next next) {
    String duration = duration(next);
    return "→ " + next.command() + (duration.isEmpty() ? "" : " (" + duration + ")");
  }

  /** Empty where it is not known. */
  private static String duration(Answer.Next next) {
    double seconds = next.seconds().orElse(0);
    double rounded = seconds < MAX_SECONDS ? Math.rint(seconds) : 60 * Math.rint(seconds / 60);
    return seconds > 0 ? Value.seconds(rounded).text() : "";
  }

  /** The answer for the first screen of a report; empty where nothing is recommended. */
  static Optional<Page.Recommendation> recommendation(Answer answer) {
    return answer
        .confidence()
        .filter(of -> !answer.recommended().isEmpty())
        .map(
            of ->
                new Page.Recommendation(
                    rows(answer),
                    Phrases.word(of),
                    sentences(answer.loweredBy()),
                    sentences(answer.validFor()),
                    answer.next().map(next -> new Page.Command(duration(next), next.command()))));
  }

  static String sentences(List<Finding> findings) {
    return findings.stream().map(Finding::sentence).distinct().collect(Collectors.joining("; "));
  }
}
