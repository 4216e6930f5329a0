package io.pyrometer.load;

import io.pyrometer.protocol.Answer;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reports the growth of a counter ten times a second, and runs a further action then. */
final class Sampler {

  private final LongSupplier counter;
  private final Consumer<Answer.Sample> samples;
  private final Runnable also;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sampler");
            thread.setDaemon(true);
            return thread;
          });
  private long last;
  private int index;

  Sampler(LongSupplier counter, Consumer<Answer.Sample> samples, Runnable also) {
    this.counter = counter;
    this.samples = samples;
    this.also = also;
  }

  void begin() {
    var unused = executor.scheduleAtFixedRate(this::sample, 100, 100, TimeUnit.MILLISECONDS);
  }

  private void sample() {
    long now = counter.getAsLong();
    samples.accept(new Answer.Sample(index++, now - last));
    last = now;
    also.run();
  }

  void stop() {
    executor.shutdownNow();
  }
}
