package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.ignite.internal.binary.BinaryObjectImpl;
import org.jspecify.annotations.Nullable;

/** Sample of one field of some records. Of texts it keeps only hashes and lengths. */
final class FieldSample {
  /** Size assumed of values whose size is not known. */
  static final int SOME_BYTES = 16;

  private static final Map<Class<?>, FieldType> KINDS =
      Map.of(
          String.class, FieldType.STRING,
          Long.class, FieldType.LONG,
          Integer.class, FieldType.INT,
          Short.class, FieldType.INT,
          Byte.class, FieldType.INT,
          Float.class, FieldType.FLOAT,
          Double.class, FieldType.DOUBLE,
          BigDecimal.class, FieldType.DOUBLE,
          Boolean.class, FieldType.BOOLEAN);

  private final String name;
  private final Set<Integer> different = new HashSet<>();
  private @Nullable Class<?> type;
  private boolean severalTypes;
  private boolean unseen;
  private long size;
  private int seen;
  private int absent;
  private final DoubleSummaryStatistics numbers = new DoubleSummaryStatistics();

  FieldSample(String name) {
    this.name = name;
  }

  void see(@Nullable Object value) {
    if (value == null) {
      absent++;
      return;
    }
    severalTypes |= type != null && type != value.getClass();
    type = value.getClass();
    seen++;
    size += value instanceof String text ? text.length() : bytes(value);
    different.add(value.hashCode());
    double number = value instanceof Number of ? of.doubleValue() : Double.NaN;
    number = value instanceof Date date ? (double) date.getTime() : number;
    if (Double.isFinite(number)) {
      numbers.accept(number);
    }
  }

  /** A value that cannot be read without its class, of so many bytes. */
  void cannotSee(long bytes) {
    unseen = true;
    seen++;
    size += bytes;
  }

  /** Size as Ignite stores it, about. */
  static long bytes(Object value) {
    if (value instanceof BinaryObjectImpl binary) {
      return binary.length();
    } else if (value instanceof byte[] array) {
      return array.length;
    } else if (value instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    } else if (value instanceof Collection<?> all) {
      return bytesOf(all);
    } else if (value instanceof Object[] all) {
      return bytesOf(Arrays.asList(all));
    } else if (value instanceof Map<?, ?> all) {
      return bytesOf(all.keySet()) + bytesOf(all.values());
    } else if (value.getClass().isArray()) {
      return (long) Long.BYTES * Array.getLength(value);
    }
    return value instanceof Number || value instanceof Date ? Long.BYTES : SOME_BYTES;
  }

  private static long bytesOf(Collection<?> all) {
    return all.stream().filter(Objects::nonNull).mapToLong(FieldSample::bytes).sum();
  }

  FieldShape shape() {
    FieldType kind = kind();
    boolean sized = kind == FieldType.STRING || kind == FieldType.BYTES;
    boolean bounded = !sized && kind != FieldType.BOOLEAN && numbers.getCount() > 0;
    // Fewer than half of them different: they repeat in the cache too.
    boolean repeated = kind == FieldType.STRING && different.size() < seen / 2;
    return new FieldShape(
        word(name),
        kind,
        sized ? (int) Math.max(1, Math.round(size / (double) Math.max(1, seen))) : 0,
        repeated ? different.size() : 0,
        bounded ? numbers.getMin() : 0,
        bounded ? numbers.getMax() : 0,
        List.of(),
        false);
  }

  private FieldType kind() {
    if (type == null || severalTypes || unseen) {
      return FieldType.BYTES;
    }
    return Date.class.isAssignableFrom(type)
        ? FieldType.TIMESTAMP
        : KINDS.getOrDefault(type, FieldType.BYTES);
  }

  /** In what the generated field differs, beside its values. */
  Optional<String> difference() {
    if (unseen) {
      return Optional.of(phrase("unseen", "field", word(name)));
    } else if (type == null) {
      return Optional.of(phrase("empty", "field", name));
    }
    FieldType kind = kind();
    boolean stands = (kind == FieldType.BYTES && type != byte[].class) || type == BigDecimal.class;
    String empty = absent == 0 ? "" : "; %d of %d were empty".formatted(absent, absent + seen);
    if (stands) {
      String written = kind.name().toLowerCase(Locale.ROOT);
      String found = severalTypes ? "several types" : type.getName();
      return Optional.of(
          phrase("type", "field", word(name), "type", written, "found", found) + empty);
    }
    return absent == 0
        ? Optional.empty()
        : Optional.of("the field '%s' always has a value%s".formatted(word(name), empty));
  }

  /**
   * A difference in the words of the message file.
   *
   * @param values names and values in turn
   */
  static String phrase(String difference, String... values) {
    Map<String, Value> named = new HashMap<>();
    for (int i = 0; i < values.length; i += 2) {
      named.put(values[i], Value.name(values[i + 1]));
    }
    return Messages.bundled()
        .text("difference." + difference + ".phrase", named)
        .orElse(difference);
  }

  /** Name as an experiment file allows it: letters, digits and _. */
  static String word(String name) {
    String word = name.replaceAll("[^A-Za-z0-9_]", "_");
    return word.matches("[A-Za-z].*") ? word : "f_" + word;
  }
}
