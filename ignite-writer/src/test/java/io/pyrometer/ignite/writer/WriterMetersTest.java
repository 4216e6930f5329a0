package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WriterMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void metersFollowTheFiguresOfTheWriter() {
    Gate gate = new Gate();
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            gate,
            (call, keys, values) -> {
              if (keys.contains(2)) {
                throw new IllegalArgumentException("refused");
              }
            });
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).lanes(1).batchEntries(9).linger(Duration.ofDays(1)).open();
    new WriterMeters(writer, Tags.of("cache", "orders")).bindTo(registry);

    writer.write(1, "first");
    writer.write(1, "last");
    writer.write(2, "refused");
    assertThat(figures()).containsEntry("pending", 2.0).containsEntry("finished", 0.0);
    assertThat(figures().get("pending.bytes")).isEqualTo((double) writer.stats().pendingBytes());

    gate.open();
    writer.flushAsync().exceptionally(failed -> null).join();
    assertThat(figures())
        .containsEntry("finished", 2.0)
        .containsEntry("merged", 1.0)
        .containsEntry("failed", 1.0)
        .containsEntry("pending", 0.0)
        .containsEntry("in.doubt", 0.0)
        .containsKeys("retries", "topology.changes");
    assertThat(registry.getMeters()).allMatch(m -> "orders".equals(m.getId().getTag("cache")));
    writer.close();
  }

  private Map<String, Double> figures() {
    return registry.getMeters().stream()
        .collect(
            Collectors.toMap(
                meter -> meter.getId().getName().substring("ignite.writer.".length()),
                WriterMetersTest::value));
  }

  private static double value(Meter meter) {
    return meter.measure().iterator().next().getValue();
  }
}
