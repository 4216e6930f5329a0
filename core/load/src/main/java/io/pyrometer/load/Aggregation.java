package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Result of a job that reads the whole set: the highest value of some numeric fields. */
public final class Aggregation {

  private Aggregation() {}

  /**
   * Names of the fields aggregated over: those that the setting {@code aggregate} lists, else all
   * that are numeric.
   *
   * @throws IllegalArgumentException if a listed field is not numeric or there is none
   */
  public static List<String> fields(RecordShape shape, Settings settings) {
    List<String> numeric =
        shape.fields().stream().filter(Aggregation::isNumeric).map(FieldShape::name).toList();
    List<String> asked =
        settings
            .find(CoreSettings.AGGREGATE)
            .map(text -> Stream.of(text.split(",")).map(String::strip).toList())
            .orElse(numeric);
    if (asked.isEmpty() || !numeric.containsAll(asked)) {
      throw new IllegalArgumentException(
          "Record '%s' cannot be aggregated over %s; its numeric fields are %s."
              .formatted(shape.name(), asked, numeric));
    }
    return asked;
  }

  /** The right answer for the keys 0 … count−1, the record of key k being k mod the pool's size. */
  public static Aggregate truth(Records records, Settings settings, long count) {
    List<String> names = records.shape().fields().stream().map(FieldShape::name).toList();
    List<String> over = fields(records.shape(), settings);
    TreeMap<String, Double> highest = new TreeMap<>();
    for (int record = 0; record < Math.min(records.size(), count); record++) {
      Object[] values = records.fields(record);
      for (String field : over) {
        double value = ((Number) values[names.indexOf(field)]).doubleValue();
        highest.merge(field, value, Math::max);
      }
    }
    return new Aggregate(count, highest);
  }

  static boolean isNumeric(FieldShape field) {
    return Number.class.isAssignableFrom(field.type().valueType());
  }
}
