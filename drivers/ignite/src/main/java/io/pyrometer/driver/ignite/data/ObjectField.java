package io.pyrometer.driver.ignite.data;

import java.lang.reflect.Field;

/** One field of the objects of a class, its superclasses' fields among them. */
final class ObjectField {
  private final Field field;

  private ObjectField(Field field) {
    this.field = field;
  }

  /**
   * @throws IllegalStateException if the class has no such field
   */
  static ObjectField of(Class<?> type, String name) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return new ObjectField(field);
        }
      }
    }
    throw new IllegalStateException("Class " + type.getName() + " has no field '" + name + "'.");
  }

  void set(Object object, Object value) {
    try {
      field.set(object, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Field " + field + " cannot be set.", e);
    }
  }
}
