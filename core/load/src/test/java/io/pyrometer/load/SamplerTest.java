package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SamplerTest {

  @Test
  void aSampleThatIsBeingTakenEndsUndisturbedBeforeTheStopAndNoneComesAfterIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    AtomicBoolean interrupted = new AtomicBoolean();
    Sampler sampler =
        Sampler.ofRecords(
            () -> 1,
            sample -> {},
            () -> {
              begun.countDown();
              try {
                Thread.sleep(50);
              } catch (InterruptedException stopped) {
                interrupted.set(true);
              }
              ended.incrementAndGet();
            });
    sampler.begin();
    begun.await();
    sampler.stop();
    assertThat(ended).hasValue(1);
    assertThat(interrupted).isFalse();
    Thread.sleep(250);
    assertThat(ended).hasValue(1);
  }
}
