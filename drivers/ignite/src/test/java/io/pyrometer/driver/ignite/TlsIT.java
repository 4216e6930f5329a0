package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.HealthReport;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of somebody else with TLS between its nodes and for thin clients, whose caches have
 * keys, values and an interceptor of classes that only its servers have.
 */
@Tag("extended")
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

  @TempDir Path folder;

  @Test
  void itIsExaminedWithoutItsClasses() throws Exception {
    KeyStoreFile store = KeyStoreFile.create(folder.resolve("keys.p12"));
    String jars = StockNode.withoutOurs();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path source = Files.writeString(folder.resolve("Own.java"), OWN);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-cp", jars, "-d", "" + classes, "" + source);
    assertThat(failed).isZero();
    String flags = "-cp " + jars + File.pathSeparator + classes;
    String own =
        store.server()
            + "<property name=\"lifecycleBeans\"><bean class=\"com.example.Own\"/></property>";
    try (StockNode first = StockNode.start(folder.resolve("first"), own, flags, Optional.empty());
        StockNode second =
            StockNode.start(folder.resolve("second"), own, flags, Optional.of(first));
        GridSession session =
            new IgniteDriver()
                .openSession(
                    first.attaching(
                        7,
                        first.clientFile(
                            folder.resolve("client.xml"), store.node(), store.thin())))) {
      assertThat(session.describe(List.of("own"), List.of("thin-get")).servers()).contains(2);
      HealthReport report = session.examine(Duration.ofSeconds(5));
      assertThat(second.pid()).isNotEqualTo(first.pid());
      assertThat(report.servers()).isEqualTo(2);
      assertThat(report.caches()).containsExactlyInAnyOrder("own", StockNode.CACHE);
      assertThat(report.unjudged().values()).noneMatch(why -> why.reason().equals("failure"));
      assertThat(report.healthy()).contains("partition-awareness", "skewed-entries");
    }
  }
}
