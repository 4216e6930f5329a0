package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * Turns keys and values into what is kept until they are sent, on the thread that writes them:
 * objects of the application's classes into binary objects, byte arrays and common collections into
 * copies. A value that cannot be encoded fails where it is written, later changes of it have no
 * effect, and its bytes are known.
 *
 * <p>Objects that only Java serialization can write (of other JDK classes, of classes with {@code
 * writeObject}) and arrays of objects are kept as they are. They are serialized once, to learn
 * their size and whether that succeeds.
 */
final class Codec {
  /** What an entry takes beside its key and value: its future and its place in the queue. */
  static final long ENTRY_BYTES = 200;

  /** What a merged write takes: what its caller may derive from the future. */
  static final long MERGED_BYTES = 96;

  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final long OBJECT_BYTES = 24;
  private static final long REFERENCE_BYTES = 8;
  private static final Set<Class<?>> COPIED =
      Set.of(ArrayList.class, HashSet.class, LinkedHashSet.class);
  private static final Set<Class<?>> COPIED_MAPS = Set.of(HashMap.class, LinkedHashMap.class);

  /** How a port turns an object into its binary form. */
  interface Binary {
    /** Returns a {@link BinaryObject}, or the object itself if it has no such form. */
    Object toBinary(Object object);
  }

  private final Binary binary;

  /** Whether the application has given binary objects itself, and so expects them. */
  private volatile boolean keepBinary;

  Codec(Binary binary) {
    this.binary = binary;
  }

  /** Whether objects of a class are immutable and need no encoding. */
  static boolean isPlain(Object object) {
    return object instanceof String
        || (object instanceof Number
            && object.getClass().getClassLoader() == null
            && !object.getClass().getName().startsWith("java.util.concurrent."))
        || object instanceof Boolean
        || object instanceof Character
        || object instanceof UUID
        || object instanceof BinaryObject;
  }

  /**
   * Encodes a key.
   *
   * @throws IllegalArgumentException if the key is an array or a collection, for which Java and
   *     Ignite disagree on which keys are equal
   */
  Object encodeKey(Object key) {
    if (isPlain(key)) {
      noteBinary(key);
      return key;
    }
    if (key.getClass().isArray() || key instanceof Collection || key instanceof Map) {
      throw new IllegalArgumentException(
          "keys of "
              + key.getClass().getTypeName()
              + " are not supported, because Java and Ignite disagree on which of them are equal;"
              + " use a class with fields, or a binary object");
    }
    Object encoded = binary.toBinary(key);
    if (!(encoded instanceof BinaryObject) && !hasEquals(key.getClass())) {
      throw new IllegalArgumentException(
          "keys of "
              + key.getClass().getTypeName()
              + " have neither a binary form nor equals and hashCode of their own, so that the"
              + " order of their writes cannot be kept");
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

  private void noteBinary(Object plain) {
    if (plain instanceof BinaryObject && !keepBinary) {
      keepBinary = true;
    }
  }

  /** Encodes a value. */
  Object encodeValue(Object value) {
    Class<?> type = value.getClass();
    if (isPlain(value)) {
      noteBinary(value);
      return value;
    }
    if (type.isArray() && type.getComponentType().isPrimitive()) {
      int length = Array.getLength(value);
      Object copy = Array.newInstance(type.getComponentType(), length);
      System.arraycopy(value, 0, copy, 0, length);
      return copy;
    }
    @Nullable Object copy = copy(value, this::encodeNullable);
    if (copy != null) {
      return copy;
    }
    return type.isArray() || value instanceof Collection || value instanceof Map
        ? value
        : binary.toBinary(value);
  }

  /** A common collection or map with other elements; nothing for other objects. */
  private static @Nullable Object copy(
      Object value, Function<@Nullable Object, @Nullable Object> encode) {
    Class<?> type = value.getClass();
    if (COPIED_MAPS.contains(type)) {
      Map<@Nullable Object, @Nullable Object> copy =
          type == HashMap.class ? new HashMap<>() : new LinkedHashMap<>();
      ((Map<?, ?>) value).forEach((k, v) -> copy.put(encode.apply(k), encode.apply(v)));
      return copy;
    }
    if (!COPIED.contains(type)) {
      return null;
    }
    Collection<@Nullable Object> copy =
        type == ArrayList.class
            ? new ArrayList<>(((Collection<?>) value).size())
            : type == HashSet.class ? new HashSet<>() : new LinkedHashSet<>();
    ((Collection<?>) value).forEach(element -> copy.add(encode.apply(element)));
    return copy;
  }

  @Nullable Object encodeNullable(@Nullable Object object) {
    return object == null ? null : encodeValue(object);
  }

  /** The bytes of an encoded key or value on the heap. */
  long bytes(@Nullable Object encoded) {
    if (encoded == null || encoded instanceof Boolean) {
      return 0;
    }
    if (encoded instanceof BinaryObject object) {
      return 4 * OBJECT_BYTES + object.size();
    }
    if (encoded instanceof String text) {
      return 2 * OBJECT_BYTES + 2L * text.length();
    }
    if (encoded instanceof BigInteger number) {
      return 3 * OBJECT_BYTES + number.bitLength() / 8;
    }
    if (encoded instanceof BigDecimal number) {
      return 5 * OBJECT_BYTES + number.unscaledValue().bitLength() / 8;
    }
    if (isPlain(encoded) || encoded.getClass() == Date.class || encoded instanceof Timestamp) {
      return OBJECT_BYTES;
    }
    Class<?> type = encoded.getClass();
    if (type.isArray() && type.getComponentType().isPrimitive()) {
      return OBJECT_BYTES + (long) width(type.getComponentType()) * Array.getLength(encoded);
    }
    if (encoded instanceof Object[] array) {
      return OBJECT_BYTES + bytesOfAll(Arrays.asList(array));
    }
    if (encoded instanceof Collection<?> collection) {
      return 2 * OBJECT_BYTES + bytesOfAll(collection);
    }
    if (encoded instanceof Map<?, ?> map) {
      return 2 * OBJECT_BYTES + bytesOfAll(map.keySet()) + bytesOfAll(map.values());
    }
    return OBJECT_BYTES + serializedBytes(encoded);
  }

  private static int width(Class<?> primitive) {
    return primitive == long.class || primitive == double.class
        ? 8
        : primitive == int.class || primitive == float.class
            ? 4
            : primitive == short.class || primitive == char.class ? 2 : 1;
  }

  private long bytesOfAll(Collection<?> elements) {
    long bytes = 0;
    for (@Nullable Object element : elements) {
      bytes += REFERENCE_BYTES + OBJECT_BYTES;
      if (element != null) {
        bytes += bytes(isPlain(element) ? element : encodeValue(element));
      }
    }
    return bytes;
  }

  private static long serializedBytes(Object object) {
    CountingStream counter = new CountingStream();
    try (ObjectOutputStream out = new ObjectOutputStream(counter)) {
      out.writeObject(object);
      out.flush();
      return counter.bytes;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "objects of " + object.getClass().getName() + " cannot be serialized: " + e, e);
    }
  }

  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int value) {
      bytes++;
    }

    @Override
    public void write(byte[] array, int from, int length) {
      bytes += length;
    }
  }

  /** The application's own key, or its binary form where its class does not allow that. */
  Object decodeKey(Object encoded) {
    try {
      return decode(encoded);
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "a key could not be decoded", e);
      return encoded;
    }
  }

  /** The application's own value; empty for a removal, or if it cannot be decoded. */
  Optional<Object> decodeValue(@Nullable Object encoded) {
    try {
      return encoded == null ? Optional.empty() : Optional.of(decode(encoded));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "the value of a failed write could not be decoded", e);
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

  /** Whether a value that was read with binary objects kept equals the one that was sent. */
  boolean isSame(@Nullable Object sent, @Nullable Object read) {
    if (sent == null || read == null) {
      return sent == read;
    }
    return Objects.deepEquals(sent, read);
  }
}
