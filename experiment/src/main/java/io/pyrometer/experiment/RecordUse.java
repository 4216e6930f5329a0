package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.List;

/** Whether the settings suit the record. */
final class RecordUse {

  private final Draft draft;
  private final Problems problems;

  RecordUse(Draft draft, Problems problems) {
    this.draft = draft;
    this.problems = problems;
  }

  void check(RecordShape record) {
    if (record.className().isPresent()) {
      return;
    }
    for (Given given : draft.allGiven()) {
      Position bytes = given.at().get("bytes");
      if (bytes != null && record.fields().stream().noneMatch(FieldShape::filler)) {
        problems.add(
            bytes,
            "'bytes' pads a record's filler field, and '"
                + record.name()
                + "' has none; mark a string or bytes field with 'filler: true'.");
      }
      Position aggregate = given.at().get("aggregate");
      if (aggregate != null) {
        checkAggregate(record, given.settings().text("aggregate"), aggregate);
      }
      Position updated = given.at().get("update-field");
      if (updated != null) {
        checkUpdated(record, given.settings().text("update-field"), updated);
      }
    }
  }

  private void checkUpdated(RecordShape record, String field, Position at) {
    List<String> names = record.fields().stream().map(FieldShape::name).toList();
    if (!names.contains(field)) {
      problems.add(
          at,
          "'update-field' names '"
              + field
              + "', which is no field of '"
              + record.name()
              + "'; "
              + Nearest.hint(field, names));
    }
  }

  private void checkAggregate(RecordShape record, String fields, Position at) {
    List<String> numeric =
        record.fields().stream().filter(DraftCheck::numeric).map(FieldShape::name).toList();
    for (String field : fields.split(",", -1)) {
      String name = field.strip();
      if (!numeric.contains(name)) {
        problems.add(
            at,
            "'aggregate' names '"
                + name
                + "', which is no numeric field of '"
                + record.name()
                + "'; "
                + Nearest.hint(name, numeric));
      }
    }
  }
}
