package io.pyrometer.results;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.report.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Jobs, guarantees and lists in words. */
public final class Phrases {
  private Phrases() {}

  /** The heading of a job's ranking. */
  public static String title(Job job) {
    return Messages.bundled()
        .text("job." + job.id() + ".phrase", Map.of())
        .or(() -> KindReport.of(job).map(KindReport::title))
        .orElse(job.id());
  }

  /** Guarantees of an access path; empty of one that only reads. */
  public static String promises(Optional<Guarantee> path) {
    return path.map(Requirement::of).map(Phrases::promises).orElse("");
  }

  /** Guarantees as a list. */
  public static String promises(Set<Requirement> guarantees) {
    return guarantees.isEmpty()
        ? "none"
        : guarantees.stream().map(Requirement::words).collect(Collectors.joining(", "));
  }

  /** The levels of one combination in which it differs from some other. */
  public static String differing(Map<String, String> one, List<Map<String, String>> all) {
    Map<String, String> levels = new LinkedHashMap<>(one);
    levels
        .entrySet()
        .removeIf(l -> all.stream().allMatch(other -> l.getValue().equals(other.get(l.getKey()))));
    return Labels.of(levels, "");
  }

  public static String and(List<String> items) {
    if (items.size() < 2) {
      return String.join("", items);
    }
    return String.join(", ", items.subList(0, items.size() - 1))
        + " and "
        + items.get(items.size() - 1);
  }

  /** The name of a constant as words: {@code not enough runs}. */
  public static String word(Enum<?> of) {
    return of.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** {@code about 5 minutes}. */
  public static String about(double seconds) {
    return "about "
        + (seconds < 100
            ? Figures.count(Math.round(seconds), "second")
            : Figures.count(Math.round(seconds / 60), "minute"));
  }

  /** A sentence as a clause after a colon, without its full stop. */
  public static String clause(String sentence) {
    return Finding.afterColon(sentence).replaceFirst("\\.$", "");
  }
}
