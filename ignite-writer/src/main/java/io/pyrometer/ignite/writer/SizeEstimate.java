package io.pyrometer.ignite.writer;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongBiFunction;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * What an entry takes in memory, in bytes. Objects are walked through their fields; collections and
 * maps of the JDK through their elements, the first {@value #SAMPLE} of them standing for all. What
 * cannot be read counts {@value #UNKNOWN} bytes, and no more than {@value #MOST_OBJECTS} objects
 * are looked at, each once.
 */
final class SizeEstimate {
  /** Table, slot and future of one entry. */
  static final long PER_ENTRY = 72;

  /** A stage that a caller derives from the future of a write that was merged with others. */
  static final long PER_MERGED_WRITE = 96;

  private static final long UNKNOWN = 256;
  private static final int SAMPLE = 64;
  private static final int MOST_OBJECTS = 4_096;

  /** Samples within samples: a large list that holds itself must end somewhere. */
  private static final int DEEPEST_SAMPLE = 3;

  /** From here on objects are remembered, so that cycles end; below it that would cost more. */
  private static final int REMEMBER_FROM = 48;

  /** How the bytes of an object are found, by its class. */
  private enum Kind {
    /** As many bytes as its shape says. */
    FIXED,
    TEXT,
    BUFFER,
    BINARY,
    PRIMITIVES,
    OBJECTS,
    COLLECTION,
    MAP,
    OPTIONAL,
    FIELDS
  }

  /**
   * What a class says about its objects.
   *
   * @param bytes of an object without those it refers to; for arrays of primitives, of one element
   * @param references the fields that refer to objects
   */
  private record Shape(Kind kind, long bytes, List<Field> references) {}

  private static final List<Field> NO_FIELDS = List.of();

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return shape(type);
        }
      };

  private SizeEstimate() {}

  static <K, V> ToLongBiFunction<K, V> standard() {
    return (key, value) -> of(key) + of(value);
  }

  static long of(Object object) {
    return of(object, 0);
  }

  private static long of(Object object, int depth) {
    Shape shape = SHAPES.get(object.getClass());
    long shallow = shape.kind == Kind.FIELDS ? flatBytes(shape, object) : leafBytes(shape, object);
    if (shallow >= 0) {
      return shallow;
    }
    try {
      return depth > DEEPEST_SAMPLE ? UNKNOWN : new Walk(depth).bytes(object);
    } catch (RuntimeException e) { // a collection that somebody changes meanwhile
      return UNKNOWN;
    }
  }

  /** The bytes of what holds no other objects; -1 for what may. */
  private static long leafBytes(Shape shape, Object object) {
    return switch (shape.kind) {
      case FIXED -> shape.bytes;
      case TEXT -> 48 + 2L * ((String) object).length();
      case BUFFER -> 64L + ((ByteBuffer) object).capacity();
      case BINARY -> 64L + ((BinaryObject) object).size();
      case PRIMITIVES -> 16 + shape.bytes * Array.getLength(object);
      case OBJECTS, COLLECTION, MAP, OPTIONAL, FIELDS -> -1;
    };
  }

  /** The bytes of an object whose fields hold no further objects, as most values; -1 for others. */
  private static long flatBytes(Shape shape, Object object) {
    long bytes = shape.bytes;
    List<Field> references = shape.references;
    for (int i = 0; i < references.size(); i++) { // an iterator is not always optimised away
      Object held = read(references.get(i), object);
      if (held instanceof String text) {
        bytes += 48 + 2L * text.length();
      } else if (held != null) {
        long leaf = leafBytes(SHAPES.get(held.getClass()), held);
        if (leaf < 0) {
          return -1;
        }
        bytes += leaf;
      }
    }
    return bytes;
  }

  private static @Nullable Object read(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      return null;
    }
  }

  private static boolean isJdk(Class<?> type) {
    return type.getClassLoader() == null;
  }

  private static long width(Class<?> type) {
    if (type == long.class || type == double.class) {
      return 8;
    }
    if (type == byte.class || type == boolean.class) {
      return 1;
    }
    return type == short.class || type == char.class ? 2 : 4;
  }

  private static Shape shape(Class<?> type) {
    if (type == String.class) {
      return new Shape(Kind.TEXT, 0, NO_FIELDS);
    }
    if (isJdk(type) && isNumber(type)) {
      return new Shape(Kind.FIXED, 24, NO_FIELDS);
    }
    if (Enum.class.isAssignableFrom(type) || type == Class.class) {
      return new Shape(Kind.FIXED, 0, NO_FIELDS);
    }
    if (type.isArray()) {
      Class<?> component = type.getComponentType();
      return component.isPrimitive()
          ? new Shape(Kind.PRIMITIVES, width(component), NO_FIELDS)
          : new Shape(Kind.OBJECTS, 0, NO_FIELDS);
    }
    if (BinaryObject.class.isAssignableFrom(type)) {
      return new Shape(Kind.BINARY, 0, NO_FIELDS);
    }
    if (ByteBuffer.class.isAssignableFrom(type)) {
      return new Shape(Kind.BUFFER, 0, NO_FIELDS);
    }
    if (type == Optional.class) {
      return new Shape(Kind.OPTIONAL, 0, NO_FIELDS);
    }
    if (isJdk(type) && Collection.class.isAssignableFrom(type)) {
      return new Shape(Kind.COLLECTION, 0, NO_FIELDS);
    }
    if (isJdk(type) && Map.class.isAssignableFrom(type)) {
      return new Shape(Kind.MAP, 0, NO_FIELDS);
    }
    return fields(type);
  }

  private static boolean isNumber(Class<?> type) {
    return Number.class.isAssignableFrom(type) || type == Boolean.class || type == Character.class;
  }

  private static Shape fields(Class<?> type) {
    long bytes = 16;
    List<Field> references = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        if (field.getType().isPrimitive()) {
          bytes += width(field.getType());
        } else if (field.trySetAccessible()) {
          bytes += 4;
          references.add(field);
        } else {
          bytes += UNKNOWN;
        }
      }
    }
    return new Shape(Kind.FIELDS, bytes, List.copyOf(references));
  }

  /** One object with all that it refers to. */
  private static final class Walk {
    private final Deque<Object> open = new ArrayDeque<>();
    private final int depth;
    private @Nullable Set<Object> seen;
    private int objects;
    private long bytes;

    Walk(int depth) {
      this.depth = depth;
    }

    long bytes(Object root) {
      open.push(root);
      while (!open.isEmpty() && objects < MOST_OBJECTS) {
        visit(open.pop());
      }
      return bytes;
    }

    private void visit(Object object) {
      if (++objects == REMEMBER_FROM) {
        seen = Collections.newSetFromMap(new IdentityHashMap<>());
      }
      if (seen != null && !seen.add(object)) {
        return;
      }
      Shape shape = SHAPES.get(object.getClass());
      switch (shape.kind) {
        case OBJECTS -> {
          Object[] array = (Object[]) object;
          bytes += 16 + 4L * array.length;
          sample(array.length, Arrays.asList(array));
        }
        case COLLECTION -> {
          Collection<?> all = (Collection<?>) object;
          bytes += 48 + 24L * all.size();
          sample(all.size(), all);
        }
        case MAP -> {
          Map<?, ?> map = (Map<?, ?>) object;
          bytes += 48 + 48L * map.size();
          sample(map.size(), map.keySet());
          sample(map.size(), map.values());
        }
        case OPTIONAL -> {
          bytes += 16;
          ((Optional<?>) object).ifPresent(this::add);
        }
        case FIELDS -> {
          bytes += shape.bytes;
          for (Field field : shape.references) {
            add(read(field, object));
          }
        }
        case FIXED, TEXT, BUFFER, BINARY, PRIMITIVES -> bytes += leafBytes(shape, object);
      }
    }

    /** Lets the first elements stand for all. */
    private void sample(int all, Iterable<?> elements) {
      if (all <= SAMPLE) {
        elements.forEach(this::add);
        return;
      }
      long sampled = 0;
      int taken = 0;
      for (Object element : elements) {
        if (taken++ == SAMPLE) {
          break;
        }
        sampled += element == null ? 0 : SizeEstimate.of(element, depth + 1);
      }
      bytes += (long) ((double) sampled / SAMPLE * all);
    }

    private void add(@Nullable Object object) {
      if (object == null) {
        return;
      }
      long leaf = leafBytes(SHAPES.get(object.getClass()), object);
      if (leaf >= 0) {
        bytes += leaf;
      } else {
        open.push(object);
      }
    }
  }
}
