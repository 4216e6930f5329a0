package io.pyrometer.driver.ignite.data;

import io.pyrometer.grid.GridException;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;

/** The records of a trial as objects of the user's class, made before anything is timed. */
final class Objects {
  private final Object[] made;

  private Objects(Object[] made) {
    this.made = made;
  }

  static Objects of(Records records) {
    String name =
        records
            .shape()
            .className()
            .orElseThrow(
                () ->
                    new GridException(
                        "Record '"
                            + records.shape().name()
                            + "' has no class: give one, or take value-form prebuilt."));
    Object[] made = new Object[records.size()];
    for (int record = 0; record < made.length; record++) {
      made[record] = make(name, records, record);
    }
    return new Objects(made);
  }

  private static Object make(String name, Records records, int record) {
    try {
      Class<?> type = Class.forName(name);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object object = constructor.newInstance();
      Object[] fields = records.fields(record);
      for (int i = 0; i < fields.length; i++) {
        set(object, records.shape().fields().get(i), fields[i]);
      }
      return object;
    } catch (ReflectiveOperationException e) {
      throw new GridException(
          "Class " + name + " cannot be filled: it needs a constructor without arguments.", e);
    }
  }

  private static void set(Object object, FieldShape shape, Object value)
      throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(shape.name());
    field.setAccessible(true);
    field.set(object, value);
  }

  Object get(int record) {
    return made[record];
  }
}
