package io.pyrometer.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.ReadyCheck;
import io.pyrometer.driver.testkit.SettingsContract;
import io.pyrometer.protocol.SettingDescription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("extended")
class RedisSettingsIT extends SettingsContract {
  private static final String HOST = "127.0.0.1";
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @Override
  protected GridDriver driver() {
    return new RedisDriver();
  }

  /** A master without its replica would refuse writes here. */
  @Override
  protected int servers() {
    return 2;
  }

  @Override
  protected Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("appendonly", true),
        Map.entry("appendfsync", "always"),
        Map.entry("no-appendfsync-on-rewrite", true),
        Map.entry("auto-aof-rewrite-percentage", 300L),
        Map.entry("min-replicas-to-write", 1L),
        Map.entry("io-threads", 2L),
        Map.entry("io-threads-do-reads", true),
        Map.entry("repl-backlog-size", 4L << 20),
        Map.entry("repl-disable-tcp-nodelay", true),
        Map.entry("cluster-node-timeout", 2.5),
        Map.entry("hz", 50L),
        Map.entry("activerehashing", false),
        Map.entry("lazyfree-lazy-user-del", true),
        Map.entry("latency-tracking", false));
  }

  /** Redis without options; 'appendonly' is off in both. */
  @Test
  void defaultsAreThoseOfTheProduct(@TempDir Path folder) {
    assumeTrue(RedisDriver.program().isPresent());
    int port = Address.freePort(HOST);
    List<String> command =
        List.of(
            RedisDriver.program().orElseThrow().toString(),
            "--port",
            String.valueOf(port),
            "--bind",
            HOST);
    try (NativeProcess process =
            NativeProcess.start(
                new NativeProcess.Spec("Redis", command, Map.of(), folder, LONGEST, LONGEST),
                ReadyCheck.accepts(HOST, port));
        RedisClient client = RedisClient.create(RedisURI.create(HOST, port));
        StatefulRedisConnection<String, String> connection = client.connect()) {
      assertThat(process.pid()).isPositive();
      for (SettingDescription option : RedisOptions.ALL) {
        String own = connection.sync().configGet(option.name()).get(option.name());
        if (!option.name().equals("cluster-node-timeout")) {
          assertThat(asWritten(option, RedisOptions.canonical(option, own)))
              .as(option.name())
              .isEqualTo(
                  option
                      .initial()
                      .map(value -> asWritten(option, value.toString()))
                      .orElseGet(() -> productDefault(option.name())));
        }
      }
    }
  }

  private static String asWritten(SettingDescription option, String canonical) {
    return switch (option.type()) {
      case FLAG -> canonical.equals("true") ? "on" : "off";
      case BYTES -> (Long.parseLong(canonical) >> 20) + "m";
      default -> canonical;
    };
  }
}
