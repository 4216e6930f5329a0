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
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer sample}. */
@Command(
    name = "sample",
    mixinStandardHelpOptions = true,
    description =
        "Looks at some records of the cache that an experiment reads ('existing-cache'), and prints"
            + " an experiment that writes and reads records of the same shape, in caches of"
            + " Pyrometer's own with the same settings. No text of yours is printed; the least and"
            + " the greatest of numbers and times are. With --statistics, the experiment repeats the"
            + " operations and their rate in files of Ignite's performance statistics.",
    footer = {
      "",
      "Examples:",
      "  pyrometer sample my-orders.yaml > like-orders.yaml",
      "  pyrometer sample --statistics perf_stat > like-production.yaml"
    })
final class SampleCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "An experiment that reads the cache; not needed with --statistics.")
  String file = "";

  @Option(
      names = "--statistics",
      paramLabel = "FOLDER",
      description = "Files of Ignite's performance statistics, node-ID.prf or node-ID.prf.gz.")
  Optional<Path> statistics = Optional.empty();

  @Option(
      names = "--look-at",
      paramLabel = "N",
      description = "How many records to look at, at most (default: ${DEFAULT-VALUE}).")
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
    ClassPathOption.mustExist("--classpath", classes.classPath);
    if (file.isEmpty() && statistics.isEmpty()) {
      throw new RunException("Name an experiment that reads the cache, or use --statistics.");
    }
    Catalogue catalogue = Home.catalogue();
    Experiment experiment =
        file.isEmpty()
            ? DoctorCommand.reader(DoctorCommand.able(catalogue).get(0), catalogue)
            : ExperimentReader.read(file, catalogue);
    Plan plan = Planner.plan(experiment, catalogue);
    PlannedRun planned =
        PlannedRun.of(
            plan, RunCommand.drivers(catalogue, experiment), List.of(), classes.classPath);
    if (file.isEmpty()) {
      return print(recorded(planned), Optional.empty(), planned);
    }
    String cache = existing(plan);
    CacheSample sample = TestbedCheck.sample(planned, Home.distribution(), cache, lookAt);
    if (statistics.isPresent()) {
      return print(recorded(planned), Optional.of(sample), planned);
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

  private WorkloadSample recorded(PlannedRun plan) {
    return TestbedCheck.sample(plan, Home.distribution(), statistics.orElseThrow());
  }

  private int print(WorkloadSample recorded, Optional<CacheSample> cache, PlannedRun plan) {
    if (form.json) {
      form.print(spec.commandLine(), recorded);
    } else {
      spec.commandLine()
          .getOut()
          .print(
              SampledExperiment.of(
                  recorded,
                  cache,
                  plan.testbed(),
                  plan.driver(plan.groups().get(0).settings())));
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
