package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonWarmUpTest {
  private final VirtualTime time = new VirtualTime();
  private final List<String> turns = new ArrayList<>();

  /** Warms three paths up, of which each turn leaves such a share of compilers. */
  private void over(double seconds, ToDoubleFunction<String> share) throws CommonWarmUp.Failure {
    List<TrialSpec> trials = new ArrayList<>();
    for (String path : List.of("put", "get", "compute")) {
      trials.add(FakeRun.trial(trials.size(), 0, path, FakeRun.settings(path)));
    }
    CommonWarmUp.over(
        FakeRun.driver("fake"),
        trials,
        false,
        seconds,
        (trial, turn) -> {
          turns.add(trial.path());
          time.sleep(Duration.ofNanos(Math.round(turn * 1e9)));
          return share.applyAsDouble(trial.path());
        },
        time);
  }

  @Test
  void theTimeGoesToThePathsThatStillCompile() throws CommonWarmUp.Failure {
    Map<String, Double> cold = Map.of("put", 0.3, "get", 0.04, "compute", 0.2);
    over(20, path -> path.equals("compute") && turns.size() > 4 ? 0.01 : cold.get(path));
    assertThat(turns).containsExactly("put", "get", "compute", "put", "compute", "put", "put");
  }

  @Test
  void everyPathHasOneTurnHoweverShortTheLimit() throws CommonWarmUp.Failure {
    over(0.6, path -> 0.5);
    assertThat(turns).containsExactly("put", "get", "compute");
  }

  @ParameterizedTest
  @CsvSource({"false, 0", "true, 1500"})
  void aRateIsOfferedInTheWarmUpOnlyWhereNoMoreMayBe(boolean asOffered, double rate)
      throws CommonWarmUp.Failure {
    Settings settings = FakeRun.settings("put").with(CoreSettings.RATE, 1_500.0);
    List<Double> rates = new ArrayList<>();
    CommonWarmUp.over(
        FakeRun.driver("fake"),
        List.of(FakeRun.trial(0, 0, "put", settings)),
        asOffered,
        1,
        (trial, turn) -> {
          rates.add(trial.settings().get(CoreSettings.RATE));
          return 0;
        },
        time);
    assertThat(rates).containsExactly(rate);
  }
}
