package io.pyrometer.ignite.writer;

import java.io.Serializable;
import java.lang.System.Logger;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.ignite.binary.BinaryInvalidTypeException;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * Turns keys, or values, into what is kept until they are sent, on the thread that writes them. A
 * value that cannot be encoded fails where it is written, later changes of it have no effect, and
 * its bytes are known.
 *
 * <p>Ignite keeps what it is given until it marshals it. So immutable objects are kept, objects of
 * the application's classes become binary objects, and dates, arrays of primitives and common
 * collections are copied. Of everything else (arrays of objects, other collections, objects that
 * only Java serialization can write) Ignite's marshaller makes a copy: it is written and read as
 * the field of a {@link Box}.
 */
final class Codec {
  static final long ENTRY_BYTES = 200; // beside key and value: its future and place in the queue
  static final long MERGED_BYTES = 3L * Budget.UNIT; // what a caller may derive from the future

  private static final List<String> DATES = List.of("java.util", "java.sql"); // with clone()
  private static final List<String> NUMBERS = List.of("java.lang", "java.math"); // immutable ones
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final long OBJECT_BYTES = 24;
  private static final long ELEMENT_BYTES = 8 + OBJECT_BYTES;

  private final UnaryOperator<Object> toBinary;
  private volatile boolean keepBinary; // the application gives and so expects binary objects

  /** The bytes of encoded objects on the heap. */
  static final class Size {
    long bytes;
  }

  /** Holds what has no binary form of its own. */
  static final class Box implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Object value;

    Box(Object value) {
      this.value = value;
    }
  }

  /** Takes what makes a {@link BinaryObject} of an object, or returns one that has no such form. */
  Codec(UnaryOperator<Object> toBinary) {
    this.toBinary = toBinary;
  }

  /** Returns whether objects of a class are immutable and need no encoding. */
  static boolean isPlain(Object object) {
    return object instanceof String
        || (object instanceof Number && NUMBERS.contains(object.getClass().getPackageName()))
        || object instanceof Boolean
        || object instanceof Character
        || object instanceof UUID
        || object instanceof BinaryObject
        || isTime(object);
  }

  private static boolean isTime(Object object) {
    return object.getClass().getPackageName().equals("java.time");
  }

  /** Refuses a key for which Java and Ignite disagree on which are equal. */
  static void requireKey(Object key, Object encoded) {
    boolean isContainer =
        key.getClass().isArray() || key instanceof Collection || key instanceof Map;
    if (isContainer || !(isPlain(encoded) || hasEquals(key.getClass()))) {
      throw new IllegalArgumentException(
          "keys of "
              + key.getClass().getTypeName()
              + " are not supported, because Java and Ignite disagree on which of them are equal;"
              + " use a class with fields, or a binary object");
    }
  }

  private static boolean hasEquals(Class<?> type) {
    try {
      return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class
          && type.getMethod("hashCode").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** Encodes a key or value, and adds its size. */
  Object encode(Object object, Size size) {
    Class<?> type = object.getClass();
    if (isPlain(object)) {
      if (object instanceof BinaryObject) {
        keepBinary = true;
      }
      size.bytes += plainBytes(object);
      return object;
    }
    if (type.isArray() && type.getComponentType().isPrimitive()) {
      int length = Array.getLength(object);
      Object copy = Array.newInstance(type.getComponentType(), length);
      System.arraycopy(object, 0, copy, 0, length);
      size.bytes += OBJECT_BYTES + (long) width(type.getComponentType()) * length;
      return copy;
    }
    size.bytes += 2 * OBJECT_BYTES;
    if (object instanceof Date && DATES.contains(type.getPackageName())) {
      return ((Date) object).clone();
    }
    @Nullable Object copy = copy(object, element -> encodeElement(element, size));
    if (copy != null) {
      return copy;
    }
    boolean isContainer =
        object instanceof Object[] || object instanceof Collection || object instanceof Map;
    Object encoded = isContainer ? object : toBinary.apply(object);
    boolean isBinary = encoded instanceof BinaryObject;
    BinaryObject binary = (BinaryObject) (isBinary ? encoded : toBinary.apply(new Box(object)));
    size.bytes += 2 * OBJECT_BYTES + binary.size();
    return isBinary ? binary : unboxed(binary);
  }

  /** A copy; with binary objects in it if their classes are not here. */
  private static Object unboxed(BinaryObject box) {
    try {
      return box.<Box>deserialize().value;
    } catch (BinaryInvalidTypeException e) {
      return box.field("value");
    }
  }

  private @Nullable Object encodeElement(@Nullable Object element, Size size) {
    size.bytes += ELEMENT_BYTES;
    return element == null ? null : encode(element, size);
  }

  /** A common collection or map with other elements; nothing for other objects. */
  private static @Nullable Object copy(
      Object object, Function<@Nullable Object, @Nullable Object> elements) {
    Class<?> type = object.getClass();
    if (type == HashMap.class || type == LinkedHashMap.class) {
      Map<@Nullable Object, @Nullable Object> copy =
          type == HashMap.class ? new HashMap<>() : new LinkedHashMap<>();
      ((Map<?, ?>) object).forEach((k, v) -> copy.put(elements.apply(k), elements.apply(v)));
      return copy;
    }
    if (type != ArrayList.class && type != HashSet.class && type != LinkedHashSet.class) {
      return null;
    }
    Collection<@Nullable Object> copy =
        type == ArrayList.class
            ? new ArrayList<>(((Collection<?>) object).size())
            : type == HashSet.class ? new HashSet<>() : new LinkedHashSet<>();
    ((Collection<?>) object).forEach(element -> copy.add(elements.apply(element)));
    return copy;
  }

  private static long plainBytes(Object plain) {
    if (plain instanceof BinaryObject) {
      return 4 * OBJECT_BYTES + ((BinaryObject) plain).size();
    }
    if (plain instanceof String) {
      return 2 * OBJECT_BYTES + 2L * ((String) plain).length();
    }
    if (plain instanceof BigInteger) {
      return 3 * OBJECT_BYTES + ((BigInteger) plain).bitLength() / 8;
    }
    if (plain instanceof BigDecimal) {
      return 5 * OBJECT_BYTES + ((BigDecimal) plain).unscaledValue().bitLength() / 8;
    }
    return isTime(plain) ? 3 * OBJECT_BYTES : OBJECT_BYTES;
  }

  private static int width(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return Long.BYTES;
    }
    if (primitive == int.class || primitive == float.class) {
      return Integer.BYTES;
    }
    return primitive == short.class || primitive == char.class ? Short.BYTES : Byte.BYTES;
  }

  /** The application's own key, or its binary form where its class does not allow that. */
  Object decodeKey(Object encoded) {
    return decodeValue(encoded).orElse(encoded);
  }

  /** The application's own value; empty for a removal, or if it cannot be decoded. */
  Optional<Object> decodeValue(@Nullable Object encoded) {
    try {
      return encoded == null ? Optional.empty() : Optional.of(decode(encoded));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "a key or value of a failed write could not be decoded", e);
      return Optional.empty();
    }
  }

  private Object decode(Object encoded) {
    if (encoded instanceof BinaryObject) {
      return keepBinary ? encoded : ((BinaryObject) encoded).deserialize();
    }
    @Nullable Object copy = copy(encoded, element -> element == null ? null : decode(element));
    return copy == null ? encoded : copy;
  }
}
