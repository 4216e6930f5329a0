package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeneratorCeilingTest {
  private static final DriverDescription NULL =
      FakeRun.portless(
          GeneratorCeiling.NULL_DRIVER,
          List.of(),
          List.of(),
          path("odd", false),
          path("each", true),
          path("batches", false, "batch"));

  private final List<TrialSpec> recorded = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private static PathDescription path(String name, boolean plainest, String... settings) {
    return new PathDescription(
        name,
        Job.WRITE,
        plainest,
        "",
        Optional.empty(),
        List.of(settings).stream()
            .map(
                setting ->
                    FakeRun.setting(
                        setting,
                        SettingDescription.Type.INTEGER,
                        SettingDescription.Scope.LOAD,
                        Optional.of(100)))
            .toList());
  }

  private GeneratorCeiling measure(TrialSpec... trials) {
    return GeneratorCeiling.measure(
        List.of(trials),
        NULL,
        spec -> {
          recorded.add(spec);
          Outcome outcome = spec.settings().has("broken") ? Outcome.FAILED : Outcome.OK;
          return Trials.of(spec.id(), 0, 1, spec.path(), outcome, 1_000 * recorded.size());
        },
        notes::add);
  }

  /** The path of the same name, else one that batches for one that batches, else the plainest. */
  @ParameterizedTest
  @CsvSource({"odd, false, odd", "put, false, each", "put-all, true, batches", "odd, true, odd"})
  void thePathOfTheNullGridThatIsMostAlikeIsMeasured(String path, boolean batched, String alike) {
    Settings settings = FakeRun.settings(path);
    GeneratorCeiling unused =
        measure(FakeRun.trial(0, 0, path, batched ? settings.with("batch", 7) : settings));
    assertThat(recorded).hasSize(1);
    assertThat(recorded.get(0).path()).isEqualTo(alike);
    assertThat(recorded.get(0).settings().text("driver")).isEqualTo("null");
  }

  @Test
  void itIsMeasuredShortlyAsFastAsItGoesWithoutServers() {
    Settings long_ =
        FakeRun.settings("put")
            .with("rate", 500)
            .with("measure", 60)
            .with("records", 1_000_000)
            .with("stages", "500 for 60s")
            .with("server-event", "join")
            .with("cut-for", 2)
            .with("threads", 4);
    GeneratorCeiling unused = measure(FakeRun.trial(0, 0, "put", long_));
    Settings settings = recorded.get(0).settings();
    assertThat(settings.number("rate")).isZero();
    assertThat(settings.number("nodes")).isZero();
    assertThat(settings.values()).doesNotContainKeys("stages", "server-event", "cut-for");
    assertThat(settings.decimal("measure")).isLessThan(1);
    assertThat(settings.number("records")).isEqualTo(20_000);
    assertThat(settings.number("threads")).as("as in the trial").isEqualTo(4);
  }

  @Test
  void theSameLoadIsMeasuredOnceForAllItsPaths() {
    GeneratorCeiling ceiling = measure(FakeRun.trial(0, 0, "put"), FakeRun.trial(1, 0, "get"));
    assertThat(recorded).hasSize(1);
    assertThat(ceiling.of(FakeRun.trial(2, 1, "put"))).hasValue(1_000);
    assertThat(ceiling.of(FakeRun.trial(2, 1, "get"))).hasValue(1_000);
    recorded.clear();
    GeneratorCeiling apart =
        measure(
            FakeRun.trial(0, 0, "put"),
            FakeRun.trial(1, 0, "get", FakeRun.settings("get").with("threads", 2)),
            FakeRun.trial(2, 1, "get", FakeRun.settings("get").with("threads", 3)));
    assertThat(recorded).as("a path's first trial counts").hasSize(2);
    assertThat(apart.of(FakeRun.trial(3, 1, "get", FakeRun.settings("get").with("threads", 2))))
        .hasValue(2_000);
    assertThat(apart.of(FakeRun.trial(3, 1, "get"))).as("of other threads").isEmpty();
  }

  @Test
  void aPathThatFailsOnTheNullGridIsANoteAndTheOthersAreMeasured() {
    GeneratorCeiling ceiling =
        measure(
            FakeRun.trial(0, 0, "bad", FakeRun.settings("bad").with("broken", 1)),
            FakeRun.trial(1, 0, "put"));
    assertThat(ceiling.recordsPerSecond()).hasSize(1);
    assertThat(ceiling.of(FakeRun.trial(2, 1, "put"))).isPresent();
    assertThat(notes).hasSize(1);
  }
}
