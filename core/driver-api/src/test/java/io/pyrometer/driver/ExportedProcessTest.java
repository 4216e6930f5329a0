package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages in the text format; that of a JMX exporter itself is read by ServerWatchIT. */
class ExportedProcessTest {
  private static final long START = 1_764_180_000_123L;

  private static final String PAGE =
      """
      # HELP jvm_gc_collection_seconds Time spent in a given JVM garbage collector in seconds.
      # TYPE jvm_gc_collection_seconds summary
      jvm_gc_collection_seconds_count{gc="ZGC Cycles"} 9
      jvm_gc_collection_seconds_sum{gc="ZGC Cycles"} 4.5
      jvm_gc_collection_seconds_count{gc="G1 Young Generation",host="a b"} 12
      jvm_gc_collection_seconds_sum{gc="G1 Young Generation",host="a b"} 0.25
      jvm_gc_collection_seconds_count{gc="G1 Old Generation"} 2 1764180001000
      jvm_gc_collection_seconds_sum{gc="G1 Old Generation"} 0.5
      # TYPE process_cpu_seconds_total counter
      process_cpu_seconds_total 30.52
      process_cpu_seconds_total_of_others 99
      process_start_time_seconds 1.764180000123E9
      """;

  private static HttpServer server;

  @BeforeAll
  static void listen() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/metrics", 200, PAGE);
    serve("/closed", 401, "Unauthorized");
    serve("/other", 200, "sys_CpuLoad 0.3\n");
    server.start();
  }

  private static void serve(String path, int status, String page) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = page.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterAll
  static void close() {
    server.stop(0);
  }

  private static String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private static ServerProcess connect(String address) {
    return ServerProcess.connect(address, JmxAccess.NONE);
  }

  @Test
  void timesAreSumsOfSamplesWithoutConcurrentCycles() {
    try (ServerProcess process = connect(url("/metrics"))) {
      assertThat(process.usage(4).cpuSeconds()).isEqualTo(30.52);
      assertThat(process.usage(4).gcSeconds()).isEqualTo(0.75);
      assertThat(process.usage(4).cores()).isEqualTo(4);
      assertThat(process.usage(4).upSeconds())
          .isCloseTo((System.currentTimeMillis() - START) / 1e3, within(60.0));
      assertThat(process.collections()).isEqualTo(new WatchedServers.Collections(14, 0.75));
    }
  }

  @Test
  void theMillisecondOfItsStartSaysWhoseItIs() {
    try (ServerProcess process = connect(url("/metrics"))) {
      assertThat(process.is("4711", START)).isTrue();
      assertThat(process.is("4711", START + 1)).isFalse();
    }
  }

  @Test
  void whatIsNoExporterIsOneSentence() {
    assertThatThrownBy(() -> connect(url("/closed")))
        .isInstanceOf(GridException.class)
        .hasMessage(url("/closed") + " answers with status 401.");
    assertThatThrownBy(() -> connect(url("/other")))
        .hasMessage(
            url("/other")
                + " has no process_cpu_seconds_total; name a JMX exporter, or a JMX port.");
    int silent = Address.freePort("127.0.0.1");
    assertThatThrownBy(() -> connect("http://127.0.0.1:" + silent))
        .hasMessageStartingWith("http://127.0.0.1:" + silent + " does not answer (");
    assertThatThrownBy(() -> connect("http://a b")).hasMessageContaining(" is no URL (");
  }
}
