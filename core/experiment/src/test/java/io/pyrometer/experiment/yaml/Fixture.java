package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFactRules.Rule;
import io.pyrometer.protocol.DeclaredSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.DriverDescription.Tunable;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription.Needs;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two drivers that exist for the tests alone: one rich, one without servers to attach to. */
public final class Fixture {
  private static final DeclaredSettings DECLARED = DeclaredSettings.beside(Fixture.class);

  private static final SettingKey<Integer> BATCH =
      SettingKey.integer("batch", Scope.LOAD, 1000, 1, 1_000_000).meaning("Records a call.");
  private static final SettingKey<Integer> WINDOW =
      SettingKey.integer("in-flight", Scope.LOAD, 16, 1, 4096).meaning("Calls in flight.");

  private static final Map<String, String> REPLICATED = Map.of("cache-mode", "REPLICATED");

  public static final Catalogue CATALOGUE = Catalogue.of(List.of(rich(), plain()));

  /** The bundled experiments. */
  static final class Bundled {
    static final Map<String, String> BY_NAME = Catalogue.experiments(Path.of("../../experiments"));

    private Bundled() {}
  }

  private Fixture() {}

  public static Experiment read(String text) {
    return ExperimentReader.read(text, "test.yaml", Path.of(""), CATALOGUE);
  }

  public static Plan plan(Experiment experiment) {
    return Planner.plan(experiment, CATALOGUE);
  }

  /** The experiment after these {@code --set} options. */
  public static Experiment set(Experiment experiment, String... options) {
    return new Overrides(false, Optional.empty(), Optional.empty(), List.of(options))
        .applyTo(experiment, CATALOGUE);
  }

  /** An experiment whose parts after the workload are given. */
  public static Experiment withTail(String tail) {
    return of("driver: rich", "", tail);
  }

  /** An experiment of these settings of the grid and the workload, and what follows them. */
  public static Experiment of(String grid, String workload, String tail) {
    return read(
        """
        pyrometer: 1
        name: test
        question: Which?
        grid: {%s}
        workload: {record: stock-order, records: 1000, %s}
        """
                .formatted(grid, workload)
            + tail);
  }

  private static DriverDescription rich() {
    return new DriverDescription(
        "rich",
        "Rich Grid",
        "1.0",
        "A driver with everything.",
        List.of("nodes", "attach", "config", DriverDescription.PROPERTIES),
        ServerDescription.NO_PORTS,
        List.of(),
        DECLARED.list("settings"),
        List.of(
            path("put", Job.WRITE, true),
            path("put-all", Job.WRITE, false, BATCH),
            path("put-async", Job.WRITE, false, WINDOW),
            path(
                "put-all-async",
                Job.WRITE,
                false,
                SettingKey.integer("batch", Scope.LOAD, 500, 1, 10_000).meaning("Records a call."),
                WINDOW),
            path("get", Job.AGGREGATE, true),
            path("get-all", Job.AGGREGATE, false, BATCH),
            new PathDescription(
                "scan",
                Job.AGGREGATE,
                false,
                "A path.",
                Optional.empty(),
                List.of(),
                true,
                List.of()),
            path("mix", Job.MIX, true, DECLARED.key("mix", Settings::text), BATCH),
            path("update", Job.UPDATE, true),
            path("existing-get", Job.READ, true)),
        List.of(),
        new DataFactRules(
            List.of(
                new Rule("copies", "0", List.of(CoreSettings.NODES.name()), REPLICATED),
                new Rule("copies", "1", List.of("backups"), Map.of()),
                new Rule("Placement", "REPLICATED", List.of(), REPLICATED))),
        List.of(),
        List.of(
            new Tunable("node-heap", List.of("256m", "2g"), Optional.empty(), Optional.empty()),
            new Tunable(
                "properties.store.pages", List.of("1", "8"), Optional.of("4"), Optional.empty()),
            new Tunable(
                "properties.log.size",
                List.of("1", "8"),
                Optional.empty(),
                Optional.of(new Needs("persistence", List.of("true"))))));
  }

  private static DriverDescription plain() {
    return new DriverDescription(
        "plain",
        "Plain Grid",
        "1.0",
        "A driver with next to nothing.",
        List.of(),
        ServerDescription.NO_PORTS,
        List.of(),
        List.of(),
        List.of(
            path("put", Job.WRITE, true),
            path("put-again", Job.WRITE, false, PathSettings.PARTITION_AWARENESS),
            new PathDescription(
                "store",
                Job.WRITE,
                false,
                "A path that skips keys that exist.",
                Optional.of(new Guarantee(false, true, true, true)),
                List.of())),
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }

  private static PathDescription path(
      String name, Job job, boolean plainest, SettingKey<?>... settings) {
    Optional<Guarantee> guarantee =
        job.isProbed() ? Optional.of(Guarantee.OF_ONE) : Optional.empty();
    return new PathDescription(
        name, job, plainest, "A path.", guarantee, SettingKey.descriptions(settings));
  }
}
