package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.RecordForm;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.IgniteBinary;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.binary.BinaryObjectBuilder;
import org.springframework.util.SerializationUtils;

/** The values of one trial: what is made in advance is made once for all load threads. */
public final class ValuePool implements RecordForm<Object> {
  private static final Set<String> OBJECTS = Set.of("object", "deserialized");

  private final IgniteBinary binary;
  private final Records records;
  private final String type;
  private final List<String> names;
  private final BinaryFields readers;

  /** Values that were made in advance, by their form. */
  private final Map<String, Object[]> made = new ConcurrentHashMap<>();

  public ValuePool(IgniteBinary binary, Records records) {
    this.binary = binary;
    this.records = records;
    this.type = RecordClass.typeName(records.shape());
    this.names = records.shape().fields().stream().map(FieldShape::name).toList();
    this.readers = new BinaryFields(names);
  }

  public Records records() {
    return records;
  }

  /** Returns whether the values of a trial are binary objects, for a cache that keeps them so. */
  public static boolean isBinary(Settings settings) {
    return !OBJECTS.contains(settings.get(GridSettings.VALUE_FORM));
  }

  /**
   * Values in one of the forms of {@link GridSettings#VALUE_FORM}, for one load thread.
   *
   * @throws GridException if the form needs a class and the record has none
   */
  public IntFunction<Object> in(String form) {
    return switch (form) {
      case "prebuilt" -> {
        Object[] of = prebuilt();
        yield record -> of[record];
      }
      case "cached-builder" -> {
        Object[][] of = fields();
        BinaryObjectBuilder builder = binary.builder(type);
        yield record -> build(builder, of[record]);
      }
      case "fresh-builder" -> {
        Object[][] of = fields();
        yield record -> build(binary.builder(type), of[record]);
      }
      case "object" -> {
        Object[] of = objects();
        yield record -> of[record];
      }
      case "deserialized" -> {
        Object[] of = objects();
        Object[] bytes = made(form, record -> serialize(of[record]));
        yield record ->
            Objects.requireNonNull(SerializationUtils.deserialize((byte[]) bytes[record]));
      }
      default -> {
        Object[] of = objects();
        yield record -> binary.toBinary(of[record]);
      }
    };
  }

  private static byte[] serialize(Object object) {
    try {
      return Objects.requireNonNull(SerializationUtils.serialize(object));
    } catch (IllegalArgumentException e) {
      throw GridException.of(
          "Objects of %s cannot be serialised: make the class Serializable, or set another"
              + " 'value-form' than 'deserialized'.",
          object.getClass().getName(), e);
    }
  }

  /** The record of this index as a binary object. */
  @Override
  public Object of(int record) {
    return prebuilt()[record];
  }

  @Override
  public Object[] fields(Object stored) {
    return readers.of((BinaryObject) stored);
  }

  private Object[] prebuilt() {
    return made("prebuilt", record -> build(binary.builder(type), records.fields(record)));
  }

  private Object[] made(String form, IntFunction<Object> one) {
    return made.computeIfAbsent(
        form, missing -> IntStream.range(0, records.size()).mapToObj(one).toArray());
  }

  private BinaryObject build(BinaryObjectBuilder builder, Object[] values) {
    for (int i = 0; i < values.length; i++) {
      builder.setField(names.get(i), values[i]);
    }
    return builder.build();
  }

  /** Field values by record, in the shape's order. */
  public Object[][] fields() {
    return Stream.of(made("fields", records::fields)).toArray(Object[][]::new);
  }

  private Object[] objects() {
    return made.computeIfAbsent("object", missing -> RecordClass.objects(records));
  }
}
