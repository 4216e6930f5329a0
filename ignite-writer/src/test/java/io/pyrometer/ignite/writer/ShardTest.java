package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardTest {
  private final Workers workers = new Workers(8);
  private final FakeCache<Integer, Object> cache = FakeCache.obedient();
  private final Context context = context();
  private final Lanes lanes = new Lanes(context);
  private final Shard shard = new Shard(context, lanes);

  private Context context() {
    Settings settings = new Settings();
    settings.lanes = 1;
    settings.lingerNanos = Settings.FOREVER;
    return new Context(settings, cache, workers);
  }

  @AfterEach
  void close() {
    workers.close();
  }

  private PendingWrite offer(Integer key, Object value) {
    PendingWrite write = new PendingWrite(new Key(key, 0), value, 192);
    write.share = lanes.of(0).share;
    assertThat(context.budget.tryTake(write.share, write.bytes)).isTrue();
    return shard.offer(write, false);
  }

  private List<PendingWrite> take(PendingWrite... writes) {
    List<PendingWrite> batch = new ArrayList<>();
    shard.take(List.of(writes), batch);
    return batch;
  }

  @Test
  void aFreshWriteOutlivesTheDeadlineOfAnOlderOneInItsBatch() {
    PendingWrite old = offer(1, "v");
    PendingWrite fresh = offer(2, "v");
    fresh.since = old.since + 100;
    take(old, fresh).forEach(PendingWrite::call);
    shard.expire(old.since + 50, null);
    assertThat(old.failure().cause).isInstanceOf(WriteTimeoutException.class);
    assertThat(fresh.isDecided()).isFalse();
    shard.expire(old.since + 200, null);
    assertThat(fresh.isDecided()).isTrue();
  }

  @Test
  void aWriteThatExpiredBeforeItWasTakenIsNotSent() {
    PendingWrite write = offer(1, "v");
    shard.expire(write.since + 1, null);
    assertThat(take(write)).isEmpty();
    assertThat(offer(1, "newer")).isNotSameAs(write);
  }

  @Test
  void aWriteThatWasTakenAndNotSentIsNotInDoubtWhenItExpires() {
    PendingWrite write = offer(1, "v");
    assertThat(take(write)).containsExactly(write);
    shard.expire(write.since + 1, null);
    assertThat(write.failure().cause).isInstanceOf(WriteTimeoutException.class);
    assertThat(write.failure().inDoubt).isFalse();
    assertThat(write.call()).as("so it must not be sent any more").isFalse();
  }
}
