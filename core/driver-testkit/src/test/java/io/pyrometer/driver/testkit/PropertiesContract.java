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

  private final GridDriver driver;
  private final Settings given;
  private final Map<String, String> found;
  private final Settings refused;
  private final String refusal;

  /**
   * Extended by a driver's tests.
   *
   * @param given settings with options that are not the product's defaults
   * @param found configuration that the product then reports
   * @param refused an option that the product does not take
   * @param refusal words of the product's own that refuse it
   */
  protected PropertiesContract(
      GridDriver driver,
      Map<String, Object> given,
      Map<String, String> found,
      Map<String, Object> refused,
      String refusal) {
    this.driver = driver;
    this.given = new Settings(given);
    this.found = found;
    this.refused = new Settings(refused);
    this.refusal = refusal;
  }

  /** Number of servers. */
  protected int servers() {
    return 1;
  }

  @BeforeEach
  void requireProduct() {
    Optional<String> unavailable = driver.unavailable();
    assumeTrue(unavailable.isEmpty(), () -> unavailable.orElse(""));
  }

  /** Configuration that servers and a trial report. */
  private Map<String, String> facts(Path folder, Settings settings) throws IOException {
    PathDescription path = driver.describe().paths().get(0);
    Settings complete =
        driver
            .describe()
            .complete(path.name(), settings)
            .with("path", path.name())
            .with("records", 10L);
    TrialSpec trial = new TrialSpec("settings", 0, 0, Map.of(), path.job(), complete, PAIR, 1);
    try (TestGrid grid = TestGrid.start(driver, servers(), 1, 512L << 20, folder, settings)) {
      Map<String, String> facts = new TreeMap<>();
      grid.started().forEach(server -> facts.putAll(server.configuration()));
      Command prepare = new Command.Prepare(trial, true, List.of());
      facts.putAll(grid.agents().get(0).ask(prepare, Answer.Prepared.class).configuration());
      return facts;
    }
  }

  @Test
  void optionsReachTheProduct(@TempDir Path folder) throws IOException {
    assertThat(facts(folder, given)).containsAllEntriesOf(found);
  }

  @Test
  void anOptionThatTheProductRefusesIsRefusedInItsWords(@TempDir Path folder) {
    assertThatThrownBy(() -> facts(folder, refused)).hasMessageContaining(refusal);
  }
}
