package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BuilderTest {
  private final IgniteWriterBuilder<Integer, String> builder =
      WriterFixture.to(FakeCache.obedient());

  private static void refused(ThrowingCallable call, String sentence) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void settingsThatCannotWorkAreRefusedWithAReason() {
    refused(() -> builder.lanes(0), "lanes must be at least 1, not 0");
    refused(() -> builder.batchEntries(0), "batch entries must be at least 1");
    refused(() -> builder.maxPendingBytes(-1), "at least 1");
    refused(() -> builder.linger(Duration.ofMillis(-1)), "linger must not be negative");
    refused(() -> builder.writeTimeout(Duration.ZERO), "write timeout must be at least 1, not 0");
    refused(() -> builder.maxWait(Duration.ofMillis(-1)), "must not be negative");
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
