package io.pyrometer.driver.ignite;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** Records with a field of every type. */
final class Orders implements Records {
  private static final RecordShape SHAPE =
      new RecordShape(
          "order",
          Optional.empty(),
          List.of(
              field("code", FieldType.STRING),
              field("quantity", FieldType.LONG),
              field("status", FieldType.INT),
              field("price", FieldType.DOUBLE),
              field("heat", FieldType.FLOAT),
              field("maker", FieldType.BOOLEAN),
              field("payload", FieldType.BYTES),
              field("at", FieldType.TIMESTAMP)));

  private static FieldShape field(String name, FieldType type) {
    return new FieldShape(name, type, 8, 0, 0, 1_000, List.of(), false);
  }

  @Override
  public int size() {
    return 1_000;
  }

  @Override
  public RecordShape shape() {
    return SHAPE;
  }

  @Override
  public Object[] fields(int record) {
    return new Object[] {
      "code-" + record,
      10L * record,
      record,
      record / 8.0,
      record / 16.0f,
      record % 2 == 0,
      new byte[] {(byte) record, 2, 3},
      new Date(1_700_000_000_000L + record)
    };
  }

  @Override
  public long hash(long key, Object[] fields) {
    long hash = 31 * key + 17;
    for (Object field : fields) {
      long part = field instanceof byte[] bytes ? Arrays.hashCode(bytes) : field.hashCode();
      hash = (hash ^ part) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
