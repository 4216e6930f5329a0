package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The records of a trial: a pool of different ones, drawn from a shape and a seed, so that every
 * agent of the trial has the same, whoever asks for them.
 */
public final class Records {

  private static final int MOST_RECORDS = 65_536;
  private static final long MOST_BYTES = 64L << 20;
  private static final int DEFAULT_SIZE = 12;
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private final RecordShape shape;
  private final long seed;
  private final int size;

  private Records(RecordShape shape, long seed, int size) {
    this.shape = shape;
    this.seed = seed;
    this.size = size;
  }

  /** The records of a trial. */
  public static Records of(TrialSpec trial) {
    return of(trial.record(), trial.settings(), trial.seed());
  }

  /**
   * The records of a shape.
   *
   * @param settings {@code bytes}, where present, is the size a record is padded to; {@code
   *     distinct-records} how many there are
   * @throws IllegalArgumentException if the class cannot be loaded or no field can take the padding
   */
  public static Records of(RecordShape shape, Settings settings, long seed) {
    RecordShape spelt = shape.className().isPresent() ? ofClass(shape) : shape;
    RecordShape sized =
        settings.find(CoreSettings.BYTES).map(bytes -> padded(spelt, bytes)).orElse(spelt);
    long fits = MOST_BYTES / Math.max(1, sized.bytes());
    long keys = settings.get(CoreSettings.RECORDS);
    // More than keys, so that a key that comes round again is written another value.
    long wanted = Math.min(MOST_RECORDS, 2 * keys + 1);
    int size = (int) Math.max(16, Math.min(fits, wanted));
    return new Records(
        sized, seed, Math.min(size, settings.find(CoreSettings.DISTINCT_RECORDS).orElse(size)));
  }

  /** The instance fields of the user's own class, those of the types that a record may have. */
  private static RecordShape ofClass(RecordShape shape) {
    String name = shape.className().orElseThrow();
    List<FieldShape> fields = new ArrayList<>();
    for (Class<?> type = load(name); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
          typeOf(field.getType())
              .ifPresent(
                  known ->
                      fields.add(
                          new FieldShape(
                              field.getName(), known, DEFAULT_SIZE, 0, 0, 0, List.of(), false)));
        }
      }
    }
    return new RecordShape(shape.name(), shape.className(), List.copyOf(fields));
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(Messages.format("load.no-class").formatted(name), e);
    }
  }

  private static Optional<FieldType> typeOf(Class<?> type) {
    Class<?> boxed = MethodType.methodType(type).wrap().returnType();
    return Stream.of(FieldType.values()).filter(each -> each.valueType() == boxed).findFirst();
  }

  /**
   * The shape with its filler field sized so that a record has so many bytes.
   *
   * @throws IllegalArgumentException if there is no filler field
   */
  private static RecordShape padded(RecordShape shape, long bytes) {
    FieldShape filler =
        shape.fields().stream()
            .filter(FieldShape::filler)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        Messages.format("load.no-filler").formatted(shape.name(), bytes)));
    long others = shape.bytes() - filler.bytes();
    int size = (int) Math.max(0, bytes - others);
    FieldShape sized =
        new FieldShape(
            filler.name(),
            filler.type(),
            size,
            filler.cardinality(),
            filler.least(),
            filler.most(),
            List.of(),
            true);
    List<FieldShape> fields = new ArrayList<>(shape.fields());
    fields.replaceAll(field -> field.equals(filler) ? sized : field);
    return new RecordShape(shape.name(), shape.className(), List.copyOf(fields));
  }

  /** How many different records there are. */
  public int size() {
    return size;
  }

  /** The shape, its fields always spelt out. */
  public RecordShape shape() {
    return shape;
  }

  /** The bytes of the values of one record, without what a product adds to them. */
  public long bytes() {
    return shape.bytes();
  }

  /**
   * Field values of a record in the shape's order, as String, Long, Integer, Double, Float,
   * Boolean, byte[] or java.util.Date; made anew at each call, for drivers to turn into what they
   * store, once.
   */
  public Object[] fields(int record) {
    List<FieldShape> fields = shape.fields();
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = draw(fields.get(i), new SplittableRandom(FieldHash.mix(seed + 31L * i, record)));
    }
    return values;
  }

  /**
   * Hash of a key with the fields stored under it, in the shape's order: the sum of these is a
   * checksum.
   */
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
      case BYTES -> text.getBytes(StandardCharsets.UTF_8);
      case TIMESTAMP -> new Date(Long.parseLong(text));
    };
  }
}
