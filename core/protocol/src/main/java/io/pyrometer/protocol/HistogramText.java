package io.pyrometer.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * A histogram in a message and in a file, as the last two columns of a line of an HdrHistogram log:
 * the largest value over a million, a comma, and the histogram compressed, Base64.
 */
public final class HistogramText {
  /** A histogram of as many digits as those of trials. */
  private static final Histogram BUCKETS = new Histogram(3);

  private HistogramText() {}

  /** The middle of the bucket that ends with a value. */
  public static long middle(long end) {
    return BUCKETS.medianEquivalentValue(end);
  }

  public static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return String.format(
        Locale.ROOT,
        "%.3f,%s",
        histogram.getMaxValue() / 1e6,
        Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
  }

  /**
   * The histogram again.
   *
   * @param text as encoded, or its last column
   * @throws IllegalArgumentException if the text is none
   */
  public static Histogram decode(String text) {
    try {
      String compressed = text.substring(text.indexOf(',') + 1);
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(compressed)), 0);
    } catch (DataFormatException broken) {
      throw new IllegalArgumentException("a histogram is broken", broken);
    }
  }
}
