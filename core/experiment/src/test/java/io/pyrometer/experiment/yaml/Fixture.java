package io.pyrometer.experiment.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.protocol.Json;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two drivers that exist for the tests alone: one rich, one without servers to attach to. */
public final class Fixture {
  public static final Catalogue CATALOGUE = catalogue("drivers.json");

  /** The bundled experiments. */
  static final class Bundled {
    static final Map<String, String> BY_NAME = Catalogue.experiments(Path.of("../../experiments"));

    private Bundled() {}
  }

  private Fixture() {}

  /** The drivers that a file beside this class describes. */
  static Catalogue catalogue(String file) {
    try {
      String drivers = Catalogue.text("/io/pyrometer/experiment/yaml/" + file);
      return Catalogue.of(Json.LINES.readValue(drivers, new TypeReference<>() {}));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

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
}
