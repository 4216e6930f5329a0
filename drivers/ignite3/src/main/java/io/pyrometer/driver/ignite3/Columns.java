package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.RecordForm;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.table.Tuple;

/** A trial's records as rows: the key and a column for each field, each row built once. */
final class Columns implements RecordForm<Tuple> {
  static final String KEY = "K";

  private final List<String> names;
  private final List<FieldType> types;
  private final Tuple[] rows;

  Columns(Records records) {
    List<FieldShape> shape = records.shape().fields();
    this.names = shape.stream().map(field -> column(field.name())).toList();
    this.types = shape.stream().map(FieldShape::type).toList();
    this.rows = new Tuple[records.size()];
    for (int record = 0; record < rows.length; record++) {
      Object[] fields = records.fields(record);
      rows[record] = Tuple.create(fields.length);
      for (int i = 0; i < fields.length; i++) {
        rows[record].set(names.get(i), stored(types.get(i), fields[i]));
      }
    }
  }

  /** Never a word of SQL. */
  static String column(String field) {
    return "F_" + field.toUpperCase(Locale.ROOT);
  }

  static Tuple key(long key) {
    return Tuple.create(1).set(KEY, key);
  }

  /** The columns of a table as CREATE TABLE wants them. */
  String definition() {
    return IntStream.range(0, names.size())
        .mapToObj(i -> names.get(i) + " " + types.get(i).columnType())
        .collect(Collectors.joining(", ", KEY + " BIGINT PRIMARY KEY, ", ""));
  }

  private static Object stored(FieldType type, Object value) {
    return type == FieldType.TIMESTAMP
        ? LocalDateTime.ofInstant(((Date) value).toInstant(), ZoneOffset.UTC)
        : value;
  }

  String name(int field) {
    return names.get(field);
  }

  @Override
  public Tuple of(int record) {
    return rows[record];
  }

  /** Value of a field's column for a record. */
  Object value(int record, int field) {
    return rows[record].value(names.get(field));
  }

  @Override
  public Object[] fields(Tuple row) {
    Object[] fields = new Object[types.size()];
    for (int i = 0; i < fields.length; i++) {
      String name = names.get(i);
      fields[i] =
          types.get(i) == FieldType.TIMESTAMP
              ? Date.from(row.datetimeValue(name).toInstant(ZoneOffset.UTC))
              : row.value(name);
    }
    return fields;
  }
}
