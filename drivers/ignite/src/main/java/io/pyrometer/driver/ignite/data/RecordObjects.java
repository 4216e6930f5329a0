package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.lang.reflect.Constructor;

/** Makes the records of a trial as objects of their class. */
final class RecordObjects {

  private RecordObjects() {}

  /**
   * @throws GridException if the record has no class, or one that cannot be filled
   */
  static Object[] of(Records records) {
    Class<?> type = RecordClass.require(records.shape());
    ObjectField[] fields =
        records.shape().fields().stream()
            .map(FieldShape::name)
            .map(name -> ObjectField.of(type, name))
            .toArray(ObjectField[]::new);
    Object[] made = new Object[records.size()];
    for (int record = 0; record < made.length; record++) {
      made[record] = filled(fresh(type), fields, records.fields(record));
    }
    return made;
  }

  private static Object filled(Object object, ObjectField[] fields, Object[] values) {
    for (int i = 0; i < fields.length; i++) {
      fields[i].set(object, values[i]);
    }
    return object;
  }

  private static Object fresh(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new GridException(
          "Class "
              + type.getName()
              + " cannot be filled: it needs a constructor without arguments.",
          e);
    }
  }
}
