package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SampledExperimentTest {
  private static final RecordShape SEEN =
      new RecordShape(
          "Order",
          Optional.empty(),
          List.of(
              field("text", FieldType.STRING, 9, 7, 0, 0),
              field("amount", FieldType.DOUBLE, 0, 0, -1.5, 1e12),
              field("number", FieldType.LONG, 0, 0, -4e18, 4e18),
              field("small", FieldType.INT, 0, 0, 0, 0),
              field("day", FieldType.TIMESTAMP, 0, 0, 1e12, 1.7e12),
              field("paid", FieldType.BOOLEAN, 0, 0, 0, 0),
              field("rest", FieldType.BYTES, 40, 0, 0, 0)));

  private static FieldShape field(
      String name, FieldType type, int size, int cardinality, double least, double most) {
    return new FieldShape(name, type, size, cardinality, least, most, List.of(), false);
  }

  private static String printed(String cache, long count) {
    Experiment like = Fixture.of("driver: rich, attach: '10.0.0.1:47500'", "path: get", "");
    return SampledExperiment.of(
        new CacheSample(
            Map.of("backups", "2", "cache-mode", "PARTITIONED"),
            SEEN,
            120,
            count,
            500,
            List.of("keys are numbers,\nnot texts")),
        cache,
        like,
        Fixture.CATALOGUE.drivers().get("rich"),
        100_000);
  }

  @Test
  void whatIsPrintedIsAnExperimentWithTheSameRecordsAndSettings() {
    Experiment read = Fixture.read(printed("SQL_PUBLIC_ORDERS", 7_000_000));
    assertThat(read.name()).isEqualTo("like-sql-public-orders");
    assertThat(read.testbed().attach()).contains("10.0.0.1:47500");
    assertThat(read.record().name()).isEqualTo("Order");
    assertThat(read.record().fields())
        .extracting(FieldShape::name, FieldShape::type, FieldShape::size, FieldShape::cardinality)
        .containsExactlyElementsOf(
            SEEN.fields().stream()
                .map(seen -> tuple(seen.name(), seen.type(), seen.size(), seen.cardinality()))
                .toList());
    assertThat(read.record().fields().subList(1, 5))
        .extracting(FieldShape::least, FieldShape::most)
        .containsExactly(
            tuple(-1.5, 1e12), tuple(-0x1p53, 0x1p53), tuple(0.0, 0.0), tuple(1e12, 1.7e12));
    List<TrialSpec> trials = Fixture.plan(read).trials();
    assertThat(trials)
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.settings().number("records")).isEqualTo(100_000);
              assertThat(trial.settings().number("backups")).isEqualTo(2);
            })
        .extracting(TrialSpec::path)
        .containsOnly("put", "get", "mix");
  }

  @Test
  void aSmallCacheIsNotMadeLargerAndWhatDiffersIsSaid() {
    String text = printed("a b", 12);
    assertThat(Fixture.plan(Fixture.read(text)).trials())
        .allMatch(trial -> trial.settings().number("records") == 12);
    assertThat(text).contains("'a b'", "# - keys are numbers, not texts\n");
  }

  @Test
  void aRecordedWorkloadIsAnExperimentWithTheFieldsOfItsQueries() {
    WorkloadSample recorded =
        new WorkloadSample(
            "orders",
            Map.of(),
            Map.of("records", 500),
            Optional.of(
                new RecordShape(
                    "ITEMS",
                    Optional.empty(),
                    List.of(field("AMOUNT", FieldType.LONG, 0, 0, 0, 9)))),
            Map.of("one", Map.of("path", "get"), "other", Map.of("path", "put")),
            List.of());
    CacheSample sample = new CacheSample(Map.of(), SEEN, 120, 500, 500, List.of());
    Experiment like = Fixture.of("driver: rich, attach: '10.0.0.1:47500'", "path: get", "");
    String text =
        SampledExperiment.of(
            recorded,
            "orders",
            Optional.of(sample),
            like.testbed(),
            Fixture.CATALOGUE.drivers().get("rich"));
    Experiment read = Fixture.read(text);
    assertThat(read.record().name()).isEqualTo("ITEMS");
    assertThat(read.record().fields())
        .hasSameSizeAs(SEEN.fields())
        .extracting(FieldShape::name, FieldShape::type)
        .startsWith(tuple("AMOUNT", FieldType.LONG), tuple("text", FieldType.STRING));
    assertThat(Fixture.plan(read).trials()).extracting(TrialSpec::path).containsOnly("put", "get");
  }
}
