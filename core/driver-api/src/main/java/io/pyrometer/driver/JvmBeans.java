package io.pyrometer.driver;

import io.pyrometer.driver.WatchedServers.Collections;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * The platform's beans of a JVM, this one or another: those that every JVM has, and the commands of
 * {@code jcmd}, which are HotSpot's.
 */
public record JvmBeans(MBeanServerConnection beans) {
  /** Those of this JVM. */
  public static final JvmBeans OWN = new JvmBeans(ManagementFactory.getPlatformMBeanServer());

  static final String RUNTIME = "java.lang:type=Runtime";

  /** The beans of collectors whose time is that of whole cycles, which stop no thread. */
  private static final String CONCURRENT = "Cycles";

  /** The garbage collections since the start of the JVM. */
  public Collections collections() throws JMException, IOException {
    long count = 0;
    double millis = 0;
    for (ObjectName collector :
        beans.queryNames(new ObjectName("java.lang:type=GarbageCollector,*"), null)) {
      if (!collector.getKeyProperty("name").endsWith(CONCURRENT)) {
        count += Math.max(0, number(collector.getCanonicalName(), "CollectionCount").longValue());
        millis += Math.max(0, number(collector.getCanonicalName(), "CollectionTime").longValue());
      }
    }
    return new Collections(count, millis / 1e3);
  }

  /**
   * Runs a command of {@code jcmd}.
   *
   * @param command by the name of its MBean operation, such as {@code vmLog} for {@code VM.log}
   * @return what it printed
   * @throws JMException if the JVM has no such command, or refuses it
   */
  public String command(String command, String... arguments) throws JMException, IOException {
    return String.valueOf(
        beans.invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            command,
            new Object[] {arguments},
            new String[] {String[].class.getName()}));
  }

  Number number(String bean, String attribute) throws JMException, IOException {
    return (Number) get(bean, attribute);
  }

  Object get(String bean, String attribute) throws JMException, IOException {
    return beans.getAttribute(new ObjectName(bean), attribute);
  }
}
