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
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer sample}. */
@Command(name = "sample", mixinStandardHelpOptions = true)
final class SampleCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "FILE")
  String file = "";

  @Option(names = "--statistics", paramLabel = "FOLDER")
  Optional<Path> statistics = Optional.empty();

  @Option(names = "--look-at", paramLabel = "N")
  int lookAt = 1_000;

  @Option(names = "--records", paramLabel = "N")
  long records = 100_000;

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Mixin JsonOption form = new JsonOption();

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
            ? DoctorCommand.reader(ableToRead(catalogue), catalogue)
            : ExperimentReader.read(file, catalogue);
    Plan plan = Planner.plan(experiment, catalogue);
    PlannedRun planned = classes.planned(plan, catalogue);
    if (file.isEmpty()) {
      return print(planned, "", Optional.empty());
    }
    String cache = existing(plan);
    CacheSample sample = TestbedCheck.sample(planned, Home.distribution(), cache, lookAt);
    if (statistics.isPresent()) {
      return print(planned, cache, Optional.of(sample));
    }
    if (form.json) {
      form.print(spec.commandLine(), sample);
    } else {
      spec.commandLine()
          .getOut()
          .print(
              SampledExperiment.of(
                  sample,
                  cache,
                  experiment,
                  planned.driver(planned.groups().get(0).settings()),
                  records));
    }
    spec.commandLine().getOut().flush();
    return Main.OK;
  }

  private static String ableToRead(Catalogue catalogue) {
    return DoctorCommand.able(catalogue).stream()
        .findFirst()
        .orElseThrow(() -> new RunException("No driver reads performance statistics."));
  }

  /** Prints an experiment that repeats the workload in the statistics. */
  private int print(PlannedRun plan, String cache, Optional<CacheSample> sample) {
    WorkloadSample recorded =
        TestbedCheck.sample(
            plan,
            Home.distribution(),
            statistics.orElseThrow(),
            Math.min(records, sample.map(CacheSample::count).orElse(records)));
    if (form.json) {
      form.print(spec.commandLine(), recorded);
    } else {
      DriverDescription driver = plan.driver(plan.groups().get(0).settings());
      spec.commandLine()
          .getOut()
          .print(SampledExperiment.of(recorded, cache, sample, plan.testbed(), driver));
      if (!Console.terminal()) {
        PrintWriter err = spec.commandLine().getErr();
        recorded.notes().forEach(note -> Console.say(err, note.phrase()));
      }
    }
    spec.commandLine().getOut().flush();
    return Main.OK;
  }

  private String existing(Plan plan) {
    return plan.trials().stream()
        .map(TrialSpec::settings)
        .filter(settings -> settings.has(CoreSettings.EXISTING_CACHE))
        .map(settings -> settings.get(CoreSettings.EXISTING_CACHE))
        .findFirst()
        .orElseThrow(
            () ->
                RunException.of(
                    "%s reads no cache that is in a grid already: name one as 'existing-cache' in"
                        + " the workload.",
                    file));
  }
}
