package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import java.util.List;

/** The driver 'null'. */
public final class NullDriver implements GridDriver {
  private static final Declarations DECLARED = Declarations.beside(NullDriver.class, "1");

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(List.of());
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return (trial, records, creator) -> new ArrayTrial(trial, records);
  }
}
