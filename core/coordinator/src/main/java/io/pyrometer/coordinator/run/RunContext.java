package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.WorkerLauncher;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.MachineReading;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Means to carry out a run.
 *
 * @param source says which trials of the plan are made next
 * @param launcher makes what starts processes; it is given what to do first when this JVM is told
 *     to end
 * @param namespaces makes hosts of the machine's network namespaces
 * @param machine reads what the machine has done so far
 */
public record RunContext(
    PlannedRun plan,
    TrialSource source,
    RunFolder folder,
    Distribution distribution,
    Progress progress,
    Function<Runnable, ProcessLauncher> launcher,
    NamespaceCommands namespaces,
    Supplier<MachineReading> machine,
    Time time) {

  public static RunContext of(
      PlannedRun plan,
      TrialSource source,
      RunFolder folder,
      Distribution distribution,
      Progress progress) {
    return new RunContext(
        plan,
        source,
        folder,
        distribution,
        progress,
        WorkerLauncher::new,
        NamespaceCommands.SYSTEM,
        MachineReading::now,
        Time.SYSTEM);
  }
}
