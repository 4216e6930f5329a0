package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Isolation;
import java.util.Optional;

/** Single operations by one client of the product, which all processes share. */
public interface RegisterSession extends ChaosSession, ChaosClient {

  @Override
  default Optional<Isolation> isolation() {
    return Optional.empty();
  }

  @Override
  default ChaosClient client(int process) {
    return this;
  }

  /** Called at the end of each process too. */
  @Override
  default void close() {}
}
