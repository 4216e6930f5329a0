package io.pyrometer.worker;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the driver that is in this JVM's class path. */
final class Drivers {

  private Drivers() {}

  /**
   * @throws GridException if there is none of the name
   */
  static GridDriver named(String name) {
    List<String> found = new ArrayList<>();
    for (GridDriver driver : ServiceLoader.load(GridDriver.class)) {
      if (driver.describe().name().equals(name)) {
        return driver;
      }
      found.add(driver.describe().name());
    }
    throw new GridException(Messages.format("worker.no-driver").formatted(name, found));
  }
}
