package io.pyrometer.driver.ignite.node;

import org.apache.ignite.Ignite;
import org.apache.ignite.failure.AbstractFailureHandler;
import org.apache.ignite.failure.FailureContext;

/**
 * Ends the JVM at once when Ignite says that its node cannot go on: a node that is stopped in good
 * order may hang on the very fault.
 */
final class HaltOnFailure extends AbstractFailureHandler {
  static final int EXIT_CODE = 70;

  @Override
  protected boolean handle(Ignite ignite, FailureContext failure) {
    System.err.println("The Ignite node failed (" + failure.type() + ") and ends.");
    if (failure.error() != null) {
      failure.error().printStackTrace();
    }
    System.err.flush();
    Runtime.getRuntime().halt(EXIT_CODE);
    return true;
  }
}
