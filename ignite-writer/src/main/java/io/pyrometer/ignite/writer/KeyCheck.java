package io.pyrometer.ignite.writer;

/**
 * Refuses keys that the writer cannot tell apart. Ignite compares keys by their binary form, the
 * writer by {@code equals}: without it, writes of one key would look like writes of several and
 * could overtake one another.
 */
final class KeyCheck {
  private static final ClassValue<Boolean> HAS_IDENTITY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isOverridden(type, "equals", Object.class) && isOverridden(type, "hashCode");
        }
      };

  private Class<?> last = Long.class;

  private static boolean isOverridden(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getMethod(method, parameters).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /**
   * Checks the class of a key.
   *
   * @throws IllegalArgumentException if it has no {@code equals} and {@code hashCode} of its own
   */
  void check(Object key) {
    Class<?> type = key.getClass();
    if (type == last) { // a race on this field costs a look-up
      return;
    }
    if (!HAS_IDENTITY.get(type)) {
      throw new IllegalArgumentException(
          "keys of "
              + type.getTypeName()
              + " have no equals and hashCode of their own, so that the writer cannot keep the order"
              + " of their writes; add both, or write binary keys (cache.withKeepBinary() and"
              + " ignite.binary().toBinary(key))");
    }
    last = type;
  }
}
