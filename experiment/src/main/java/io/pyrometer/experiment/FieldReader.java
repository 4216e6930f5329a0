package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads one field of a record. */
final class FieldReader {

  private static final List<String> KEYS =
      List.of("name", "type", "size", "cardinality", "min", "max", "values", "filler");
  private static final List<String> TYPES =
      Arrays.stream(FieldType.values()).map(type -> type.name().toLowerCase(Locale.ROOT)).toList();
  private static final SettingDescription SIZE =
      SettingDescription.integer("size", Scope.CACHE, 0, 1, 16_777_216, "");
  private static final SettingDescription CARDINALITY =
      SettingDescription.integer("cardinality", Scope.CACHE, 0, 1, 1_000_000_000, "");
  private static final SettingDescription FILLER =
      SettingDescription.flag("filler", Scope.CACHE, false, "");

  private final Problems problems;

  FieldReader(Problems problems) {
    this.problems = problems;
  }

  Optional<FieldShape> read(YamlNode node) {
    Keyed keyed = Keyed.of(node, "a field", KEYS, problems);
    Optional<YamlNode.Scalar> name = keyed.required("name", "one such as price");
    Optional<FieldType> type = keyed.required("type", "one such as long").flatMap(this::type);
    if (name.isEmpty() || type.isEmpty()) {
      return Optional.empty();
    }
    int size = number(keyed, SIZE);
    boolean filler = value(keyed, FILLER).map(Boolean.class::cast).orElse(false);
    List<String> values = keyed.node("values").map(v -> values(v, type.get())).orElse(List.of());
    checkSize(keyed, type.get(), size, filler, values);
    double least = bound(keyed, "min", type.get()).orElse(FieldBounds.least(type.get()));
    double most = bound(keyed, "max", type.get()).orElse(FieldBounds.most(type.get()));
    if (least > most) {
      problems.add(
          keyed.position("min").or(() -> keyed.position("max")).orElse(node.at()),
          "'min' is above 'max'; exchange them.");
    }
    return Optional.of(
        new FieldShape(
            name.get().text(),
            type.get(),
            size,
            number(keyed, CARDINALITY),
            least,
            most,
            values,
            filler));
  }

  private Optional<FieldType> type(YamlNode.Scalar scalar) {
    if (TYPES.contains(scalar.text())) {
      return Optional.of(FieldType.valueOf(scalar.text().toUpperCase(Locale.ROOT)));
    }
    problems.add(
        scalar.at(), "unknown type '" + scalar.text() + "'; " + Nearest.hint(scalar.text(), TYPES));
    return Optional.empty();
  }

  private int number(Keyed keyed, SettingDescription setting) {
    return value(keyed, setting).map(value -> ((Long) value).intValue()).orElse(0);
  }

  private Optional<Object> value(Keyed keyed, SettingDescription setting) {
    return keyed
        .scalar(setting.name())
        .flatMap(
            scalar -> {
              Optional<Object> value = SettingText.parse(setting, scalar.text());
              if (value.isEmpty()) {
                problems.add(scalar.at(), Expected.sentence(setting, scalar.text()));
              }
              return value;
            });
  }

  private void checkSize(
      Keyed keyed, FieldType type, int size, boolean filler, List<String> values) {
    boolean sized = type == FieldType.STRING || type == FieldType.BYTES;
    if (!sized) {
      for (String key : List.of("size", "filler")) {
        keyed
            .position(key)
            .ifPresent(
                at ->
                    problems.add(
                        at,
                        "'" + key + "' is for fields of type string or bytes; remove it here."));
      }
    } else if (size == 0 && !filler && keyed.node("values").isEmpty()) {
      keyed
          .position("type")
          .ifPresent(
              at ->
                  problems.add(
                      at, "a field of this type has a size; give 'size', 'values' or 'filler'."));
    }
    if (sized || type == FieldType.BOOLEAN || !values.isEmpty()) {
      for (String key : List.of("min", "max")) {
        keyed
            .position(key)
            .ifPresent(
                at ->
                    problems.add(
                        at, "'" + key + "' is for numbers without 'values'; remove it here."));
      }
    }
  }

  private List<String> values(YamlNode node, FieldType type) {
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(node.at(), "'values' must be a list of at least one value; write [A, B].");
      return List.of();
    }
    List<String> values = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      if (item instanceof YamlNode.Scalar scalar && FieldBounds.fits(type, scalar.text())) {
        values.add(scalar.text());
      } else {
        problems.add(item.at(), "this is no value of the field's type; correct or remove it.");
      }
    }
    return List.copyOf(values);
  }

  private Optional<Double> bound(Keyed keyed, String key, FieldType type) {
    return keyed
        .scalar(key)
        .flatMap(
            scalar -> {
              Optional<Double> bound = instantOrNumber(scalar.text(), type);
              if (bound.filter(b -> FieldBounds.inside(type, b)).isEmpty()) {
                problems.add(
                    scalar.at(),
                    "'"
                        + key
                        + "' takes a value of the field's type, not '"
                        + scalar.text()
                        + "'; correct it.");
              }
              return bound;
            });
  }

  private static Optional<Double> instantOrNumber(String text, FieldType type) {
    try {
      if (type == FieldType.TIMESTAMP && text.contains("-")) {
        Instant instant =
            text.contains("T")
                ? Instant.parse(text)
                : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        return Optional.of((double) instant.toEpochMilli());
      }
      return Optional.of(Double.parseDouble(text));
    } catch (NumberFormatException | DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
