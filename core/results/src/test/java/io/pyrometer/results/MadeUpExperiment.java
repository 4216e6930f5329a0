package io.pyrometer.results;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Interleaving.Version;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two treatments of which runs can be made up. */
public final class MadeUpExperiment {
  private MadeUpExperiment() {}

  public static MadeUpRun runOf(int blocks) {
    return runOf(blocks, 1);
  }

  public static MadeUpRun runOf(int blocks, long seed) {
    return MadeUpRun.of(experiment(blocks, seed), Fixture.CATALOGUE);
  }

  /** Two versions of the same in the same blocks. */
  public static MadeUpRun interleaved(int blocks) {
    return interleaved(experiment(blocks, 1));
  }

  /** Two versions of an experiment in the same blocks. */
  public static MadeUpRun interleaved(Experiment experiment) {
    return MadeUpRun.of(
            InterleavedPlan.of(experiment, experiment, Fixture.CATALOGUE), Fixture.CATALOGUE)
        .comparing(
            new Interleaving(
                new Version("before", List.of()),
                new Version("after", List.of()),
                Optional.empty(),
                Map.of(),
                List.of()));
  }

  private static Experiment experiment(int blocks, long seed) {
    return Fixture.read(
        MadeUpRun.file("made-up", "factors: {path: [put, put-all]}\nblocks: %d\nseed: %d\n")
            .formatted(blocks, seed));
  }

  /** A setting of the load with these values; the first is the default. */
  public static SettingDescription choice(String name, String summary, String... choices) {
    return new SettingDescription(
        name,
        SettingDescription.Type.CHOICE,
        SettingDescription.Scope.LOAD,
        Optional.of(choices[0]),
        List.of(choices),
        Optional.empty(),
        Optional.empty(),
        summary,
        SettingDescription.Traits.NONE);
  }

  /** A product with these paths alone. */
  public static DriverDescription grid(String name, List<PathDescription> paths) {
    return grid(name, List.of(), paths, List.of(), List.of());
  }

  /** A product with all that reports ask a driver for. */
  public static DriverDescription grid(
      String name,
      List<SettingDescription> settings,
      List<PathDescription> paths,
      List<EqualTerm> terms,
      List<FrameCategory> categories) {
    return new DriverDescription(
        name,
        name,
        "1",
        "A grid.",
        List.of("nodes"),
        ServerDescription.NO_PORTS,
        List.of(),
        settings,
        paths,
        terms,
        DataFactRules.NONE,
        categories,
        List.of());
  }
}
