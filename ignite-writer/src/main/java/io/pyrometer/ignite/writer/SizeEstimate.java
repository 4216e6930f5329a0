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

  /** The fields of a class that refer to objects, and the bytes of all its fields. */
  private record Shape(long bytes, List<Field> references) {}

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
    long leaf = leafBytes(object);
    if (leaf >= 0) {
      return leaf;
    }
    try {
      return depth > DEEPEST_SAMPLE ? UNKNOWN : new Walk(depth).bytes(object);
    } catch (RuntimeException e) { // a collection that somebody changes meanwhile
      return UNKNOWN;
    }
  }

  /** The bytes of what holds no other objects; -1 for what may. */
  private static long leafBytes(Object object) {
    if (object instanceof String text) {
      return 48 + 2L * text.length();
    }
    if (object instanceof Number || object instanceof Boolean || object instanceof Character) {
      return isJdk(object.getClass()) ? 24 : -1;
    }
    if (object instanceof byte[] array) {
      return 16L + array.length;
    }
    if (object instanceof ByteBuffer buffer) {
      return 64L + buffer.capacity();
    }
    if (object instanceof BinaryObject binary) {
      return 64L + binary.size();
    }
    if (object instanceof Enum<?> || object instanceof Class<?>) {
      return 0;
    }
    Class<?> component = object.getClass().getComponentType();
    if (component != null && component.isPrimitive()) {
      return 16 + width(component) * Array.getLength(object);
    }
    return -1;
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
    return new Shape(bytes, List.copyOf(references));
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
      if (object instanceof Object[] array) {
        bytes += 16 + 4L * array.length;
        sample(array.length, Arrays.asList(array));
      } else if (isJdk(object.getClass()) && object instanceof Collection<?> all) {
        bytes += 48 + 24L * all.size();
        sample(all.size(), all);
      } else if (object instanceof Optional<?> optional) {
        bytes += 16;
        optional.ifPresent(this::add);
      } else if (isJdk(object.getClass()) && object instanceof Map<?, ?> map) {
        bytes += 48 + 48L * map.size();
        sample(map.size(), map.keySet());
        sample(map.size(), map.values());
      } else {
        Shape shape = SHAPES.get(object.getClass());
        bytes += shape.bytes;
        for (Field field : shape.references) {
          add(read(field, object));
        }
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

    private static @Nullable Object read(Field field, Object object) {
      try {
        return field.get(object);
      } catch (IllegalAccessException e) {
        return null;
      }
    }

    private void add(@Nullable Object object) {
      if (object == null) {
        return;
      }
      long leaf = leafBytes(object);
      if (leaf >= 0) {
        bytes += leaf;
      } else {
        open.push(object);
      }
    }
  }
}
