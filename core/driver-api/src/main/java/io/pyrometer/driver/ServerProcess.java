package io.pyrometer.driver;

import io.pyrometer.driver.WatchedServers.Collections;
import io.pyrometer.protocol.Answer;

/**
 * The process of a server that Pyrometer did not start, read over the network. Its methods throw a
 * {@link GridException} with one sentence if it does not answer.
 */
public interface ServerProcess extends AutoCloseable {

  /**
   * Connects.
   *
   * @param address host:port of JMX, or the URL of a JMX exporter
   * @throws GridException with one sentence if nothing answers there, or it refuses
   */
  static ServerProcess connect(String address, JmxAccess access) {
    return address.contains("://")
        ? ExportedProcess.connect(address)
        : JmxProcess.connect(address, access);
  }

  /**
   * Whether it is this process, as far as the address tells.
   *
   * @param pid its id on its host
   * @param startMillis when its JVM started, milliseconds since 1970 by its own clock
   */
  boolean is(String pid, long startMillis);

  /**
   * CPU time, time of collections and time since its start, without what JVMs do not tell: the
   * modes of its CPU time, its resident memory and its machine.
   *
   * @param cores that the JVM counts on
   */
  Answer.Used usage(int cores);

  /** Its garbage collections. */
  Collections collections();

  @Override
  void close();
}
