package io.pyrometer.ignite.writer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.System.Logger;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * Turns keys and values into what is kept until they are sent, on the thread that writes them:
 * objects of the application's classes into binary objects, arrays of primitives and common
 * collections into copies. A value that cannot be encoded fails where it is written, later changes
 * of it have no effect, and its bytes are known.
 *
 * <p>Objects that only Java serialization can write (of other JDK classes, of classes with {@code
 * writeObject}), arrays of objects and other collections are kept as they are. Their elements are
 * encoded once, to learn their size and whether that succeeds.
 */
final class Codec {
  static final long ENTRY_BYTES = 200; // beside key and value: its future and place in the queue
  static final long MERGED_BYTES = 3L * Budget.UNIT; // what a caller may derive from the future

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

  /** Takes what makes a {@link BinaryObject} of an object, or returns one that has no such form. */
  Codec(UnaryOperator<Object> toBinary) {
    this.toBinary = toBinary;
  }

  /** Whether objects of a class are immutable and need no encoding. */
  static boolean isPlain(Object object) {
    return object instanceof String
        || (object instanceof Number && NUMBERS.contains(object.getClass().getPackageName()))
        || object instanceof Boolean
        || object instanceof Character
        || object instanceof UUID
        || object instanceof BinaryObject;
  }

  /** Encodes a key, and adds its size; refuses one for which Java and Ignite disagree on equals. */
  Object encodeKey(Object key, Size size) {
    boolean isContainer =
        key.getClass().isArray() || key instanceof Collection || key instanceof Map;
    Object encoded = isContainer ? key : encode(key, size);
    if (isContainer || !(isPlain(encoded) || hasEquals(key.getClass()))) {
      throw new IllegalArgumentException(
          "keys of "
              + key.getClass().getTypeName()
              + " are not supported, because Java and Ignite disagree on which of them are equal;"
              + " use a class with fields, or a binary object");
    }
    return encoded;
  }

  private static boolean hasEquals(Class<?> type) {
    try {
      return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class
          && type.getMethod("hashCode").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** Encodes a value, and adds its size. */
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
    @Nullable Object copy = copy(object, element -> encodeElement(element, size));
    if (copy != null) {
      return copy;
    }
    Object elements = object instanceof Object[] array ? Arrays.asList(array) : object;
    if (elements instanceof Collection<?> collection) {
      collection.forEach(element -> encodeElement(element, size));
      return object;
    }
    if (object instanceof Map<?, ?> map) {
      map.forEach((k, v) -> encodeElement(Arrays.asList(k, v), size));
      return object;
    }
    Object encoded = toBinary.apply(object);
    if (encoded instanceof BinaryObject binary) {
      size.bytes += 2 * OBJECT_BYTES + binary.size();
    } else if (!(encoded instanceof Date)) {
      size.bytes += serializedBytes(encoded);
    }
    return encoded;
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
    if (plain instanceof BinaryObject object) {
      return 4 * OBJECT_BYTES + object.size();
    }
    if (plain instanceof String text) {
      return 2 * OBJECT_BYTES + 2L * text.length();
    }
    if (plain instanceof BigInteger number) {
      return 3 * OBJECT_BYTES + number.bitLength() / 8;
    }
    if (plain instanceof BigDecimal number) {
      return 5 * OBJECT_BYTES + number.unscaledValue().bitLength() / 8;
    }
    return OBJECT_BYTES;
  }

  private static int width(Class<?> primitive) {
    return switch (primitive.getName()) {
      case "long", "double" -> 8;
      case "int", "float" -> 4;
      case "short", "char" -> 2;
      default -> 1;
    };
  }

  private static int serializedBytes(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
      out.flush();
      return bytes.size();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "objects of " + object.getClass().getName() + " cannot be serialized: " + e, e);
    }
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
    if (encoded instanceof BinaryObject object) {
      return keepBinary ? object : object.deserialize();
    }
    @Nullable Object copy = copy(encoded, element -> element == null ? null : decode(element));
    return copy == null ? encoded : copy;
  }
}
