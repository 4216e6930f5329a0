package io.pyrometer.worker.recorders;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Commands of {@code jcmd} to this JVM. */
final class DiagnosticCommand {
  private DiagnosticCommand() {}

  /**
   * Runs one.
   *
   * @param command by the name of its MBean operation, such as {@code vmLog} for {@code VM.log}
   * @return what it printed
   * @throws JMException if this JVM has no such command, or refuses it
   */
  static String run(String command, String... arguments) throws JMException {
    Object said =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                command,
                new Object[] {arguments},
                new String[] {String[].class.getName()});
    return String.valueOf(said);
  }
}
