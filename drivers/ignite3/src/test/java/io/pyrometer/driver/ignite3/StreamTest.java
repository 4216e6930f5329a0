package io.pyrometer.driver.ignite3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.ignite.table.DataStreamerItem;
import org.apache.ignite.table.DataStreamerOptions;
import org.apache.ignite.table.DataStreamerReceiverDescriptor;
import org.apache.ignite.table.DataStreamerTarget;
import org.apache.ignite.table.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamTest {
  /** Takes every item of every stream, and ends a stream when its publisher does. */
  private static final class Target implements DataStreamerTarget<Map.Entry<Tuple, Tuple>> {
    private final List<Tuple> taken = new ArrayList<>();
    private int streams;
    private CompletableFuture<Void> written = new CompletableFuture<>();

    @Override
    public CompletableFuture<Void> streamData(
        Flow.Publisher<DataStreamerItem<Map.Entry<Tuple, Tuple>>> publisher,
        @Nullable DataStreamerOptions options) {
      streams++;
      CompletableFuture<Void> end = new CompletableFuture<>();
      written = end;
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
              subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(DataStreamerItem<Map.Entry<Tuple, Tuple>> item) {
              taken.add(item.get().getKey());
            }

            @Override
            public void onError(Throwable failure) {
              end.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
              end.complete(null);
            }
          });
      return end;
    }

    @Override
    public <E, V, A, R> CompletableFuture<Void> streamData(
        Flow.Publisher<E> publisher,
        DataStreamerReceiverDescriptor<V, A, R> receiver,
        java.util.function.Function<E, Map.Entry<Tuple, Tuple>> key,
        java.util.function.Function<E, V> payload,
        @Nullable A argument,
        Flow.@Nullable Subscriber<R> results,
        @Nullable DataStreamerOptions options) {
      throw new UnsupportedOperationException();
    }
  }

  private final Target target = new Target();
  private final Stream stream = new Stream(target, 500);

  private static Map<Tuple, Tuple> record(long key) {
    return Map.of(Columns.key(key), Tuple.create());
  }

  /** As Ignite 2's: a stream for each call would be drained each time. */
  @Test
  void allCallsUseOneStreamUntilItIsDrained() throws Exception {
    for (long key = 0; key < 1_000; key++) {
      stream.add(record(key));
    }
    stream.drain();
    assertThat(target.streams).isEqualTo(1);
    assertThat(target.taken).extracting(key -> key.longValue(Columns.KEY)).hasSize(1_000);
    stream.add(record(7));
    stream.drain();
    assertThat(target.streams).isEqualTo(2);
  }

  @Test
  void aStreamThatFailedFailsTheNextCall() throws Exception {
    stream.add(record(1));
    target.written.completeExceptionally(new IllegalStateException("no primary replica"));
    assertThatThrownBy(() -> stream.add(record(2)))
        .isInstanceOf(GridException.class)
        .hasMessage("The data streamer failed: no primary replica");
  }
}
