package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.HealthReport;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cluster of somebody else with TLS between its nodes and for thin clients, whose caches have
 * keys, values and an interceptor of classes that only its servers have.
 */
class TlsIT {
  private static final String OWN =
      """
      package com.example;

      import org.apache.ignite.Ignite;
      import org.apache.ignite.cache.CacheInterceptorAdapter;
      import org.apache.ignite.configuration.CacheConfiguration;
      import org.apache.ignite.lifecycle.LifecycleBean;
      import org.apache.ignite.lifecycle.LifecycleEventType;
      import org.apache.ignite.resources.IgniteInstanceResource;

      public class Own implements LifecycleBean {
        @IgniteInstanceResource private transient Ignite ignite;

        public static class Id {
          final String region = "EU";
          final long number;

          public Id(long number) {
            this.number = number;
          }
        }

        public static class Order {
          String text = "of others";
          double amount = 1.5;
        }

        public static class Audit extends CacheInterceptorAdapter<Id, Order> {}

        public void onLifecycleEvent(LifecycleEventType event) {
          if (event == LifecycleEventType.AFTER_NODE_START) {
            CacheConfiguration<Id, Order> orders = new CacheConfiguration<>("own");
            orders.setBackups(1).setInterceptor(new Audit()).setStatisticsEnabled(true);
            var cache = ignite.getOrCreateCache(orders);
            for (long i = 0; i < 100; i++) {
              cache.put(new Id(i), new Order());
            }
          }
        }
      }
      """;

  @TempDir static Path folder;
  private static KeyStoreFile store;
  private static StockNode first;
  private static String flags = "";
  private static String own = "";

  @BeforeAll
  static void start() throws Exception {
    store = KeyStoreFile.create(folder.resolve("keys.p12"));
    KeyStoreFile.create(folder.resolve("strange.p12"));
    String jars = StockNode.withoutOurs();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path source = Files.writeString(folder.resolve("Own.java"), OWN);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-cp", jars, "-d", "" + classes, "" + source);
    assertThat(failed).isZero();
    flags = "-cp " + jars + File.pathSeparator + classes;
    own =
        store.server()
            + "<property name=\"lifecycleBeans\"><bean class=\"com.example.Own\"/></property>";
    first = StockNode.start(folder.resolve("first"), own, flags, Optional.empty());
  }

  @AfterAll
  static void stop() {
    first.close();
  }

  private static GridSession open(String node, String thin) throws Exception {
    Path file = first.clientFile(folder.resolve("client.xml"), node, thin);
    return new IgniteDriver().openSession(first.attaching(file));
  }

  @Tag("extended")
  @Test
  void itIsExaminedWithoutItsClasses() throws Exception {
    try (StockNode second =
            StockNode.start(folder.resolve("second"), own, flags, Optional.of(first));
        GridSession session = open(store.node(), store.thin())) {
      assertThat(session.describe(List.of("own"), List.of("thin-get")).servers()).contains(2);
      HealthReport report = session.examine(Duration.ofSeconds(5));
      assertThat(second.pid()).isNotEqualTo(first.pid());
      assertThat(report.servers()).isEqualTo(2);
      assertThat(report.caches()).containsExactlyInAnyOrder("own", StockNode.CACHE);
      assertThat(report.unjudged().values()).noneMatch(why -> why.reason().equals("failure"));
      assertThat(report.healthy()).contains("partition-awareness", "skewed-entries");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys\\.p12 | none.p12 | none.p12",
        "secret-of-the-test | wrong | password",
        "keys\\.p12 | strange.p12 | : the trust store of the sslContextFactory in the file",
        "(?s).* | '' | : its nodes use TLS; use 'attach: config' and a file whose",
      })
  void whatIsWrongWithTheNodesTlsIsOneSentence(String right, String wrong, String sentence) {
    assertThatThrownBy(() -> open(store.node().replaceAll(right, wrong), store.thin()).close())
        .isInstanceOf(GridException.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys\\.p12 | none.p12 | none.p12",
        "secret-of-the-test | wrong | password",
        "keys\\.p12 | strange.p12 | ; add the servers' certificate to the trust store",
        "(?s).* | '' | ; if the servers' client connector uses TLS, set sslMode",
      })
  void whatIsWrongWithTheThinClientsTlsIsOneSentence(String right, String wrong, String sentence)
      throws Exception {
    try (GridSession session = open(store.node(), store.thin().replaceAll(right, wrong))) {
      assertThatThrownBy(() -> session.describe(List.of(), List.of("thin-get")))
          .isInstanceOf(GridException.class)
          .hasMessageContaining(sentence);
    }
  }
}
