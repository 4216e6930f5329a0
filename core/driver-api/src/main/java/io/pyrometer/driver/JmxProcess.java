package io.pyrometer.driver;

import io.pyrometer.driver.WatchedServers.Collections;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Daemon;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.net.ssl.SSLException;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * The JVM of a server that Pyrometer did not start, read at its JMX port: the beans of the platform
 * alone, which every JVM has, but that of the stacks, which is HotSpot's. Nothing in it is changed.
 *
 * <p>RMI waits for minutes for a host that drops packets, so every call has a thread of its own and
 * is given up after {@value #MAX_SECONDS} s.
 */
public final class JmxProcess implements AutoCloseable {
  private static final int MAX_SECONDS = 10;

  private static final String SOCKETS_OF_REGISTRY = "com.sun.jndi.rmi.factory.socket";

  private final String address;
  private final ExecutorService calls;
  private final JMXConnector connector;
  private final JvmBeans beans;

  private JmxProcess(
      String address, ExecutorService calls, JMXConnector connector, JvmBeans beans) {
    this.address = address;
    this.calls = calls;
    this.connector = connector;
    this.beans = beans;
  }

  /**
   * Connects.
   *
   * @param address host:port
   * @throws GridException with one sentence if nothing answers there, or it refuses
   */
  public static JmxProcess connect(String address, JmxAccess access) {
    ExecutorService calls = Executors.newSingleThreadExecutor(Daemon.factory("jmx-" + address));
    try {
      return call(
          calls,
          address,
          () -> {
            JMXConnector connector = connector(address, access);
            JvmBeans beans = new JvmBeans(connector.getMBeanServerConnection());
            return new JmxProcess(address, calls, connector, beans);
          });
    } catch (GridException failure) {
      calls.shutdownNow();
      throw failure;
    }
  }

  /** The registry of a port that uses TLS may use it too; without it there, it never answers. */
  @SuppressWarnings("BanJNDI") // an address of the user's own servers, as jconsole looks it up
  private static JMXConnector connector(String address, JmxAccess access) throws IOException {
    JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi");
    Map<String, Object> environment = access.environment();
    if (access.tls()) {
      environment.put(SOCKETS_OF_REGISTRY, new SslRMIClientSocketFactory());
      try {
        return JMXConnectorFactory.connect(url, environment);
      } catch (IOException failure) {
        if (isCausedBy(failure, CertificateException.class)
            || !isCausedBy(failure, SSLException.class)) {
          throw failure;
        }
        environment.remove(SOCKETS_OF_REGISTRY);
      }
    }
    return JMXConnectorFactory.connect(url, environment);
  }

  private <T> T ask(Callable<T> what) {
    return call(calls, address, what);
  }

  private static <T> T call(ExecutorService calls, String address, Callable<T> what) {
    Future<T> called = calls.submit(what);
    try {
      return called.get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw failure(address, failure);
    } catch (TimeoutException late) {
      boolean unused = called.cancel(true);
      throw silent(address, "no answer within %d s".formatted(MAX_SECONDS), late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw silent(address, "interrupted", interrupted);
    }
  }

  private static GridException failure(String address, Exception failure) {
    String why = GridException.cause(failure);
    if (isCausedBy(failure, SecurityException.class)) {
      return GridException.of(
          "JMX at %s refuses the user or the password; correct the file of 'jmx-access', or name one with both.",
          address, failure);
    }
    if (isCausedBy(failure, SSLException.class)) {
      return GridException.of(
          "JMX at %s uses TLS, which fails (%s); name a trust-store with its certificate, and a key-store with one that it trusts if it asks for one, in the file of 'jmx-access'.",
          address, why, failure);
    }
    return silent(address, why, failure);
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (type.isInstance(each)) {
        return true;
      }
    }
    return false;
  }

  private static GridException silent(String address, String why, Exception cause) {
    return GridException.of("JMX at %s does not answer (%s).", address, why, cause);
  }

  /** The id of the process on its host. */
  long pid() {
    return ask(
        () -> Long.valueOf(String.valueOf(beans.get(JvmBeans.RUNTIME, "Name")).split("@", 2)[0]));
  }

  /**
   * Returns whether it is this process.
   *
   * @param pid its id on its host
   * @param startMillis when its JVM started, milliseconds since 1970 by its own clock
   */
  public boolean is(String pid, long startMillis) {
    return String.valueOf(pid()).equals(pid)
        && ask(() -> beans.number(JvmBeans.RUNTIME, "StartTime").longValue() == startMillis);
  }

  /**
   * CPU time, time of collections and time since its start. Its resident memory, its machine and
   * the modes of its CPU time are not known.
   *
   * @param cores that the JVM counts on
   */
  public Answer.Used usage(int cores) {
    return ask(
        () -> {
          double cpu =
              beans.number("java.lang:type=OperatingSystem", "ProcessCpuTime").doubleValue();
          if (cpu < 0) {
            throw new IOException("the JVM does not tell its CPU time");
          }
          return Answer.Used.ofJvm(
              cpu / 1e9,
              beans.collections().seconds(),
              beans.number(JvmBeans.RUNTIME, "Uptime").doubleValue() / 1e3,
              cores);
        });
  }

  /** Its garbage collections. */
  public Collections collections() {
    return ask(beans::collections);
  }

  /** The stacks of its threads and its deadlocks, as {@code jcmd PID Thread.print} prints them. */
  public String threads() {
    return ask(() -> beans.command("threadPrint"));
  }

  @Override
  public void close() {
    try {
      ask(
          () -> {
            connector.close();
            return true;
          });
    } catch (GridException gone) {
      // Nothing is left to close.
    } finally {
      calls.shutdownNow();
    }
  }
}
