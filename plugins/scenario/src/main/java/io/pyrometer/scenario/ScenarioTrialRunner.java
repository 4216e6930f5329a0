package io.pyrometer.scenario;

import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs trials in which requests pass through several processes, which use the grid. */
public final class ScenarioTrialRunner implements KindRunner {
  private static final List<SettingKey<?>> WITHOUT_CODE_OF_THEIR_OWN =
      List.of(
          ScenarioSettings.RATE,
          ScenarioSettings.KILL,
          ScenarioSettings.KILL_AFTER,
          ScenarioSettings.DROP_MESSAGE);

  @Override
  public Job job() {
    return ScenarioMessages.JOB;
  }

  @Override
  public TrialRecord run(Request request) {
    return new ScenarioTrial(request).run();
  }

  @Override
  public double warmUp(Request request, double seconds) {
    return new ScenarioTrial(request).warmUpOnly(seconds);
  }

  /** The code that a scenario runs depends on its settings, except on its rate and its faults. */
  @Override
  public Object code(TrialSpec trial) {
    Map<String, Object> settings = new HashMap<>(trial.settings().values());
    WITHOUT_CODE_OF_THEIR_OWN.forEach(setting -> settings.remove(setting.name()));
    return settings;
  }

  /** The one with the lower rate: overload leaves a queue. */
  @Override
  public TrialSpec lighter(TrialSpec one, TrialSpec other) {
    boolean lower =
        other.settings().get(ScenarioSettings.RATE) < one.settings().get(ScenarioSettings.RATE);
    return lower ? other : one;
  }
}
