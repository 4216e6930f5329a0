package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublishedComparisonTest {

  @Test
  void whatHoldsIsOneSentenceAndWhatPartsIsOneEachWithItsReason() {
    List<Finding> findings =
        RankingFindings.published(
            "a page",
            List.of(
                new Ranking(
                    Job.WRITE,
                    "",
                    0,
                    "put",
                    List.of(Map.of()),
                    List.of(
                        row("streamer", 50, Optional.of(125.0), Optional.of("one machine here")),
                        row("put-all", 60, Optional.of(70.0), Optional.empty()),
                        row("batched", 40, Optional.of(79.9), Optional.empty()),
                        row("new", 80, Optional.empty(), Optional.empty())),
                    List.of())));
    assertThat(findings)
        .extracting(Finding::id)
        .containsExactly("published.agrees", "published.differs");
    assertThat(findings.get(0).values())
        .containsEntry("treatments", Value.names(List.of("put-all", "batched")));
    assertThat(findings.get(1).values())
        .containsEntry("here", Value.ratio(50))
        .containsEntry("published", Value.ratio(125))
        .containsEntry("why", Value.name("one machine here"));
  }

  @Test
  void withoutAPublishedRatioNothingIsSaid() {
    Ranking ranking =
        new Ranking(
            Job.WRITE,
            "",
            0,
            "put",
            List.of(Map.of()),
            List.of(row("put-all", 60, Optional.empty(), Optional.empty())),
            List.of());
    assertThat(RankingFindings.published("a page", List.of(ranking))).isEmpty();
  }

  private static Ranking.Row row(
      String label, double ratio, Optional<Double> published, Optional<String> why) {
    Estimate one = Means.geometric(new double[] {ratio}, "×", 0.95);
    return new Ranking.Row(
        label,
        label,
        Map.of(),
        "",
        Optional.empty(),
        Set.of(),
        new TreatmentProbes(List.of(), List.of()),
        false,
        one,
        Optional.of(one),
        Optional.empty(),
        new Price(
            1, 1, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), Map.of()),
        List.of(),
        Optional.empty(),
        published.map(value -> new Ranking.PublishedRatio("put", value, why)),
        Optional.empty(),
        List.of(),
        new Treatment(Map.of("path", label), Map.of("block 1", ratio)));
  }
}
