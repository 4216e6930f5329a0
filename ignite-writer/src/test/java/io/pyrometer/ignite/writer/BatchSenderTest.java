package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchSenderTest {
  private static final PendingWrite.Failure FAILED =
      new PendingWrite.Failure(new IllegalStateException("closed"), true, true);

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch planned = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final List<PendingWrite> writes = new ArrayList<>();

  private final FakePort port =
      new FakePort() {
        @Override
        public void send(BatchMap batch) {
          calls.incrementAndGet();
        }

        @Override
        public Map<Object, Object> getAll(Set<Object> keys) {
          return Map.of();
        }

        @Override
        public Fault read(Throwable error) {
          return Fault.of(Fault.Kind.FINAL, error);
        }

        @Override
        public boolean locksInOrder() { // is asked when the writes are taken
          assertThat(writes.get(1).fail(FAILED, FAILED)).isTrue();
          planned.countDown();
          Eventually.opens(held);
          return false;
        }
      };

  /** Neither {@code close} nor the clock sees it, so that nobody would know that it is made. */
  @Test
  void aCallWhoseWritesHaveFailedBeforeItIsOutstandingIsNotMade() throws Exception {
    Settings settings = new Settings();
    settings.lingerNanos = Settings.FOREVER;
    Workers workers = new Workers(8);
    Context context = new Context(settings, port, workers);
    Lanes lanes = new Lanes(context);
    List<Shard> shards = List.of(new Shard(context, lanes), new Shard(context, lanes));
    for (int i = 0; i < 2; i++) {
      PendingWrite write = new PendingWrite(new Key(i, i), "v", 192);
      write.share = lanes.of(i).share;
      assertThat(context.budget.tryTake(write.share, write.bytes)).isTrue();
      writes.add(shards.get(i).offer(write, false));
    }
    BatchSender sender = new BatchSender(lanes.of(0), context);
    Throwable earlier = new IllegalStateException("the servers do not answer");
    context.lastError = earlier;
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = WriterFixture.start(() -> sender.send(new ArrayList<>(writes)), thrown);
    planned.await();
    synchronized (shards.get(1)) { // for the second write, which has failed already
      held.countDown();
      Eventually.holds("blocked", () -> thread.getState() == Thread.State.BLOCKED);
      assertThat(writes.get(0).fail(FAILED, FAILED)).isTrue();
    }
    thread.join();
    assertThat(thrown).hasValue(null);
    assertThat(calls).hasValue(0);
    assertThat(context.lastError).isSameAs(earlier);
    workers.close();
  }
}
