package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.lang.IgniteFuture;

/**
 * Hands records to a data streamer of its own. A call ends when the streamer's buffers that hold
 * its records were written; so many calls are in flight as to fill the buffers, and where they do
 * not suffice the buffers are sent half full rather than waited for.
 */
final class Streamer implements AccessPath {
  private static final int SEND_AT_LEAST_EVERY_MILLIS = 1_000;

  private final RecordValues values;
  private final IgniteDataStreamer<Long, Object> streamer;
  private final int batch;
  private final int window;
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * @param streamer told already how it is to write
   */
  Streamer(PathContext context, IgniteDataStreamer<Long, Object> streamer) {
    this.values = context.values();
    this.streamer = streamer;
    Settings settings = context.settings();
    batch = settings.get(PathSettings.BATCH);
    window = settings.get(PathSettings.IN_FLIGHT);
    streamer.keepBinary(values.binary());
    streamer.perNodeBufferSize(settings.get(Streamers.NODE_BUFFER));
    streamer.perThreadBufferSize(settings.get(Streamers.THREAD_BUFFER));
    streamer.autoFlushFrequency(SEND_AT_LEAST_EVERY_MILLIS);
    if (settings.get(Streamers.PARALLEL) > 0) {
      streamer.perNodeParallelOperations(settings.get(Streamers.PARALLEL));
    }
  }

  @Override
  public int window() {
    return window;
  }

  @Override
  public int recordsPerCall() {
    return batch;
  }

  @Override
  public List<String> operations() {
    return List.of("add-data");
  }

  @Override
  public void call(Call call) {
    boolean full = inFlight.incrementAndGet() >= window;
    CallCompletion ending = new CallCompletion(call, inFlight);
    for (int i = 0; i < call.size(); i++) {
      IgniteFuture<?> buffer = streamer.addData(call.key(i), values.get(call.record(i)));
      ending.dependsOn(buffer);
    }
    ending.complete();
    if (full) {
      streamer.tryFlush();
    }
  }

  @Override
  public void flush() {
    streamer.flush();
  }

  @Override
  public void close() {
    streamer.close();
  }
}
