package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** The keys that one load thread goes through. Allocates nothing per key. */
abstract class KeySequence {

  private static final int RECENT = 1_024;
  private static final long PRIME = 2_654_435_761L;

  private final KeySpace space;

  private KeySequence(KeySpace space) {
    this.space = space;
  }

  /**
   * The sequence that the settings {@code keys}, {@code zipf-exponent}, {@code repeats}, {@code
   * hot-keys}, {@code records} and {@code key-sharing} ask for.
   *
   * @throws IllegalArgumentException if a setting has an unknown value, or if threads have keys of
   *     their own and there are fewer records than threads
   */
  static KeySequence of(Settings settings, LoadThread thread, long seed) {
    long records = settings.get(CoreSettings.RECORDS);
    KeySpace space = KeySpace.of(settings, thread);
    UniformRandomProvider random =
        RandomSource.XO_RO_SHI_RO_128_PP.create(FieldHash.mix(seed, thread.index()));
    KeySequence sequence =
        switch (settings.get(CoreSettings.KEYS)) {
          case "once" -> new Sequential(space, 0);
          // Threads that share keys begin apart from each other.
          case "sequential" ->
              new Sequential(
                  space, space.stride() > 1 ? 0 : records * thread.index() / thread.count());
          case "uniform" -> new Uniform(space, random);
          case "zipf" -> new Zipf(space, records, settings.get(CoreSettings.ZIPF_EXPONENT), random);
          default ->
              throw new IllegalArgumentException(
                  Messages.format("load.unknown-keys").formatted(settings.get(CoreSettings.KEYS)));
        };
    double repeats = settings.get(CoreSettings.REPEATS);
    if (repeats == 0) {
      return sequence;
    }
    long hot = settings.get(CoreSettings.HOT_KEYS);
    return hot > 0
        ? new Hot(space, sequence, repeats, hot, random)
        : new Repeating(space, sequence, repeats, random);
  }

  /** All keys in order, again and again. */
  static KeySequence passes(KeySpace space) {
    return new Sequential(space, 0);
  }

  /** Position of the next key in the key space. */
  abstract long nextPosition();

  /** The next key. */
  final long next() {
    return space.key(nextPosition());
  }

  private static final class Sequential extends KeySequence {
    private final long size;
    private long position;

    Sequential(KeySpace space, long from) {
      super(space);
      this.size = space.size();
      this.position = from;
    }

    @Override
    long nextPosition() {
      long here = position;
      position = here + 1 == size ? 0 : here + 1;
      return here;
    }
  }

  private static final class Uniform extends KeySequence {
    private final long size;
    private final UniformRandomProvider random;

    Uniform(KeySpace space, UniformRandomProvider random) {
      super(space);
      this.size = space.size();
      this.random = random;
    }

    @Override
    long nextPosition() {
      return random.nextLong(size);
    }
  }

  /**
   * Ranks are drawn over all records, whoever owns them. Where threads share keys, each key has
   * exactly its Zipf share. Where each has its own, as many neighbouring ranks as there are threads
   * form a group with one key of every thread: the group has exactly its Zipf share, and each
   * thread draws its own key of it. (Threads that make equally many calls cannot do better: the
   * most popular key may be due more calls than its owner makes.)
   *
   * <p>Popular keys are scattered over the key space one to one, as the factor is a prime greater
   * than the number of keys, so that they do not sit side by side. The remainder is taken with a
   * multiplication, as a division of 64 bits would take as long as drawing the rank.
   */
  private static final class Zipf extends KeySequence {
    private static final long MOST_RANKS = 1 << 30;

    private final long size;
    private final long stride;
    private final long inverse;
    private final ZipfSampler ranks;

    Zipf(KeySpace space, long records, double exponent, UniformRandomProvider random) {
      super(space);
      this.size = space.size();
      this.stride = space.stride();
      this.inverse = Long.MAX_VALUE / size;
      this.ranks = new ZipfSampler(random, Math.min(records, MOST_RANKS), exponent);
    }

    @Override
    long nextPosition() {
      long group = nextGroup();
      while (group >= size) {
        // The last group may lack a key of this thread.
        group = nextGroup();
      }
      return scattered(group);
    }

    private long nextGroup() {
      long rank = ranks.next() - 1;
      return stride == 1 ? rank : rank / stride;
    }

    /** The product is below 2⁶², so the quotient found is the true one or one less. */
    private long scattered(long group) {
      long product = group * PRIME;
      long remainder = product - Math.multiplyHigh(2 * product, inverse) * size;
      return remainder < size ? remainder : remainder - size;
    }
  }

  /** Now and then a key just given, from a window that moves on with the fresh ones. */
  private static final class Repeating extends KeySequence {
    private final KeySequence fresh;
    private final double share;
    private final UniformRandomProvider random;
    private final long[] recent = new long[RECENT];
    private long written;

    Repeating(KeySpace space, KeySequence fresh, double share, UniformRandomProvider random) {
      super(space);
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

  /** Now and then one of a fixed set of hot keys: the smallest ones, all alike. */
  private static final class Hot extends KeySequence {
    private final KeySequence fresh;
    private final double share;
    private final long hotKeys;
    private final UniformRandomProvider random;

    Hot(
        KeySpace space,
        KeySequence fresh,
        double share,
        long hotKeys,
        UniformRandomProvider random) {
      super(space);
      this.fresh = fresh;
      this.share = share;
      this.hotKeys = Math.max(1, space.below(hotKeys));
      this.random = random;
    }

    @Override
    long nextPosition() {
      return random.nextDouble() < share ? random.nextLong(hotKeys) : fresh.nextPosition();
    }
  }
}
