package io.pyrometer.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunPage;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.Ranking;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory, hit ratios and unlike sizes in the report of a run of benchmarks. */
class CacheAnalysisTest {
  @TempDir Path runs;

  private static void measure(TrialSpec trial, Map<String, Metric> metrics) {
    String cache = trial.levels().get("cache");
    if (trial.path().equals("jmh-populate")) {
      metrics.put("heap-per-entry", Metric.lowerIsBetter(heap(cache), "B"));
      if (cache.equals("Small")) {
        metrics.put("off-heap-per-entry", Metric.lowerIsBetter(75, "B"));
      }
    } else {
      metrics.put("hit-rate", Metric.higherIsBetter(cache.equals("Small") ? 12 : 24, "%"));
    }
  }

  /** Of the small one nearly nothing, because its entries lie beside the heap. */
  private static double heap(String cache) {
    return cache.equals("Map") ? 64 : cache.equals("Small") ? 1 : 96;
  }

  private RunFolder written(String text) {
    Experiment experiment = ExperimentReader.read(text, "test.yaml", Path.of(""), Caches.CATALOGUE);
    return MadeUpRun.of(experiment, Caches.CATALOGUE)
        .metrics(CacheAnalysisTest::measure)
        .write(runs, trial -> trial.levels().get("cache").equals("Map") ? 2_000 : 1_000);
  }

  @Test
  void thePageHasARankingOfEachBenchmarkWithMemoryAndHits() {
    RunReport report = ResultFiles.write(written(Caches.EXPERIMENT));
    assertThat(report.findings())
        .as("the cache with the least memory")
        .extracting(Finding::estimates)
        .anyMatch(
            of ->
                of.containsKey("figure of the last")
                    && Math.abs(of.get("figure").value() - 64) < 1);
    assertThat(Markdown.page(RunPage.of(report)))
        .contains(": populating", ": loading")
        .contains(Messages.format("jmh.memory-note"), Messages.format("jmh.hit-ratios-caption"))
        .containsPattern("\\| Small \\| 76[^|]*\\| 1[^|]*\\| 75")
        .containsPattern("\\| Small \\| 12")
        .as("an unlike number of entries is marked")
        .contains("100 entries")
        .doesNotContain("1 k entries", "1,000 entries");
  }

  /** Nobody chooses the number of threads for its throughput. */
  @Test
  void conditionsOfABenchmarkHaveARankingEach() {
    String text =
        Caches.EXPERIMENT
            .replaceFirst("design:.*\n", "")
            .replaceFirst("(?s)cases:.*factors:", "factors:\n  threads: [1, 4]")
            .replace("workload: {", "workload: {benchmark: read, ");
    RunReport report = ResultFiles.write(written(text));
    assertThat(report.rankings())
        .extracting(Ranking::part)
        .containsExactly("read · threads 1", "read · threads 4");
    assertThat(report.rankings().get(0).rows())
        .extracting(Ranking.Row::label)
        .allSatisfy(label -> assertThat(label).doesNotContain("threads", "· 1"));
  }
}
