package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ignite.lang.IgniteFuture;
import org.jspecify.annotations.Nullable;

/** Completes a call when every buffer that holds records of it has completed. */
final class CallCompletion {
  private final Call call;
  private final AtomicInteger inFlight;
  private final AtomicInteger open = new AtomicInteger(1);
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private @Nullable IgniteFuture<?> last;

  /**
   * @param inFlight lowered by one at the end
   */
  CallCompletion(Call call, AtomicInteger inFlight) {
    this.call = call;
    this.inFlight = inFlight;
  }

  /** Records that follow one another mostly go into one buffer, which has one future. */
  void dependsOn(IgniteFuture<?> buffer) {
    if (buffer == last) {
      return;
    }
    last = buffer;
    open.incrementAndGet();
    buffer.listen(this::closed);
  }

  /** Declares that no more buffers follow. */
  void complete() {
    less();
  }

  private void closed(IgniteFuture<?> buffer) {
    try {
      buffer.get();
    } catch (RuntimeException e) {
      cause.compareAndSet(null, e);
    }
    less();
  }

  private void less() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    inFlight.decrementAndGet();
    Throwable thrown = cause.get();
    if (thrown == null) {
      call.done();
    } else {
      call.failed(thrown);
    }
  }
}
