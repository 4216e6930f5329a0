package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import java.util.Collection;
import java.util.List;

/** The findings of an analysis as tests see them: ids, and values as they are shown. */
final class FoundBy {
  private FoundBy() {}

  /** The ids; fails where a message lacks one of its values. */
  static List<String> ids(Collection<Finding> findings) {
    findings.forEach(each -> assertThat(each.sentence() + each.remedy()).doesNotContain("NaN"));
    return findings.stream().map(Finding::id).toList();
  }

  static List<String> ids(RunAnalysis analysis) {
    return ids(analysis.findings());
  }

  static Finding only(Collection<Finding> findings, String id) {
    return findings.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  static String value(Finding finding, String name) {
    return finding.values().containsKey(name)
        ? finding.values().get(name).text()
        : Finding.text(finding.estimates().get(name));
  }

  /** The first table. */
  static Table table(RunAnalysis analysis) {
    return analysis.result().sections().get(0).figures().get(0).table();
  }
}
