package io.pyrometer.results.analyses;

import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.StackedBarChart;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the CPU time of a record goes: that of clients and servers by category of work, from
 * sampled stacks. The samples are scaled to the CPU time that the processes used in the same trial;
 * the time of JIT compilers and collectors is not sampled but read from the JVM.
 */
public final class CpuBreakdown implements Analysis {
  private static final double MIN_SHARE = 0.03;

  @Override
  public String id() {
    return "cpu-breakdown";
  }

  @Override
  public boolean needsProfiles() {
    return true;
  }

  @Override
  public boolean always(RunRecord run) {
    return CpuProfile.profiled(run).findAny().isPresent();
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<CpuProfile> profiles = CpuProfile.of(run);
    if (profiles.isEmpty()) {
      return List.of();
    }
    return List.of(
        RunAnalysis.whole(
            id(), "CPU time per record", "µs", () -> StudyResult.of(List.of(), section(profiles))));
  }

  private static Section section(List<CpuProfile> profiles) {
    record Row(CpuProfile of, String role, Map<String, Double> parts) {
      double total() {
        return CpuProfile.sum(parts);
      }

      /** The categories from 3 % on, the largest first. */
      String words() {
        return of.hasFewSamples(role)
            ? "too few samples"
            : CpuProfile.words(
                parts,
                parts.entrySet().stream()
                    .filter(part -> part.getValue() >= MIN_SHARE * total())
                    .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                    .map(Map.Entry::getKey));
      }
    }
    List<Row> rows = new ArrayList<>();
    profiles.forEach(
        of -> of.micros().forEach((role, parts) -> rows.add(new Row(of, role, parts))));
    MetricTable<Row> table =
        new MetricTable<Row>("not recorded")
            .text("treatment", row -> row.of().label())
            .text("role", Row::role)
            .estimate("µs/record", row -> Optional.of(row.of().over(row.role(), CpuProfile::sum)))
            .number(
                "samples",
                row ->
                    Optional.ofNullable(row.of().samples().get(row.role())).map(Long::doubleValue))
            .text("where", Row::words);
    List<StackedBarChart.Bar> bars =
        rows.stream()
            .map(
                row ->
                    new StackedBarChart.Bar(row.of().label(), row.role(), row.parts(), row.total()))
            .toList();
    return Section.of(
        "cpu-breakdown",
        "Where the CPU time of a record goes",
        "Shares of the CPU time of each role, from sampled stacks, scaled to the CPU time of the trial; JIT compilers and GC as the JVM reports them.",
        Figure.of(
            "Shares of CPU time; hover for µs per record",
            StackedBarChart.of(bars, Optional.empty()),
            table.of(rows)));
  }
}
