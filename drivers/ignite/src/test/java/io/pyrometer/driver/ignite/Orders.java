package io.pyrometer.driver.ignite;

import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;

/** Records with a field of every type. */
final class Orders {
  static final long SEED = 1;

  private Orders() {}

  static Records pool() {
    RecordShape shape =
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
    return RecordPool.of(shape, Settings.NONE, SEED);
  }

  private static FieldShape field(String name, FieldType type) {
    return new FieldShape(name, type, 8, 0, 0, 1_000_000, List.of(), false);
  }
}
