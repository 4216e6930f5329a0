package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.UserClass;
import io.pyrometer.driver.ignite.record.SampleRecord;
import io.pyrometer.driver.ignite.record.StockOrder;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The Java class of a record, the user's own or one that ships with its record, and Ignite's names
 * for its type and fields.
 */
public final class RecordClass {

  private RecordClass() {}

  /** Empty for a record that is fields alone. */
  static Optional<String> name(RecordShape shape) {
    return shape
        .className()
        .or(
            () ->
                Stream.of(StockOrder.class, SampleRecord.class)
                    .filter(shipped -> isOf(shape, shipped))
                    .findFirst()
                    .map(Class::getName));
  }

  /**
   * The class itself.
   *
   * @throws GridException if the record has none, or it is not on the class path
   */
  public static Class<?> require(RecordShape shape) {
    String name =
        name(shape)
            .orElseThrow(
                () ->
                    GridException.of(
                        "Record '%s' has no class: give one with 'record: {class: …}', or use"
                            + " binary objects and SQL described in code.",
                        shape.name()));
    return UserClass.load(name, "Class");
  }

  /**
   * The records of a trial as objects of their class.
   *
   * @throws GridException if the record has no class, or one that cannot be filled
   */
  static Object[] objects(Records records) {
    Class<?> type = require(records.shape());
    List<Field> fields =
        records.shape().fields().stream().map(field -> field(type, field.name())).toList();
    Object[] made = new Object[records.size()];
    for (int record = 0; record < made.length; record++) {
      made[record] = create(type);
      Object[] values = records.fields(record);
      for (int i = 0; i < values.length; i++) {
        ReflectionUtils.setField(fields.get(i), made[record], values[i]);
      }
    }
    return made;
  }

  private static Object create(Class<?> type) {
    try {
      return BeanUtils.instantiateClass(type);
    } catch (BeanInstantiationException e) {
      throw GridException.of(
          "Class %s cannot be filled: it needs a constructor without arguments.",
          type.getName(), e);
    }
  }

  /**
   * A field of the objects of a class, its superclasses' fields among them.
   *
   * @throws IllegalStateException if the class has no such field
   */
  public static Field field(Class<?> type, String name) {
    Field field = ReflectionUtils.findField(type, name);
    if (field == null) {
      throw new IllegalStateException("Class " + type.getName() + " has no field '" + name + "'.");
    }
    ReflectionUtils.makeAccessible(field);
    return field;
  }

  /** A user may spell out a record of the same name with other fields. */
  private static boolean isOf(RecordShape shape, Class<?> shipped) {
    Set<String> fields =
        Arrays.stream(shipped.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .map(Field::getName)
            .collect(Collectors.toSet());
    return shape.name().equals(shipped.getSimpleName())
        && fields.equals(shape.fields().stream().map(FieldShape::name).collect(Collectors.toSet()));
  }

  /**
   * The binary type's name: the class where there is one, else a name in a package, for a cluster
   * that is attached to may have a type of the record's name.
   */
  public static String typeName(RecordShape shape) {
    return name(shape).orElse("io.pyrometer.record." + shape.name());
  }

  /** The SQL table's name: Ignite calls it by the type's name without its package. */
  public static String table(RecordShape shape) {
    return simple(typeName(shape));
  }

  static String simple(String type) {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  /** Java types by field, in the shape's order, as a query entity wants them. */
  public static Map<String, String> columns(RecordShape shape) {
    LinkedHashMap<String, String> columns = new LinkedHashMap<>();
    shape.fields().forEach(field -> columns.put(field.name(), field.type().valueType().getName()));
    return columns;
  }
}
