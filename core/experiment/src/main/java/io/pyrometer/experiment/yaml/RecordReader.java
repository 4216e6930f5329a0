package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.protocol.RecordShape;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a record that a file declares: a class, or a name and fields. */
final class RecordReader {

  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private final Problems problems;

  RecordReader(Problems problems) {
    this.problems = problems;
  }

  /** Empty if there is a problem. */
  Optional<RecordShape> read(YamlNode node) {
    YamlMap keyed = YamlMap.of(node, "a record", List.of("name", "fields", "class"), problems);
    Optional<YamlNode.Scalar> className = keyed.scalar("class");
    if (className.isPresent()) {
      return ofClass(keyed, className.get());
    }
    Optional<YamlNode.Scalar> name = keyed.required("name", "the type's name, such as Order");
    name.ifPresent(this::checkName);
    Optional<YamlNode> fields = keyed.requiredNode("fields", "a list of fields");
    List<FieldShape> shapes = fields.map(this::fields).orElse(List.of());
    return name.map(scalar -> new RecordShape(scalar.text(), Optional.empty(), shapes));
  }

  private Optional<RecordShape> ofClass(YamlMap keyed, YamlNode.Scalar className) {
    if (!CLASS_NAME.matcher(className.text()).matches()) {
      problems.add(
          className.at(),
          "'" + className.text() + "' is not a class name; write it in full, such as com.x.Y.");
    }
    for (String other : List.of("name", "fields")) {
      keyed
          .position(other)
          .ifPresent(
              at ->
                  problems.add(
                      at, "'" + other + "' cannot be combined with 'class'; keep one of the two."));
    }
    return Optional.of(new RecordShape(className.text(), Optional.of(className.text()), List.of()));
  }

  private void checkName(YamlNode.Scalar name) {
    if (!NAME.matcher(name.text()).matches()) {
      problems.add(
          name.at(),
          "'"
              + name.text()
              + "' is not a valid name for a type or field; use letters, digits and _.");
    }
  }

  private List<FieldShape> fields(YamlNode node) {
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(
          node.at(), "'fields' must be a list of at least one field; write '- name: price'.");
      return List.of();
    }
    List<FieldShape> shapes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    boolean filled = false;
    for (YamlNode item : items.nodes()) {
      Optional<FieldShape> field = new FieldReader(problems).read(item);
      if (field.isPresent()) {
        checkOnce(item, field.get(), names, filled);
        filled |= field.get().filler();
        shapes.add(field.get());
      }
    }
    return List.copyOf(shapes);
  }

  private void checkOnce(YamlNode item, FieldShape field, Set<String> names, boolean filled) {
    if (!NAME.matcher(field.name()).matches()) {
      problems.add(
          item.at(),
          "'"
              + field.name()
              + "' is not a valid name for a type or field; use letters, digits and _.");
    }
    if (!names.add(field.name())) {
      problems.add(item.at(), "two fields are named '" + field.name() + "'; rename one.");
    }
    if (filled && field.filler()) {
      problems.add(item.at(), "a second field is the filler; keep one filler a record.");
    }
  }

  /** Reads one field of a record. */
  static final class FieldReader {

    private static final List<String> KEYS =
        List.of("name", "type", "size", "cardinality", "min", "max", "values", "filler");
    private static final List<String> TYPES =
        Arrays.stream(FieldType.values())
            .map(type -> type.name().toLowerCase(Locale.ROOT))
            .toList();
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
      YamlMap keyed = YamlMap.of(node, "a field", KEYS, problems);
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
            "'min' is above 'max'; swap them.");
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
          scalar.at(),
          "unknown type '" + scalar.text() + "'; " + SpellingSuggestion.hint(scalar.text(), TYPES));
      return Optional.empty();
    }

    private int number(YamlMap keyed, SettingDescription setting) {
      return value(keyed, setting).map(value -> ((Long) value).intValue()).orElse(0);
    }

    private Optional<Object> value(YamlMap keyed, SettingDescription setting) {
      return keyed
          .scalar(setting.name())
          .flatMap(
              scalar -> {
                Optional<Object> value = SettingText.parse(setting, scalar.text());
                if (value.isEmpty()) {
                  problems.add(scalar.at(), SettingText.sentence(setting, scalar.text()));
                }
                return value;
              });
    }

    private void checkSize(
        YamlMap keyed, FieldType type, int size, boolean filler, List<String> values) {
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
          problems.add(item.at(), "this is not a value of the field's type; correct or remove it.");
        }
      }
      return List.copyOf(values);
    }

    private Optional<Double> bound(YamlMap keyed, String key, FieldType type) {
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

  /** The values that a field's type can hold. */
  static final class FieldBounds {

    private static final double YEAR_2100_MILLIS = 4_102_444_800_000.0;
    private static final double DEFAULT_MOST = 1_000_000;

    private FieldBounds() {}

    /** Where a file gives no smallest value. */
    static double least(FieldType type) {
      return type == FieldType.TIMESTAMP ? 946_684_800_000.0 : 0;
    }

    /** Where a file gives no largest value. */
    static double most(FieldType type) {
      return switch (type) {
        case TIMESTAMP -> YEAR_2100_MILLIS;
        case BOOLEAN -> 1;
        case FLOAT, DOUBLE -> 1;
        default -> DEFAULT_MOST;
      };
    }

    static boolean inside(FieldType type, double value) {
      return switch (type) {
        case INT ->
            value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE && value == Math.rint(value);
        case LONG -> Math.abs(value) <= 1L << 53 && value == Math.rint(value);
        case FLOAT -> Math.abs(value) <= Float.MAX_VALUE;
        default -> Double.isFinite(value);
      };
    }

    /** Whether a text is a value of the type. */
    static boolean fits(FieldType type, String text) {
      return switch (type) {
        case STRING, BYTES -> true;
        case BOOLEAN -> Set.of("true", "false").contains(text);
        default -> numeric(type, text);
      };
    }

    private static boolean numeric(FieldType type, String text) {
      try {
        return inside(type, Double.parseDouble(text));
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }
}
