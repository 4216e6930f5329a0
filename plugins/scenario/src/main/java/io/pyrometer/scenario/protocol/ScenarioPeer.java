package io.pyrometer.scenario.protocol;

/**
 * Another process of a scenario.
 *
 * @param index among the processes of its role
 * @param address of its host
 * @param port where it listens
 */
public record ScenarioPeer(ScenarioRole role, int index, String address, int port) {

  /** Its name, such as {@code mock-0}. */
  public String name() {
    return role.process(index);
  }
}
