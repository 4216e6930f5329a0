package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.check.TestbedCheck;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.SampledExperiment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer sample}. */
@Command(name = "sample", mixinStandardHelpOptions = true)
final class SampleCommand extends JsonCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "FILE")
  String file = "";

  @Option(names = "--statistics", paramLabel = "FOLDER")
  Optional<Path> statistics = Optional.empty();

  @Option(names = "--look-at", paramLabel = "N")
  int lookAt = 1_000;

  @Option(names = "--records", paramLabel = "N")
  long records = 100_000;

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Override
  public Integer call() {
    if (lookAt < 1 || records < 1) {
      throw new RunException("--look-at and --records take numbers of 1 or more.");
    }
    classes.mustExist();
    if (file.isEmpty() && statistics.isEmpty()) {
      throw new RunException("Name an experiment that reads the cache, or use --statistics.");
    }
    Catalogue catalogue = Home.catalogue();
    Experiment experiment =
        file.isEmpty()
            ? DoctorCommand.reader(Optional.empty(), catalogue)
            : ExperimentReader.read(file, catalogue);
    Plan plan = Planner.plan(experiment, catalogue);
    PlannedRun planned = classes.planned(plan, catalogue);
    if (file.isEmpty()) {
      return printRecorded(planned, "", Optional.empty());
    }
    String cache = existing(plan);
    CacheSample sample = TestbedCheck.sample(planned, Home.distribution(), cache, lookAt);
    if (statistics.isPresent()) {
      return printRecorded(planned, cache, Optional.of(sample));
    }
    DriverDescription driver = planned.driver(planned.groups().get(0).settings());
    return print(sample, () -> SampledExperiment.of(sample, cache, experiment, driver, records));
  }

  /** Prints an experiment that repeats the workload in the statistics. */
  private int printRecorded(PlannedRun plan, String cache, Optional<CacheSample> sample) {
    WorkloadSample recorded =
        TestbedCheck.sample(
            plan,
            Home.distribution(),
            statistics.orElseThrow(),
            Math.min(records, sample.map(CacheSample::count).orElse(records)));
    DriverDescription driver = plan.driver(plan.groups().get(0).settings());
    int code =
        print(
            recorded, () -> SampledExperiment.of(recorded, cache, sample, plan.testbed(), driver));
    if (!json && !Console.terminal()) {
      recorded.notes().forEach(note -> Console.say(line().getErr(), note.phrase()));
    }
    return code;
  }

  private int print(Object sample, Supplier<String> experiment) {
    if (json) {
      print(sample);
    } else {
      people().print(experiment.get());
      people().flush();
    }
    return Main.OK;
  }

  private String existing(Plan plan) {
    return plan.trials().stream()
        .map(TrialSpec::settings)
        .flatMap(settings -> settings.find(CoreSettings.EXISTING_CACHE).stream())
        .findFirst()
        .orElseThrow(
            () ->
                RunException.of(
                    "%s reads no cache that is in a grid already: name one as 'existing-cache' in"
                        + " the workload.",
                    file));
  }
}
