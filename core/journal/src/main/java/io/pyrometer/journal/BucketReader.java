package io.pyrometer.journal;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.LatencyCounts.Timing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Reads the buckets of HdrHistogram's compressed form, version 2, without building the histogram.
 * The library allocates one counter for each possible bucket and visits all of them, most of which
 * are empty: a trial of four histograms took 1.5 ms of CPU time with it and 0.26 ms with this class
 * (measured once, JDK 17), so that histograms alone would take a report of 10,000 trials 15 s.
 * Other forms (another version, a shifted or scaled histogram) are decoded by the library.
 */
final class BucketReader implements AutoCloseable {
  private static final int COMPRESSED_COOKIE = 0x1c849304;
  private static final int COOKIE = 0x1c849303;
  private static final int VERSION_2_WORD = 0x10;
  private static final int COMPRESSED_HEADER = 8;

  /** Cookie, payload length, index offset, digits (int each); least, most, ratio (8 bytes each). */
  private static final int HEADER = 40;

  private final Inflater inflater = new Inflater();
  private byte[] inflated = new byte[4096];
  private long[] values = new long[1024];
  private long[] times = new long[1024];
  private int size;

  /**
   * Reads one histogram.
   *
   * @param base64 as in the last column of a histogram log
   * @throws IllegalArgumentException if it is broken
   */
  LatencyCounts read(String base64, Timing timing) {
    byte[] compressed = Base64.getDecoder().decode(base64);
    try {
      return usual(compressed) ? fast(compressed, timing) : byLibrary(compressed, timing);
    } catch (DataFormatException | IndexOutOfBoundsException broken) {
      throw new IllegalArgumentException("a histogram is broken", broken);
    }
  }

  private static boolean usual(byte[] compressed) {
    return compressed.length > COMPRESSED_HEADER
        && ByteBuffer.wrap(compressed).getInt() == (COMPRESSED_COOKIE | VERSION_2_WORD);
  }

  private LatencyCounts fast(byte[] compressed, Timing timing) throws DataFormatException {
    // Before the array is named: a large histogram gets a larger one.
    int length = inflate(compressed);
    ByteBuffer header = ByteBuffer.wrap(inflated, 0, length);
    int cookie = header.getInt();
    int payload = header.getInt();
    int offset = header.getInt();
    int digits = header.getInt();
    long least = header.getLong();
    header.getLong();
    double ratio = header.getDouble();
    if (cookie != (COOKIE | VERSION_2_WORD) || offset != 0 || ratio != 1) {
      return byLibrary(compressed, timing);
    }
    if (payload < 0 || HEADER + payload > header.limit()) {
      throw new DataFormatException("the counts are cut off");
    }
    counts(HEADER + payload, digits, least);
    return LatencyCounts.ofOrdered(Arrays.copyOf(values, size), Arrays.copyOf(times, size), timing);
  }

  private int inflate(byte[] compressed) throws DataFormatException {
    inflater.reset();
    inflater.setInput(compressed, COMPRESSED_HEADER, compressed.length - COMPRESSED_HEADER);
    int length = 0;
    while (!inflater.finished()) {
      if (length == inflated.length) {
        inflated = Arrays.copyOf(inflated, 2 * length);
      }
      int more = inflater.inflate(inflated, length, inflated.length - length);
      if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
        throw new DataFormatException("the histogram is cut off");
      }
      length += more;
    }
    return length;
  }

  /**
   * The counts of buckets from the lowest on as ZigZag LEB128 numbers, one below 0 standing for so
   * many empty buckets. A bucket's value is the largest that it holds.
   */
  private void counts(int end, int digits, long least) throws DataFormatException {
    size = 0;
    int unit = 63 - Long.numberOfLeadingZeros(Math.max(1, least));
    long resolution = 2L * (long) Math.pow(10, digits);
    int half = 63 - Long.numberOfLeadingZeros(resolution - 1);
    int at = HEADER;
    long index = 0;
    while (at < end) {
      long coded = 0;
      int shift = 0;
      byte next;
      do {
        next = inflated[at++];
        // The ninth byte carries eight bits, so that nine bytes hold any number.
        coded |= shift == 56 ? (next & 0xffL) << 56 : (next & 0x7fL) << shift;
        shift += 7;
      } while (next < 0 && shift <= 56);
      if (at > end) {
        throw new DataFormatException("the last count is cut off");
      }
      long count = (coded >>> 1) ^ -(coded & 1);
      if (count < 0) {
        index -= count;
      } else {
        if (count > 0) {
          add(largest(index, half, unit), count);
        }
        index++;
      }
    }
  }

  /** The library's arithmetic of indices: buckets of half as many sub-buckets, the first whole. */
  private static long largest(long index, int half, int unit) throws DataFormatException {
    long bucket = (index >> half) - 1;
    long sub = (index & ((1L << half) - 1)) + (1L << half);
    if (bucket < 0) {
      sub -= 1L << half;
      bucket = 0;
    }
    if (bucket + unit + half + 1 > 63) {
      throw new DataFormatException("a bucket is out of range");
    }
    return ((sub + 1) << (bucket + unit)) - 1;
  }

  private void add(long value, long count) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
      times = Arrays.copyOf(times, 2 * size);
    }
    values[size] = value;
    times[size++] = count;
  }

  private static LatencyCounts byLibrary(byte[] compressed, Timing timing)
      throws DataFormatException {
    Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(compressed), 0);
    LongStream.Builder values = LongStream.builder();
    LongStream.Builder times = LongStream.builder();
    for (HistogramIterationValue bucket : histogram.recordedValues()) {
      values.add(bucket.getValueIteratedTo());
      times.add(bucket.getCountAtValueIteratedTo());
    }
    return LatencyCounts.ofOrdered(values.build().toArray(), times.build().toArray(), timing);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
