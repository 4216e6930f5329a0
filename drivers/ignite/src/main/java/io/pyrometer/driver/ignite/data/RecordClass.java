package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.record.SampleRecord;
import io.pyrometer.driver.ignite.record.StockOrder;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Java class of a record: the user's own, or one that ships with its record. */
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
                    new GridException(
                        "Record '"
                            + shape.name()
                            + "' has no class: give one with 'record: {class: …}', or use binary "
                            + "objects and SQL described in code."));
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new GridException(
          "Class " + name + " is not on the class path: give it with --classpath.", e);
    }
  }

  /** A user may spell out a record of the same name with other fields. */
  private static boolean isOf(RecordShape shape, Class<?> shipped) {
    Set<String> fields =
        Arrays.stream(shipped.getDeclaredFields()).map(Field::getName).collect(Collectors.toSet());
    return shape.name().equals(shipped.getSimpleName())
        && fields.equals(shape.fields().stream().map(FieldShape::name).collect(Collectors.toSet()));
  }
}
