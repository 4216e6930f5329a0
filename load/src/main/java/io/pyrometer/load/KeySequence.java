package io.pyrometer.load;

import io.pyrometer.protocol.Settings;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The keys that one lane goes through, all of which leave the lane's index as remainder when
 * divided by the number of lanes. Allocates nothing per key.
 */
public abstract class KeySequence {

  private static final int RECENT = 1_024;
  private static final long PRIME = 2_654_435_761L;

  private final LoadThread lane;
  final long laneKeys;

  KeySequence(LoadThread lane, long records) {
    this.lane = lane;
    if (records < lane.count()) {
      throw new IllegalArgumentException(
          records
              + " records are fewer than the "
              + lane.count()
              + " load threads; set more records.");
    }
    this.laneKeys = shareOf(lane, records);
  }

  private static long shareOf(LoadThread lane, long keys) {
    return (keys - lane.index() + lane.count() - 1) / lane.count();
  }

  /**
   * The sequence that the settings {@code keys}, {@code zipf-exponent}, {@code repeats}, {@code
   * hot-keys} and {@code records} ask for.
   *
   * @throws IllegalArgumentException if there are fewer records than lanes
   */
  public static KeySequence of(Settings settings, LoadThread lane, long seed) {
    long records = settings.number("records");
    UniformRandomProvider random =
        RandomSource.XO_RO_SHI_RO_128_PP.create(FieldHash.mix(seed, lane.index()));
    KeySequence sequence =
        switch (settings.text("keys")) {
          case "sequential" -> new Sequential(lane, records);
          case "uniform" -> new Uniform(lane, records, random);
          case "zipf" -> new Zipf(lane, records, settings.decimal("zipf-exponent"), random);
          default ->
              throw new IllegalArgumentException(
                  "Setting 'keys' is '"
                      + settings.text("keys")
                      + "'; take sequential, uniform or zipf.");
        };
    double repeats = settings.decimal("repeats");
    if (repeats == 0) {
      return sequence;
    }
    long hot = settings.number("hot-keys");
    return hot > 0
        ? new Hot(lane, records, sequence, repeats, hot, random)
        : new Repeating(lane, records, sequence, repeats, random);
  }

  /**
   * All of the lane's keys in order, again and again.
   *
   * @throws IllegalArgumentException if there are fewer records than lanes
   */
  static KeySequence passes(LoadThread lane, long records) {
    return new Sequential(lane, records);
  }

  /** Position of the next key among the lane's keys, 0 … laneKeys−1. */
  abstract long nextPosition();

  /** The next key. */
  public final long next() {
    return lane.index() + nextPosition() * lane.count();
  }

  /** How many different keys the lane has. */
  public final long laneKeys() {
    return laneKeys;
  }

  private static final class Sequential extends KeySequence {
    private long position;

    Sequential(LoadThread lane, long records) {
      super(lane, records);
    }

    @Override
    long nextPosition() {
      long here = position;
      position = here + 1 == laneKeys ? 0 : here + 1;
      return here;
    }
  }

  private static final class Uniform extends KeySequence {
    private final UniformRandomProvider random;

    Uniform(LoadThread lane, long records, UniformRandomProvider random) {
      super(lane, records);
      this.random = random;
    }

    @Override
    long nextPosition() {
      return random.nextLong(laneKeys);
    }
  }

  /**
   * Ranks are scattered over the key space one to one, so that popular keys do not sit side by
   * side.
   */
  private static final class Zipf extends KeySequence {
    private final SharedStateDiscreteSampler sampler;

    Zipf(LoadThread lane, long records, double exponent, UniformRandomProvider random) {
      super(lane, records);
      this.sampler =
          RejectionInversionZipfSampler.of(random, (int) Math.min(laneKeys, 1 << 30), exponent);
    }

    @Override
    long nextPosition() {
      return (sampler.sample() - 1) * PRIME % laneKeys;
    }
  }

  /** Now and then a key just given, from a window that moves on with the fresh ones. */
  private static final class Repeating extends KeySequence {
    private final KeySequence fresh;
    private final double share;
    private final UniformRandomProvider random;
    private final long[] recent = new long[RECENT];
    private long written;

    Repeating(
        LoadThread lane,
        long records,
        KeySequence fresh,
        double share,
        UniformRandomProvider random) {
      super(lane, records);
      this.fresh = fresh;
      this.share = share;
      this.random = random;
    }

    @Override
    long nextPosition() {
      if (written > 0 && random.nextDouble() < share) {
        return recent[random.nextInt((int) Math.min(written, RECENT))];
      }
      long position = fresh.nextPosition();
      recent[(int) (written++ % RECENT)] = position;
      return position;
    }
  }

  /** Now and then one of a fixed set of hot keys: the first ones of the lane, all alike. */
  private static final class Hot extends KeySequence {
    private final KeySequence fresh;
    private final double share;
    private final long hotKeys;
    private final UniformRandomProvider random;

    Hot(
        LoadThread lane,
        long records,
        KeySequence fresh,
        double share,
        long hotKeys,
        UniformRandomProvider random) {
      super(lane, records);
      this.fresh = fresh;
      this.share = share;
      this.hotKeys = Math.max(1, Math.min(laneKeys, shareOf(lane, hotKeys)));
      this.random = random;
    }

    @Override
    long nextPosition() {
      return random.nextDouble() < share ? random.nextLong(hotKeys) : fresh.nextPosition();
    }
  }
}
