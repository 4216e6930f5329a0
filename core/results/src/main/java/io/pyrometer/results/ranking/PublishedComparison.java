package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where a run's ratios agree with published ones, and where and why they differ. */
public final class PublishedComparison {
  /** Other machines, networks and versions: a smaller factor does not contradict a figure. */
  private static final double ALIKE = 2;

  private PublishedComparison() {}

  /** First those that agree, in one sentence, then each that does not. */
  public static List<Finding> of(String source, List<Ranking> rankings) {
    List<Finding> apart = new ArrayList<>();
    List<String> alike = new ArrayList<>();
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.published().isPresent() && row.ratio().isPresent()) {
          Estimate here = row.ratio().get();
          Ranking.PublishedRatio published = row.published().get();
          String label =
              ranking.part().isEmpty() ? row.label() : ranking.part() + ", " + row.label();
          if (holds(here.value(), published.value())) {
            alike.add(words(label, published, here));
            estimates.put(label, here);
          } else {
            apart.add(apart(source, label, published, here));
          }
        }
      }
    }
    List<Finding> findings = new ArrayList<>();
    if (!alike.isEmpty()) {
      findings.add(
          finding(
              Severity.INFO,
              "Within a factor of two of the published ratios (%s): %s."
                  .formatted(source, String.join("; ", alike)),
              estimates));
    }
    findings.addAll(apart);
    return findings;
  }

  private static boolean holds(double here, double published) {
    return here <= ALIKE * published && published <= ALIKE * here;
  }

  private static Finding apart(
      String source, String label, Ranking.PublishedRatio published, Estimate here) {
    return finding(
        Severity.NOTICE,
        "Different from the published ratio (%s): %s%s."
            .formatted(
                source,
                words(label, published, here),
                published.why().map(why -> "; " + why).orElse("")),
        Map.of(label, here));
  }

  private static String words(String label, Ranking.PublishedRatio published, Estimate here) {
    return "%s is %s times %s here, %s times as published"
        .formatted(label, text(here.value()), published.to(), text(published.value()));
  }

  private static String text(double ratio) {
    if (ratio < 0.1) {
      return Numbers.shorten(ratio);
    }
    double step = ratio >= 100 ? 1 : ratio >= 10 ? 0.1 : 0.01;
    return Figures.plain(Math.round(ratio / step) * step);
  }

  private static Finding finding(
      Severity severity, String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Kind.COMPARISON,
        severity,
        sentence,
        estimates,
        "The published machines and versions, or a run on machines like those.");
  }
}
