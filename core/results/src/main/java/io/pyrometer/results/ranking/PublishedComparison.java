package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.report.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Where a run's ratios agree with published ones, and where and why they differ. */
public final class PublishedComparison {
  /** Other machines, networks and versions: a smaller factor does not contradict a figure. */
  private static final double ALIKE = 2;

  private static final String WOULD_CHANGE =
      "The published machines and versions, or a run on machines like those.";

  private PublishedComparison() {}

  /** First those that agree, in one sentence, then each that does not. */
  public static List<Finding> of(String source, List<Ranking> rankings) {
    List<Finding> findings = new ArrayList<>();
    List<String> alike = new ArrayList<>();
    for (Ranking ranking : rankings) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.published().isPresent() && row.ratio().isPresent()) {
          double here = row.ratio().get().value();
          Ranking.PublishedRatio published = row.published().get();
          String words =
              "%s is %s times %s here, %s times as published"
                  .formatted(
                      ranking.part().isEmpty() ? row.label() : ranking.part() + ", " + row.label(),
                      text(here),
                      published.to(),
                      text(published.value()));
          if (here <= ALIKE * published.value() && published.value() <= ALIKE * here) {
            alike.add(words);
          } else {
            findings.add(
                Finding.notice(
                    Kind.COMPARISON,
                    "Different from the published ratio (%s): %s%s."
                        .formatted(
                            source, words, published.why().map(why -> "; " + why).orElse("")),
                    WOULD_CHANGE));
          }
        }
      }
    }
    if (!alike.isEmpty()) {
      findings.add(
          0,
          Finding.info(
              Kind.COMPARISON,
              "Within a factor of two of the published ratios (%s): %s."
                  .formatted(source, String.join("; ", alike)),
              WOULD_CHANGE));
    }
    return findings;
  }

  private static String text(double ratio) {
    if (ratio < 0.1) {
      return Numbers.shorten(ratio);
    }
    double step = ratio >= 100 ? 1 : ratio >= 10 ? 0.1 : 0.01;
    return Figures.plain(Math.round(ratio / step) * step);
  }
}
