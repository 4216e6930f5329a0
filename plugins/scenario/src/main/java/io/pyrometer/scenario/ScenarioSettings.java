package io.pyrometer.scenario;

import io.pyrometer.protocol.DeclaredSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings that mean the same in every scenario. A driver adds them to the settings of each of
 * its scenarios.
 */
public final class ScenarioSettings {
  private static final DeclaredSettings DECLARED = DeclaredSettings.beside(ScenarioSettings.class);

  /** No process is killed. */
  public static final String KILL_NOTHING = "nothing";

  /** A service process is killed. */
  public static final String KILL_SERVICE = "service";

  /** A server of the grid is killed. */
  public static final String KILL_NODE = "node";

  /** The path of scenarios that are classes of the user's own. */
  public static final String OWN_SCENARIO = "own-scenario";

  /** The class of such a scenario. */
  public static final SettingKey<String> SCENARIO_CLASS =
      DECLARED.key("scenario-class", Settings::text);

  /** Steps of such a scenario for each request, where its class offers steps. */
  public static final SettingKey<String> STEPS = DECLARED.key("steps", Settings::text);

  public static final SettingKey<Double> RATE = DECLARED.key("rate", Settings::decimal);
  public static final SettingKey<Integer> PUBLISHERS =
      DECLARED.key("publishers", Settings::integer);
  public static final SettingKey<Integer> SERVICE_PROCESSES =
      DECLARED.key("service-processes", Settings::integer);
  public static final SettingKey<Integer> MOCK_PROCESSES =
      DECLARED.key("mock-processes", Settings::integer);
  public static final SettingKey<Integer> SERVICE_THREADS =
      DECLARED.key("service-threads", Settings::integer);
  public static final SettingKey<Integer> MOCK_THREADS =
      DECLARED.key("mock-threads", Settings::integer);
  public static final SettingKey<Integer> ANSWERS_LEAST =
      DECLARED.key("answers-least", Settings::integer);
  public static final SettingKey<Integer> ANSWERS_MOST =
      DECLARED.key("answers-most", Settings::integer);
  public static final SettingKey<String> FIRST_ANSWER_DELAY =
      DECLARED.key("first-answer-delay", Settings::text);
  public static final SettingKey<String> ANSWER_DELAY =
      DECLARED.key("answer-delay", Settings::text);
  public static final SettingKey<Double> REQUEST_TIMEOUT =
      DECLARED.key("request-timeout", Settings::decimal);
  public static final SettingKey<Double> REPLY_TIMEOUT =
      DECLARED.key("reply-timeout", Settings::decimal);
  public static final SettingKey<String> KILL = DECLARED.key("kill", Settings::text);
  public static final SettingKey<Double> KILL_AFTER = DECLARED.key("kill-after", Settings::decimal);
  public static final SettingKey<Integer> DROP_MESSAGE =
      DECLARED.key("drop-message", Settings::integer);

  /** All descriptions, in the order of the documentation. */
  public static final List<SettingDescription> ALL = DECLARED.list("settings");

  private ScenarioSettings() {}

  /** How many answers the mocks drop on purpose, all of them together: each drops one. */
  public static int dropped(Settings settings) {
    return settings.find(DROP_MESSAGE).orElse(0) > 0 ? settings.get(MOCK_PROCESSES) : 0;
  }

  /**
   * The settings of one scenario: these, and its own, which replace those of the same name.
   *
   * @param own of the scenario
   */
  public static List<SettingDescription> with(SettingKey<?>... own) {
    Set<String> names = Stream.of(own).map(SettingKey::name).collect(Collectors.toSet());
    return Stream.concat(
            ALL.stream().filter(setting -> !names.contains(setting.name())),
            SettingKey.descriptions(own).stream())
        .toList();
  }
}
