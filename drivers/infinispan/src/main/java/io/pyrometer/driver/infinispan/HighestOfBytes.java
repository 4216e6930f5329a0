package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.HighestFields;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.List;
import java.util.stream.Collector;
import org.infinispan.util.function.SerializableSupplier;

/**
 * An aggregation of records that are bytes, sent to every server with a stream.
 *
 * @param types of all fields of a record, in the shape's order
 * @param empty the fields to look at
 */
record HighestOfBytes(List<FieldType> types, HighestFields empty)
    implements SerializableSupplier<Collector<? super byte[], ?, HighestFields>> {

  @Override
  public Collector<? super byte[], ?, HighestFields> get() {
    return Collector.<byte[], HighestFields>of(
        empty::empty,
        (found, record) -> found.see(RecordBytes.fields(types, record)),
        HighestFields::merge,
        Collector.Characteristics.UNORDERED);
  }
}
