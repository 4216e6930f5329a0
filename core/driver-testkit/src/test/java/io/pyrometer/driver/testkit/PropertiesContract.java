package io.pyrometer.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options reach the product under its own names, and it refuses what it does not take. */
public abstract class PropertiesContract {
  private static final RecordShape PAIR =
      new RecordShape(
          "pair",
          Optional.empty(),
          List.of(new FieldShape("number", FieldType.LONG, 8, 1_000, 0, 1_000, List.of(), false)));

  /** Extended by a driver's tests. */
  protected PropertiesContract() {}

  /** The driver under test. */
  protected abstract GridDriver driver();

  /** Settings with options that are not the product's defaults. */
  protected abstract Map<String, Object> given();

  /** Configuration that the product then reports. */
  protected abstract Map<String, String> found();

  /** An option that the product does not take. */
  protected abstract Map<String, Object> refused();

  /** Words of the product's own that refuse it. */
  protected abstract String refusal();

  /** Number of servers. */
  protected int servers() {
    return 1;
  }

  @BeforeEach
  void requireProduct() {
    Optional<String> unavailable = driver().unavailable();
    assumeTrue(unavailable.isEmpty(), () -> unavailable.orElse(""));
  }

  private TestGrid start(Path folder, Settings settings) throws IOException {
    return TestGrid.start(driver(), servers(), 1, 512L << 20, folder, settings);
  }

  private Map<String, String> prepare(TestGrid grid, Settings settings) throws IOException {
    PathDescription path = driver().describe().paths().get(0);
    Settings complete =
        driver()
            .describe()
            .complete(path.name(), settings)
            .with(new Settings(Map.of("path", path.name(), "records", 10L)));
    TrialSpec trial = new TrialSpec("settings", 0, 0, Map.of(), path.job(), complete, PAIR, 1);
    return grid.agents()
        .get(0)
        .ask(new Command.Prepare(trial, true, List.of()), Answer.Prepared.class)
        .configuration();
  }

  @Test
  void optionsReachTheProduct(@TempDir Path folder) throws IOException {
    Settings settings = new Settings(given());
    Map<String, String> facts = new TreeMap<>();
    try (TestGrid grid = start(folder, settings)) {
      grid.started().forEach(server -> facts.putAll(server.configuration()));
      facts.putAll(prepare(grid, settings));
    }
    assertThat(facts).containsAllEntriesOf(found());
  }

  @Test
  void anOptionThatTheProductRefusesIsRefusedInItsWords(@TempDir Path folder) {
    Settings settings = new Settings(refused());
    assertThatThrownBy(
            () -> {
              try (TestGrid grid = start(folder, settings)) {
                prepare(grid, settings);
              }
            })
        .hasMessageContaining(refusal());
  }
}
