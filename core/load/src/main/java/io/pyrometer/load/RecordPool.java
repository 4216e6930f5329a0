package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import java.util.Date;
import java.util.List;
import java.util.SplittableRandom;

/**
 * {@link Records} drawn from a shape and a seed: record i is always the same, whoever asks, so that
 * only hashes are kept here.
 */
public final class RecordPool implements Records {

  private static final int MOST_RECORDS = 65_536;
  private static final long MOST_BYTES = 64L << 20;
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private final RecordShape shape;
  private final long seed;
  private final int size;

  private RecordPool(RecordShape shape, long seed, int size) {
    this.shape = shape;
    this.seed = seed;
    this.size = size;
  }

  /**
   * The pool of a trial.
   *
   * @param settings {@code bytes}, where present, is the size a record is padded to; {@code
   *     distinct-records} how many there are
   * @throws IllegalArgumentException if the class cannot be loaded or no field can take the padding
   */
  public static RecordPool of(RecordShape shape, Settings settings, long seed) {
    RecordShape spelt = shape.className().isPresent() ? RecordShapes.ofClass(shape) : shape;
    RecordShape sized =
        settings.has(CoreSettings.BYTES)
            ? RecordShapes.padded(spelt, settings.get(CoreSettings.BYTES))
            : spelt;
    long fits = MOST_BYTES / Math.max(1, sized.bytes());
    long keys =
        settings.has(CoreSettings.RECORDS) ? settings.get(CoreSettings.RECORDS) : MOST_RECORDS;
    // More than keys, so that a key that comes round again is written another value.
    long wanted = Math.min(MOST_RECORDS, 2 * keys + 1);
    int size = (int) Math.max(16, Math.min(fits, wanted));
    return new RecordPool(
        sized,
        seed,
        settings.has(CoreSettings.DISTINCT_RECORDS)
            ? Math.min(size, settings.get(CoreSettings.DISTINCT_RECORDS))
            : size);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public RecordShape shape() {
    return shape;
  }

  @Override
  public Object[] fields(int record) {
    List<FieldShape> fields = shape.fields();
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = draw(fields.get(i), new SplittableRandom(FieldHash.mix(seed + 31L * i, record)));
    }
    return values;
  }

  @Override
  public long hash(long key, Object[] fields) {
    return FieldHash.keyed(key, FieldHash.of(fields));
  }

  private static Object draw(FieldShape field, SplittableRandom random) {
    if (!field.values().isEmpty()) {
      return parse(field.type(), field.values().get(random.nextInt(field.values().size())));
    }
    if (field.cardinality() > 0) {
      long choice = random.nextInt(field.cardinality());
      return generate(field, new SplittableRandom(FieldHash.mix(field.name().hashCode(), choice)));
    }
    return generate(field, random);
  }

  private static Object generate(FieldShape field, SplittableRandom random) {
    double span = field.most() - field.least();
    boolean bounded = span > 0;
    return switch (field.type()) {
      case STRING -> text(random, size(field, random));
      case BYTES -> bytes(random, size(field, random));
      case BOOLEAN -> random.nextBoolean();
      case INT -> bounded ? (int) whole(field, random) : random.nextInt();
      case LONG -> bounded ? whole(field, random) : random.nextLong();
      case TIMESTAMP -> new Date(bounded ? whole(field, random) : random.nextLong(1L << 41));
      case FLOAT ->
          (float) (bounded ? field.least() + span * random.nextDouble() : random.nextDouble());
      case DOUBLE -> bounded ? field.least() + span * random.nextDouble() : random.nextDouble();
    };
  }

  private static int size(FieldShape field, SplittableRandom random) {
    return field.sizes().map(sizes -> sizes.at(random.nextDouble())).orElse(field.size());
  }

  private static long whole(FieldShape field, SplittableRandom random) {
    return random.nextLong((long) field.least(), (long) field.most() + 1);
  }

  private static String text(SplittableRandom random, int size) {
    char[] text = new char[size];
    for (int i = 0; i < size; i++) {
      text[i] = LETTERS.charAt(random.nextInt(LETTERS.length()));
    }
    return new String(text);
  }

  private static byte[] bytes(SplittableRandom random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Object parse(FieldType type, String text) {
    return switch (type) {
      case STRING -> text;
      case LONG -> Long.valueOf(text);
      case INT -> Integer.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case BOOLEAN -> Boolean.valueOf(text);
      case BYTES -> text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      case TIMESTAMP -> new Date(Long.parseLong(text));
    };
  }
}
