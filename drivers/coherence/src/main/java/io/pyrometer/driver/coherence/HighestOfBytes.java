package io.pyrometer.driver.coherence;

import com.tangosol.util.InvocableMap;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.HighestFields;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.io.Serializable;
import java.util.List;

/** An aggregation of records that are bytes, sent to every member. */
final class HighestOfBytes
    implements InvocableMap.StreamingAggregator<Long, byte[], HighestFields, HighestFields>,
        Serializable {
  private static final long serialVersionUID = 1L;

  private final FieldType[] types;
  private final HighestFields found;

  /**
   * @param types of all fields of a record, in the shape's order
   * @param empty the fields to look at
   */
  HighestOfBytes(List<FieldType> types, HighestFields empty) {
    this.types = types.toArray(FieldType[]::new);
    this.found = empty;
  }

  @Override
  public InvocableMap.StreamingAggregator<Long, byte[], HighestFields, HighestFields> supply() {
    return new HighestOfBytes(List.of(types), found.empty());
  }

  @Override
  public boolean accumulate(InvocableMap.Entry<? extends Long, ? extends byte[]> entry) {
    found.see(RecordBytes.fields(List.of(types), entry.getValue()));
    return true;
  }

  @Override
  public boolean combine(HighestFields other) {
    HighestFields unused = found.merge(other);
    return true;
  }

  @Override
  public HighestFields getPartialResult() {
    return found;
  }

  @Override
  public HighestFields finalizeResult() {
    return found;
  }

  @Override
  public int characteristics() {
    return PARALLEL;
  }
}
