package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.ignite.doctor.Doctor;
import io.pyrometer.driver.ignite.doctor.StatisticsWorkload;
import io.pyrometer.driver.ignite.node.Configurations;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.driver.ignite.path.Streamers;
import io.pyrometer.driver.ignite.scenario.IgniteScenario;
import io.pyrometer.driver.ignite.scenario.IgniteScenarios;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import io.pyrometer.scenario.ScenarioMessages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.ignite.stream.StreamReceiver;

/** Apache Ignite 2. */
public final class IgniteDriver implements GridDriver {

  @Override
  public DriverDescription describe() {
    return GridSettings.DECLARED.describe(
        List.of(IgniteScenarios.DESCRIPTIONS, IgniteChaos.DESCRIPTIONS, IgniteCaches.DESCRIPTIONS));
  }

  @Override
  public void loadClasses(TrialSpec trial) {
    if (trial.job() == ScenarioMessages.JOB) {
      IgniteScenario unused = IgniteScenarios.of(trial);
    } else if (trial.path().equals(Streamers.WITH_RECEIVER)) {
      StreamReceiver<Long, Object> unused = Streamers.receiver(trial.settings());
    } else if (trial.settings().has(Query.SETTING)) {
      List<Query> unused = Query.of(trial.settings());
    }
  }

  @Override
  public HealthReport examine(String config) {
    return Files.isDirectory(Path.of(config))
        ? Doctor.examineStatistics(Path.of(config))
        : Doctor.examine(Configurations.read(config), config);
  }

  @Override
  public WorkloadSample sample(String folder, long records) {
    return StatisticsWorkload.of(Path.of(folder), records);
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return ServerNode.start(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return IgniteSession.open(spec);
  }
}
