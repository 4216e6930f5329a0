package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ways of writing beside write and flush, and what can be observed. */
@Timeout(60)
class ApiTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});

  @Test
  void aDeadLetterHasTheLastValueOfMergedWritesAndNoneForARemoval() {
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            gate,
            (call, keys, values) -> {
              throw new IllegalArgumentException("no");
            });
    List<FailedWrite<Integer, String>> letters = new CopyOnWriteArrayList<>();
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .lanes(1)
            .batchEntries(9)
            .linger(Duration.ofDays(1))
            .onFailure(letters::add)
            .open();
    writer.write(1, "first");
    writer.write(1, "last");
    writer.write(2, "v");
    writer.remove(2);
    CompletableFuture<Void> flush = writer.flushAsync();
    gate.open();
    assertThatThrownBy(flush::join).hasCauseInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(letters)
        .extracting(FailedWrite::value)
        .containsExactlyInAnyOrder(Optional.of("last"), Optional.empty());
    assertThat(letters).noneMatch(FailedWrite::inDoubt);
  }
}
