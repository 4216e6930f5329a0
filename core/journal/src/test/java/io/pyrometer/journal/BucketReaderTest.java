package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.latency.LatencyCounts.Timing;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast reader finds what was recorded, however large a histogram is. */
class BucketReaderTest {
  private static String compressed(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    byte[] bytes = new byte[length];
    buffer.rewind();
    buffer.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** From some thousand different values on, the counts take more than the first array holds. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5_000, 100_000})
  void everyCallOfAHistogramIsRead(int calls) {
    Histogram histogram = new Histogram(3);
    histogram.setAutoResize(true);
    Random random = new Random(calls);
    for (int i = 0; i < calls; i++) {
      histogram.recordValue((long) Math.exp(8 + 9 * random.nextDouble()));
    }
    try (BucketReader reader = new BucketReader()) {
      assertThat(reader.read(compressed(histogram), Timing.SENT).count()).isEqualTo(calls);
    }
  }
}
