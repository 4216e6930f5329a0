package io.pyrometer.scenario;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
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
      SettingKey.text("scenario-class", Scope.LOAD)
          .meaning("Class of the scenario, with a constructor without arguments, on --classpath.");

  /** Steps of such a scenario for each request, where its class offers steps. */
  public static final SettingKey<String> STEPS =
      SettingKey.steps("steps", Scope.LOAD)
          .meaning(
              "What is done for each request, in this order: steps that the scenario's class"
                  + " offers, and pauses of a random time.");

  public static final SettingKey<Double> RATE =
      SettingKey.decimal("rate", SettingDescription.Type.DECIMAL, Scope.LOAD, 500.0, 0.1, 1e6)
          .meaning(
              "Requests per second that all publishers offer, whether or not they are answered.");
  public static final SettingKey<Integer> PUBLISHERS =
      SettingKey.integer("publishers", Scope.LOAD, 10, 1, 1_000)
          .meaning(
              "Publishers of the client, each of which sends its share of the requests on a"
                  + " schedule of its own.");
  public static final SettingKey<Integer> SERVICE_PROCESSES =
      SettingKey.integer("service-processes", Scope.PROCESS, 1, 1, 16)
          .meaning("Processes that run the service, each a client of the grid.");
  public static final SettingKey<Integer> MOCK_PROCESSES =
      SettingKey.integer("mock-processes", Scope.PROCESS, 1, 1, 16)
          .meaning("Processes that stand in for the remote service.");
  public static final SettingKey<Integer> SERVICE_THREADS =
      SettingKey.integer("service-threads", Scope.LOAD, 64, 1, 1_024)
          .meaning("Threads of each service process that handle messages.");
  public static final SettingKey<Integer> MOCK_THREADS =
      SettingKey.integer("mock-threads", Scope.LOAD, 64, 1, 1_024)
          .meaning("Threads of each mock process.");
  public static final SettingKey<Integer> ANSWERS_LEAST =
      SettingKey.integer("answers-least", Scope.LOAD, 1, 1, 64)
          .meaning("Fewest answers of the mock to one request; the number is drawn uniformly.");
  public static final SettingKey<Integer> ANSWERS_MOST =
      SettingKey.integer("answers-most", Scope.LOAD, 3, 1, 64)
          .meaning("Most answers of the mock to one request.");
  public static final SettingKey<String> FIRST_ANSWER_DELAY =
      SettingKey.distribution("first-answer-delay", Scope.LOAD, "constant 0ms")
          .meaning("Time that the mock takes before its first answer.");
  public static final SettingKey<String> ANSWER_DELAY =
      SettingKey.distribution("answer-delay", Scope.LOAD, "uniform 30ms 70ms")
          .meaning("Time that the mock takes between one answer and the next.");
  public static final SettingKey<Double> REQUEST_TIMEOUT =
      SettingKey.seconds("request-timeout", Scope.LOAD, 10.0, 0.01, 3_600)
          .meaning("Time after which the service ends a request that lacks answers.")
          .warmUpAtMost(1);
  public static final SettingKey<Double> REPLY_TIMEOUT =
      SettingKey.seconds("reply-timeout", Scope.LOAD, 20.0, 0.02, 7_200)
          .meaning("Time after which the client gives up a request without a reply.")
          .warmUpAtMost(3);
  public static final SettingKey<String> KILL =
      SettingKey.choice("kill", Scope.LOAD, KILL_NOTHING, KILL_SERVICE, KILL_NODE)
          .meaning(
              "Process that is killed (SIGKILL) in the measured part: the last service process or"
                  + " the last server of the grid.");
  public static final SettingKey<Double> KILL_AFTER =
      SettingKey.seconds("kill-after", Scope.LOAD, 1.0, 0, 3_600)
          .meaning("When it is killed, from the start of the measured part.");
  public static final SettingKey<Integer> DROP_MESSAGE =
      SettingKey.integer("drop-message", Scope.LOAD, 0, 0, 1_000_000_000)
          .meaning(
              "Each mock drops this answer of its own on purpose, counted from 1; the"
                  + " verification must find it to be lost, and nothing else. 0 for none.")
          .warmUpAtMost(0);

  /** All descriptions, in the order of the documentation. */
  public static final List<SettingDescription> ALL =
      SettingKey.descriptions(
          RATE,
          PUBLISHERS,
          SERVICE_PROCESSES,
          MOCK_PROCESSES,
          SERVICE_THREADS,
          MOCK_THREADS,
          ANSWERS_LEAST,
          ANSWERS_MOST,
          FIRST_ANSWER_DELAY,
          ANSWER_DELAY,
          REQUEST_TIMEOUT,
          REPLY_TIMEOUT,
          KILL,
          KILL_AFTER,
          DROP_MESSAGE);

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
