package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Two batches in turn, as one would write it by hand: while one is in flight the next is composed,
 * and it is sent when the first is acknowledged, so that the order of a key's writes is kept.
 */
final class PutAllDoubleBuffer extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "put-all-double-buffer",
              Guarantee.OF_MANY,
              "cache.putAllAsync, the next batch composed while one is in flight.",
              PathSettings.batch(10_000),
              PathDescriptions.MAP.description()),
          (context, lane) -> new PutAllDoubleBuffer(context));

  private final Batches batches;
  private final Semaphore free = new Semaphore(1);

  private PutAllDoubleBuffer(PathContext context) {
    super(context, ClientType.THICK, 2, context.settings().get(PathSettings.BATCH), "put-all");
    batches = new Batches(context);
  }

  @Override
  public void call(Call call) {
    Map<Long, Object> batch = batches.of(call, values);
    try {
      free.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      call.failed(e);
      return;
    }
    try {
      cache.putAllAsync(batch, new Releasing(call));
    } catch (RuntimeException e) {
      free.release();
      throw e;
    }
  }

  /** Lets the next batch go when this one has ended. */
  private final class Releasing implements Call {
    private final Call call;

    Releasing(Call call) {
      this.call = call;
    }

    @Override
    public int size() {
      return call.size();
    }

    @Override
    public long key(int i) {
      return call.key(i);
    }

    @Override
    public int record(int i) {
      return call.record(i);
    }

    @Override
    public int operation() {
      return call.operation();
    }

    @Override
    public void done() {
      free.release();
      call.done();
    }

    @Override
    public void failed(Throwable cause) {
      free.release();
      call.failed(cause);
    }
  }
}
