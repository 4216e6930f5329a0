package io.pyrometer.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The settings that are options of the product are in effect: a grid is started with another value
 * than the default for each of them, and names these values when it is asked.
 */
public abstract class SettingsContract {
  private static final RecordShape PAIR =
      new RecordShape(
          "pair",
          Optional.empty(),
          List.of(new FieldShape("number", FieldType.LONG, 8, 1_000, 0, 1_000, List.of(), false)));

  /** Extended by a driver's tests. */
  protected SettingsContract() {}

  /** The driver under test. */
  protected abstract GridDriver driver();

  /** For each setting that is an option of the product a canonical value, not the default. */
  protected abstract Map<String, Object> given();

  /** Other settings that the servers need. */
  protected Settings others() {
    return Settings.NONE;
  }

  /** The name of a setting's value in the configuration that is read back. */
  protected String fact(String setting) {
    return "setting." + setting;
  }

  /** How the product writes a value. */
  protected String text(String setting, Object value) {
    return value.toString();
  }

  /** Number of servers. */
  protected int servers() {
    return 1;
  }

  /** Heap of a server that runs in its worker's JVM, in bytes. */
  protected long serverHeap() {
    return 256L << 20;
  }

  @Test
  void everyOptionIsInEffect(@TempDir Path folder) throws IOException {
    Optional<String> unavailable = driver().unavailable();
    assumeTrue(unavailable.isEmpty(), () -> unavailable.orElse(""));
    Settings all = others().with(new Settings(given()));
    Map<String, String> found = new TreeMap<>();
    try (TestGrid grid = TestGrid.start(driver(), servers(), 1, serverHeap(), folder, all)) {
      grid.started().forEach(server -> found.putAll(server.configuration()));
      grid.sessions().forEach(agent -> found.putAll(agent.configuration()));
      Command prepare = new Command.Prepare(trial(all), true, List.of());
      found.putAll(grid.agents().get(0).ask(prepare, Answer.Prepared.class).configuration());
    }
    given()
        .forEach(
            (setting, value) ->
                assertThat(found).containsEntry(fact(setting), text(setting, value)));
  }

  private TrialSpec trial(Settings all) {
    PathDescription path = driver().describe().paths().get(0);
    Settings settings =
        driver()
            .describe()
            .complete(path.name(), all)
            .with(new Settings(Map.of("path", path.name(), "records", 10L)));
    return new TrialSpec("settings", 0, 0, Map.of(), path.job(), settings, PAIR, 1);
  }

  @Test
  void everyOptionIsGivenAnotherValueThanItsDefault() {
    DriverDescription description = driver().describe();
    List<SettingDescription> options =
        description.settings().stream().filter(SettingsContract::isOption).toList();
    assertThat(given().keySet())
        .containsExactlyInAnyOrderElementsOf(
            options.stream().map(SettingDescription::name).toList());
    for (SettingDescription option : options) {
      assertThat(given().get(option.name()))
          .as(option.name())
          .isNotEqualTo(option.initial().orElseGet(() -> canonical(option)));
    }
  }

  private static boolean isOption(SettingDescription setting) {
    return setting.traits().tunable().filter(how -> !how.property().isEmpty()).isPresent();
  }

  /** The default of an option that is left to the product, as its declaration writes it. */
  protected String productDefault(String name) {
    return driver().describe().settings().stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .flatMap(setting -> setting.traits().tunable())
        .flatMap(SettingDescription.Tunable::productDefault)
        .orElseThrow(() -> new AssertionError("'" + name + "' has no default."));
  }

  private Object canonical(SettingDescription option) {
    String text = productDefault(option.name());
    return switch (option.type()) {
      case FLAG -> text.equals("on");
      case INTEGER -> text.matches("\\d+") ? (Object) Long.valueOf(text) : text;
      default -> text;
    };
  }
}
