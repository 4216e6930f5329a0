package io.pyrometer.chaos;

import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Optional;

/** Trials that break a grid while few keys are read and written, and check what it answered. */
public final class ChaosKind implements TrialKind {
  private static final RecordShape RECORD = new RecordShape("chaos", Optional.empty(), List.of());

  /** To recover from the last fault, and to check the history. */
  private static final double MORE_SECONDS = 8;

  @Override
  public Job job() {
    return ChaosMessages.JOB;
  }

  @Override
  public String key() {
    return "chaos";
  }

  @Override
  public String description() {
    return "Instead of a record and a path: operations of the driver whose history is checked under"
        + " faults.";
  }

  @Override
  public RecordShape record() {
    return RECORD;
  }

  /** One agent, so that all operations are timed by one clock. */
  @Override
  public Settings derive(Settings complete) {
    List<String> prepared =
        ChaosSettings.faults(complete).stream()
            .filter(FaultKind.PREPARED::contains)
            .distinct()
            .sorted()
            .map(FaultKind::word)
            .toList();
    return complete
        .with(CoreSettings.AGENTS.name(), 1L)
        .with(
            ChaosSettings.PREPARED.name(),
            prepared.isEmpty() ? SettingKey.NO_NAMES : String.join(",", prepared));
  }

  @Override
  public List<String> beforeServer(Settings process, String workFolder) {
    return ServerPreparation.before(
        process.get(ChaosSettings.PREPARED).stream().map(FaultKind::of).toList(), workFolder);
  }

  @Override
  public Optional<String> missing(Settings settings) {
    return ChaosSettings.faults(settings).stream()
        .flatMap(fault -> ServerPreparation.lacking(fault).stream())
        .findFirst();
  }

  @Override
  public Optional<String> obstacle(Settings settings, boolean namespaces) {
    int servers = settings.get(CoreSettings.NODES);
    boolean persistent = ChaosSettings.persistent(settings);
    return ChaosSettings.faults(settings).stream()
        .flatMap(fault -> fault.obstacle(servers, namespaces, persistent).stream())
        .findFirst();
  }

  @Override
  public double seconds(TrialSpec trial) {
    return MORE_SECONDS
        + trial.settings().get(CoreSettings.WARM_UP)
        + trial.settings().get(CoreSettings.MEASURE);
  }
}
