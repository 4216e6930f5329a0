package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Products in one block are compared with the plainest path of the first. */
class SeveralDriversRankingTest {
  private static final EqualTerm HEAP = EqualTerm.as("heap", "node-heap");

  private static final String DRIVERS =
      """
      pyrometer: 1
      name: drivers
      question: How far are two products apart?
      grid: {nodes: 1}
      workload: {record: stock-order, records: 1000}
      factors:
        driver: [rich, plain]
        path: [put]
      blocks: 5
      analyses: [ranking]
      """;

  private static final String ACCESS =
      """
          - {label: rich put, set: {driver: rich, path: put}}
          - {label: plain put, set: {driver: plain, path: put}}
          - {label: rich putAll, set: {driver: rich, path: put-all}}
          - {label: plain store, set: {driver: plain, path: store}}
      """;

  @TempDir Path runs;

  private static double rate(TrialSpec trial) {
    double driver = trial.settings().text("driver").equals("rich") ? 1_000 : 4_000;
    return trial.path().equals("put") ? driver : 10 * driver;
  }

  private Ranking ranking(String experiment) {
    return Rankings.of(
            RunRecord.load(
                MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE)
                    .write(runs, SeveralDriversRankingTest::rate)))
        .get(0);
  }

  private static Map<String, Double> ratios(Ranking ranking) {
    return ranking.rows().stream()
        .filter(row -> row.ratio().isPresent())
        .collect(Collectors.toMap(Ranking.Row::label, r -> r.ratio().map(Estimate::value).get()));
  }

  @Test
  void onePathOfSeveralProductsIsComparedWithThatOfTheFirst() {
    Ranking ranking = ranking(DRIVERS);
    assertThat(ranking.baseline()).contains("rich");
    assertThat(ratios(ranking)).hasSize(1);
    assertThat(ratios(ranking).values()).allSatisfy(r -> assertThat(r).isCloseTo(4, within(0.5)));
  }

  @Test
  void theFirstIsThatWhichTheExperimentNamesFirst() {
    Ranking ranking = ranking(DRIVERS.replace("[rich, plain]", "[plain, rich]"));
    assertThat(ratios(ranking).values())
        .allSatisfy(r -> assertThat(r).isCloseTo(0.25, within(0.05)));
  }

  @Test
  void allPathsOfAllProductsAreComparedWithThePlainestOfTheFirst() {
    Ranking ranking =
        ranking(
            DRIVERS
                .replace("  driver: [rich, plain]\n", "  access:\n" + ACCESS)
                .replace("  path: [put]\n", ""));
    assertThat(ranking.baseline()).isEqualTo("rich put");
    assertThat(ratios(ranking).values())
        .satisfiesExactlyInAnyOrder(
            r -> assertThat(r).isCloseTo(4, within(0.6)),
            r -> assertThat(r).isCloseTo(10, within(1.5)),
            r -> assertThat(r).isCloseTo(40, within(6.0)));
  }

  @Test
  void theTreatmentWhoseTermsAreNotEqualIsMarked() {
    RunRecord odd = run("odd", 4_000, "even", 1_000, HEAP.but("Not all of it is heap."));
    assertThat(Rankings.of(odd).get(0).rows())
        .extracting(Ranking.Row::marks)
        .containsExactly(List.of(Mark.of(Mark.Kind.UNEQUAL, "heap")), List.of());
  }

  @Test
  void aCaveatOfOtherPathsMarksNothing() {
    EqualTerm otherPaths = HEAP.butNot("put", "Not all of it is heap.");
    RunRecord run = run("odd", 4_000, "even", 1_000, otherPaths);
    assertThat(Rankings.of(run).get(0).rows()).allMatch(row -> row.marks().isEmpty());
    assertThat(EqualTermsNotes.unequal(run.plan())).isEmpty();
  }

  @Test
  void whatStaysUnequalIsListedAndNothingElse() {
    EqualTerm ofOdd = HEAP.but("Not all of it is heap.");
    assertThat(EqualTermsNotes.unequal(run("odd", 4_000, "even", 1_000, ofOdd).plan()))
        .containsExactly("odd, heap: 300m: Not all of it is heap.");
  }

  /** The odd product cannot make a term quite true, and the even one can. */
  private RunRecord run(String fast, double rate, String slow, double rateOfSlow, EqualTerm ofOdd) {
    Catalogue catalogue = Catalogue.of(List.of(grid("even", HEAP), grid("odd", ofOdd)));
    Experiment experiment =
        ExperimentReader.read(
            DRIVERS.replace("[rich, plain]", "[%s, %s]".formatted(slow, fast))
                + "equal: {heap: 300m}\n",
            "equal.yaml",
            Path.of(""),
            catalogue);
    return RunRecord.load(
        MadeUpRun.of(experiment, catalogue)
            .noise(0.001)
            .write(runs, t -> t.settings().text("driver").equals(fast) ? rate : rateOfSlow));
  }

  private static DriverDescription grid(String name, EqualTerm term) {
    return new DriverDescription(
        name,
        name,
        "1",
        "A grid.",
        List.of("nodes"),
        ServerDescription.NO_PORTS,
        List.of(),
        List.of(),
        List.of(new PathDescription("put", Job.WRITE, true, "P.", Optional.empty(), List.of())),
        List.of(term),
        DataFactRules.NONE,
        List.of());
  }
}
