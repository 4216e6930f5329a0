package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.OperatingSystemMXBean;
import io.pyrometer.protocol.Answer;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A JVM is read at its JMX port; here it is that of the test. */
class JmxProcessTest {
  private static int port;
  private static Registry registry;
  private static JMXConnectorServer server;

  @BeforeAll
  static void listen() throws Exception {
    System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    port = Ports.free("127.0.0.1");
    registry = LocateRegistry.createRegistry(port);
    server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi".formatted(port)),
            Map.of(),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
  }

  @AfterAll
  static void close() throws Exception {
    server.stop();
    boolean unused = UnicastRemoteObject.unexportObject(registry, true);
  }

  @Test
  void stacksAreThoseOfItsThreads() {
    try (JmxProcess process = JmxProcess.connect("127.0.0.1:" + port, JmxAccess.NONE)) {
      assertThat(process.threads())
          .contains("\"" + Thread.currentThread().getName() + "\" #")
          .contains("java.lang.Thread.State: ")
          .contains("\tat " + JmxProcessTest.class.getName() + ".stacksAreThoseOfItsThreads(");
    }
  }

  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  @Test
  void cpuTimeCollectionsAndIdentityAreThoseOfTheProcess() {
    try (JmxProcess process = JmxProcess.connect("127.0.0.1:" + port, JmxAccess.NONE)) {
      String pid = String.valueOf(ProcessHandle.current().pid());
      long start = ManagementFactory.getRuntimeMXBean().getStartTime();
      assertThat(process.is(pid, start)).isTrue();
      assertThat(process.is(pid + "0", start)).isFalse();
      assertThat(process.is(pid, start + 1)).isFalse();
      long collections = process.collections().count();
      System.gc();
      assertThat(process.collections().count()).isGreaterThan(collections);

      double before = cpuSeconds();
      Answer.Used used = process.usage(7);
      assertThat(used.cpuSeconds()).isBetween(before, cpuSeconds());
      assertThat(used.gcSeconds()).isLessThanOrEqualTo(process.collections().seconds());
      assertThat(used.upSeconds()).isPositive();
      assertThat(used.cores()).isEqualTo(7);
    }
  }

  @Test
  void anAddressWhereNothingListensIsOneSentence() {
    int silent = Ports.free("127.0.0.1");
    assertThatThrownBy(() -> JmxProcess.connect("127.0.0.1:" + silent, JmxAccess.NONE))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("127.0.0.1:" + silent);
  }

  @Test
  void aHostThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket mute = new ServerSocket(0)) {
      assertThatThrownBy(
              () -> JmxProcess.connect("127.0.0.1:" + mute.getLocalPort(), JmxAccess.NONE))
          .hasMessageContaining(" 10 s");
    }
  }
}
