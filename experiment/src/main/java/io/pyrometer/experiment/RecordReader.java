package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
    Keyed keyed = Keyed.of(node, "a record", List.of("name", "fields", "class"), problems);
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

  private Optional<RecordShape> ofClass(Keyed keyed, YamlNode.Scalar className) {
    if (!CLASS_NAME.matcher(className.text()).matches()) {
      problems.add(
          className.at(),
          "'" + className.text() + "' is no name of a class; write it in full, such as com.x.Y.");
    }
    for (String other : List.of("name", "fields")) {
      keyed
          .position(other)
          .ifPresent(
              at ->
                  problems.add(
                      at, "'" + other + "' does not go with 'class'; keep one of the two."));
    }
    return Optional.of(new RecordShape(className.text(), Optional.of(className.text()), List.of()));
  }

  private void checkName(YamlNode.Scalar name) {
    if (!NAME.matcher(name.text()).matches()) {
      problems.add(
          name.at(),
          "'" + name.text() + "' is no name for a type or field; use letters, digits and _.");
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
          "'" + field.name() + "' is no name for a type or field; use letters, digits and _.");
    }
    if (!names.add(field.name())) {
      problems.add(item.at(), "two fields are named '" + field.name() + "'; rename one.");
    }
    if (filled && field.filler()) {
      problems.add(item.at(), "a second field is the filler; keep one filler a record.");
    }
  }
}
