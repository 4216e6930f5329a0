package io.pyrometer.driver.hazelcast;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import io.pyrometer.driver.RecordForm;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A trial's records in Hazelcast's compact form, each built once. */
final class CompactRecords implements RecordForm<GenericRecord> {
  private final List<FieldShape> shape;
  private final Object[][] fields;
  private final GenericRecord[] built;

  CompactRecords(Records records) {
    this.shape = records.shape().fields();
    this.fields = new Object[records.size()][];
    this.built = new GenericRecord[records.size()];
    for (int record = 0; record < built.length; record++) {
      fields[record] = records.fields(record);
      GenericRecordBuilder builder = GenericRecordBuilder.compact(records.shape().name());
      for (int field = 0; field < shape.size(); field++) {
        set(builder, shape.get(field).name(), shape.get(field).type(), fields[record][field]);
      }
      built[record] = builder.build();
    }
  }

  @Override
  public GenericRecord of(int record) {
    return built[record];
  }

  @Override
  public Object[] fields(GenericRecord stored) {
    Object[] values = new Object[shape.size()];
    for (int field = 0; field < values.length; field++) {
      values[field] = get(stored, shape.get(field).name(), shape.get(field).type());
    }
    return values;
  }

  /** Changes one field of a stored record to what another record has; false if none is stored. */
  EntryProcessor<Long, GenericRecord, Boolean> setField(int field, int record) {
    FieldShape changed = shape.get(field);
    return new SetField(changed.name(), changed.type(), fields[record][field]);
  }

  private record SetField(String name, FieldType type, Object value)
      implements EntryProcessor<Long, GenericRecord, Boolean> {
    @Override
    public Boolean process(Map.Entry<Long, @Nullable GenericRecord> entry) {
      GenericRecord there = entry.getValue();
      if (there == null) {
        return false;
      }
      GenericRecordBuilder builder = there.newBuilderWithClone();
      set(builder, name, type, value);
      entry.setValue(builder.build());
      return true;
    }
  }

  private static void set(GenericRecordBuilder to, String name, FieldType type, Object value) {
    GenericRecordBuilder unused =
        switch (type) {
          case STRING -> to.setString(name, (String) value);
          case LONG -> to.setInt64(name, (Long) value);
          case INT -> to.setInt32(name, (Integer) value);
          case DOUBLE -> to.setFloat64(name, (Double) value);
          case FLOAT -> to.setFloat32(name, (Float) value);
          case BOOLEAN -> to.setBoolean(name, (Boolean) value);
          case BYTES -> to.setArrayOfInt8(name, (byte[]) value);
          case TIMESTAMP ->
              to.setTimestamp(
                  name,
                  LocalDateTime.ofInstant(
                      Instant.ofEpochMilli(((Date) value).getTime()), ZoneOffset.UTC));
        };
  }

  private static Object get(GenericRecord from, String name, FieldType type) {
    return switch (type) {
      case STRING -> from.getString(name);
      case LONG -> from.getInt64(name);
      case INT -> from.getInt32(name);
      case DOUBLE -> from.getFloat64(name);
      case FLOAT -> from.getFloat32(name);
      case BOOLEAN -> from.getBoolean(name);
      case BYTES -> from.getArrayOfInt8(name);
      case TIMESTAMP -> Date.from(from.getTimestamp(name).toInstant(ZoneOffset.UTC));
    };
  }
}
