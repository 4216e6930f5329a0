package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SizeDistribution;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads a record that a file declares: a class, or a name and fields. */
final class RecordReader {
  private static final double YEAR_2000_MILLIS = 946_684_800_000.0;
  private static final double YEAR_2100_MILLIS = 4_102_444_800_000.0;
  private static final double DEFAULT_MOST = 1_000_000;

  private RecordReader() {}

  static RecordShape read(YamlNode node) {
    Optional<String> className = node.textOf("class");
    List<FieldShape> shapes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlNode item : node.get("fields").items()) {
      FieldShape field = field(item);
      item.refuseIf(!names.add(field.name()), "record.same-field", field.name());
      item.refuseIf(
          field.filler() && shapes.stream().anyMatch(FieldShape::filler), "record.two-fillers");
      shapes.add(field);
    }
    String name = className.or(() -> node.textOf("name")).orElse("");
    return new RecordShape(name, className, List.copyOf(shapes));
  }

  private static FieldShape field(YamlNode node) {
    FieldType type = FieldType.valueOf(node.textOf("type").orElseThrow().toUpperCase(Locale.ROOT));
    List<String> values = node.get("values").texts();
    for (Scalar value : node.get("values").scalars()) {
      value.refuseIf(!fits(type, value.text()), "record.wrong-value");
    }
    Optional<SizeDistribution> sizes = sizes(node);
    int size =
        sizes
            .map(SizeDistribution::mean)
            .orElseGet(
                () -> (int) Form.number(node, "size", "/$defs/field/properties/size/anyOf/0"));
    checkKeys(node, type, values);
    double least =
        bound(node, "min", type).orElse(type == FieldType.TIMESTAMP ? YEAR_2000_MILLIS : 0.0);
    double most = bound(node, "max", type).orElse(most(type));
    node.position("min")
        .or(() -> node.position("max"))
        .orElse(node.at())
        .refuseIf(least > most, "record.min-above-max");
    return new FieldShape(
        node.textOf("name").orElseThrow(),
        type,
        size,
        (int) Form.number(node, "cardinality", "/$defs/field/properties/cardinality"),
        least,
        most,
        values,
        Form.flag(node, "filler"),
        sizes);
  }

  /** Sizes that differ: a range, or a map of sizes or ranges to their shares. */
  private static Optional<SizeDistribution> sizes(YamlNode node) {
    Optional<YamlNode> given = node.value("size");
    Optional<String> text =
        given
            .flatMap(
                size ->
                    size instanceof YamlNode.Keys
                        ? Optional.of(SettingsReader.shares(size, "'size'"))
                        : size.scalar().filter(scalar -> scalar.text().contains("..")))
            .map(Scalar::text);
    Optional<SizeDistribution> sizes = text.flatMap(SizeDistribution::parse);
    if (text.isPresent() && sizes.isEmpty()) {
      throw given.get().problem("record.sizes");
    }
    return sizes;
  }

  /** Refuses keys that the type has no use for, and a size that is missing. */
  private static void checkKeys(YamlNode node, FieldType type, List<String> values) {
    boolean sized = type == FieldType.STRING || type == FieldType.BYTES;
    if (!sized) {
      List.of("size", "filler").forEach(key -> node.refuse(key, "record.key-of-texts", key));
    } else if (!node.hasKey("size") && !Form.flag(node, "filler") && values.isEmpty()) {
      throw node.position("type").orElse(node.at()).problem("record.no-size");
    }
    if (sized || type == FieldType.BOOLEAN || !values.isEmpty()) {
      List.of("min", "max").forEach(key -> node.refuse(key, "record.key-of-numbers", key));
    }
  }

  private static Optional<Double> bound(YamlNode node, String key, FieldType type) {
    Optional<Scalar> scalar = node.scalar(key);
    Optional<Double> bound = scalar.flatMap(given -> instantOrNumber(given.text(), type));
    if (scalar.isPresent() && bound.filter(value -> inside(type, value)).isEmpty()) {
      throw scalar.get().problem("record.wrong-bound", key, scalar.get().text());
    }
    return bound;
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
      return Optional.of(Double.valueOf(text));
    } catch (NumberFormatException | DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static double most(FieldType type) {
    return switch (type) {
      case TIMESTAMP -> YEAR_2100_MILLIS;
      case BOOLEAN, FLOAT, DOUBLE -> 1;
      default -> DEFAULT_MOST;
    };
  }

  private static boolean inside(FieldType type, double value) {
    return switch (type) {
      case INT ->
          value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE && value == Math.rint(value);
      case LONG -> Math.abs(value) <= 1L << 53 && value == Math.rint(value);
      case FLOAT -> Math.abs(value) <= Float.MAX_VALUE;
      default -> Double.isFinite(value);
    };
  }

  private static boolean fits(FieldType type, String text) {
    return switch (type) {
      case STRING, BYTES -> true;
      case BOOLEAN -> Set.of("true", "false").contains(text);
      default -> instantOrNumber(text, FieldType.LONG).filter(v -> inside(type, v)).isPresent();
    };
  }
}
