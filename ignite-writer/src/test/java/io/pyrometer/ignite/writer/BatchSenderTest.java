package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchSenderTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, Object> late = new FakeCache<>(gate, (call, k, v) -> {});

  @Test
  void aFreshWriteOutlivesTheDeadlineOfAnOlderOneInItsBatch() {
    Workers workers = new Workers();
    Codec codec = new Codec(object -> object);
    Settings settings = new Settings(1);
    Budget budget = new Budget(9, 9_999);
    WriteCounters counters = new WriteCounters();
    Completions<Integer, Object> completions =
        new Completions<>(
            workers, budget, counters, codec, new FailureLog(codec), Optional.empty());
    Context context =
        new Context(
            settings,
            late,
            workers,
            budget,
            completions,
            new Doubts(settings, late, workers, codec, completions),
            counters);
    PendingWrite old = new PendingWrite(1, 1, 0, "v", 1);
    PendingWrite fresh = new PendingWrite(2, 2, 0, "v", 1);
    old.since = 100;
    fresh.since = 200;
    BatchSender sender =
        new BatchSender(Arrays.asList(old, fresh), new Lane(context, "a", 9), context);
    workers.execute(sender::send);
    try {
      Eventually.holds("sent", () -> gate.waiting() == 1);
      sender.expire(150);
      Throwable failed = old.copy().handle((done, error) -> error).join();
      assertThat(Fault.unwrapped(failed)).hasCauseInstanceOf(WriteInDoubtException.class);
      assertThat(fresh.isDecided()).isFalse();
      gate.open();
      fresh.copy().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      workers.close();
    }
  }
}
