package io.pyrometer.driver.ignite;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records with a field of every type. */
public final class Orders {
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
    return Records.of(shape, Settings.NONE, SEED);
  }

  /** The shipped record, whose class ships with the driver, padded to so many bytes. */
  public static Records stockOrders(int bytes) {
    RecordShape shape =
        new RecordShape(
            "StockOrder",
            Optional.empty(),
            List.of(
                field("secCode", FieldType.STRING),
                field("price", FieldType.DOUBLE),
                field("quantity", FieldType.INT),
                field("buySell", FieldType.STRING),
                field("secBoard", FieldType.STRING),
                field("account", FieldType.STRING),
                field("user", FieldType.STRING),
                field("currency", FieldType.STRING),
                field("commission", FieldType.DOUBLE),
                field("status", FieldType.INT),
                field("marketMaker", FieldType.BOOLEAN),
                filler("padding")));
    return Records.of(shape, new Settings(Map.of("bytes", bytes)), SEED);
  }

  /** The other shipped record. */
  static Records sampleRecords() {
    RecordShape shape =
        new RecordShape(
            "SampleRecord",
            Optional.empty(),
            List.of(
                field("distance", FieldType.LONG),
                field("temperature", FieldType.FLOAT),
                field("date", FieldType.TIMESTAMP),
                filler("payload")));
    return Records.of(shape, new Settings(Map.of("bytes", 300)), SEED);
  }

  private static FieldShape filler(String name) {
    return new FieldShape(name, FieldType.BYTES, 8, 0, 0, 0, List.of(), true);
  }

  private static FieldShape field(String name, FieldType type) {
    return new FieldShape(name, type, 8, 0, 0, 1_000_000, List.of(), false);
  }
}
