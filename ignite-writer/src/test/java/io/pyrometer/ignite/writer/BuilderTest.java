package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BuilderTest {
  private final IgniteWriterBuilder<Integer, String> builder =
      WriterFixture.to(FakeCache.obedient());

  private static void refused(ThrowingCallable call, String setting) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting);
  }

  @Test
  void settingsThatCannotWorkAreRefusedWithAReason() {
    refused(() -> builder.lanes(0), "lanes");
    refused(() -> builder.batchEntries(0), "batch entries");
    refused(() -> builder.maxPendingBytes(-1), "-1");
    refused(() -> builder.linger(Duration.ofMillis(-1)), "linger");
    refused(() -> builder.writeTimeout(Duration.ZERO), "write timeout");
    refused(() -> builder.maxWait(Duration.ofMillis(-1)), "");
  }

  @Test
  void nullKeysAndValuesAreRefusedAtOnce() {
    try (IgniteWriter<Integer, String> writer = builder.open()) {
      assertThatThrownBy(() -> writer.write(null, "v")).hasMessage("key");
      assertThatThrownBy(() -> writer.write(1, null)).hasMessage("value");
      assertThatThrownBy(() -> writer.remove(null)).hasMessage("key");
    }
  }
}
