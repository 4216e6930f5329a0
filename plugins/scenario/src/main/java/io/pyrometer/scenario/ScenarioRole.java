package io.pyrometer.scenario;

import io.pyrometer.protocol.Settings;

/** Role of a process in a scenario. Each role but the client's may be taken several times. */
public enum ScenarioRole implements Coded {
  /** Publishes requests on a schedule and takes the replies. */
  CLIENT,
  /** Handles requests and answers with the state that it keeps in the grid. */
  SERVICE,
  /** Answers the services' own questions after a delay, in place of a remote service. */
  MOCK;

  /**
   * The role of an agent: first the client, then the services, then the mocks.
   *
   * @param agent index of the agent
   * @param settings of a scenario's trial or its processes
   */
  public static ScenarioRole of(int agent, Settings settings) {
    if (agent == 0) {
      return CLIENT;
    }
    return agent <= settings.get(ScenarioSettings.SERVICE_PROCESSES) ? SERVICE : MOCK;
  }

  /** The index of an agent among those of its role. */
  public static int indexOf(int agent, Settings settings) {
    return switch (of(agent, settings)) {
      case CLIENT -> 0;
      case SERVICE -> agent - 1;
      case MOCK -> agent - 1 - settings.get(ScenarioSettings.SERVICE_PROCESSES);
    };
  }

  /** The number of agents that a scenario needs. */
  public static int agents(Settings settings) {
    return 1
        + settings.get(ScenarioSettings.SERVICE_PROCESSES)
        + settings.get(ScenarioSettings.MOCK_PROCESSES);
  }

  /** The name of the process of this role and index, such as {@code service-0}. */
  public String process(int index) {
    return words() + "-" + index;
  }
}
