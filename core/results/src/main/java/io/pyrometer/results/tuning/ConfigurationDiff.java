package io.pyrometer.results.tuning;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Tunable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Changes of settings as a diff, in the form of an experiment's file, of Spring XML, and of Java.
 * Where the product has a setting is data of its declaration.
 */
public record ConfigurationDiff(List<Change> changes) {
  /**
   * A setting that changes.
   *
   * @param before as a file would say it; such as {@code as the JVM chooses} where no value is
   *     known
   */
  public record Change(SettingDescription setting, String before, String after) {
    private Optional<String> property() {
      return setting
          .traits()
          .tunable()
          .map(Tunable::property)
          .filter(property -> !property.isEmpty());
    }

    /** Whether the product has it as a property of a bean. */
    private boolean isOfBean() {
      return property().filter(property -> property.contains("/")).isPresent();
    }

    /** The value in the product's own configuration; empty for one that is no value. */
    private Optional<String> value(String text) {
      return SettingText.parse(setting, text).map(setting::productValue);
    }
  }

  /** A bean of the product's configuration: other beans and values that change, by property. */
  private record Bean(String type, Map<String, Object> properties) {
    Bean(String type) {
      this(type, new LinkedHashMap<>());
    }

    String simpleName() {
      return type.substring(type.lastIndexOf('.') + 1);
    }
  }

  /** The grid's and the workload's settings of the experiment. */
  public String yaml() {
    List<String> lines = new ArrayList<>();
    for (boolean load : new boolean[] {false, true}) {
      List<Change> mine =
          changes.stream().filter(c -> (c.setting().scope() == Scope.LOAD) == load).toList();
      if (!mine.isEmpty()) {
        lines.add(load ? " workload:" : " grid:");
      }
      for (Change change : mine) {
        lines.add("-  # %s: %s".formatted(change.setting().name(), change.before()));
        lines.add("+  %s: %s".formatted(change.setting().name(), change.after()));
      }
    }
    return String.join("\n", lines);
  }

  /** Spring XML; what no bean has, such as settings of the JVM, as comments. */
  public String xml() {
    List<String> lines = new ArrayList<>();
    for (Change change : elsewhere()) {
      lines.add("+<!-- %s: %s (before: %s) -->".formatted(words(change)));
    }
    roots().values().forEach(root -> xml(root, 0, lines));
    return String.join("\n", lines);
  }

  private static Object[] words(Change change) {
    boolean named = change.property().isPresent();
    return new Object[] {
      change.property().orElse(change.setting().name()),
      named ? change.value(change.after()).orElse(change.after()) : change.after(),
      named ? change.value(change.before()).orElse(change.before()) : change.before()
    };
  }

  private static void xml(Bean bean, int depth, List<String> lines) {
    String indent = "  ".repeat(depth);
    lines.add(" %s<bean class=\"%s\">".formatted(indent, bean.type()));
    bean.properties()
        .forEach(
            (name, what) -> {
              if (what instanceof Bean inner) {
                lines.add(" %s  <property name=\"%s\">".formatted(indent, name));
                xml(inner, depth + 2, lines);
                lines.add(" %s  </property>".formatted(indent));
              } else if (what instanceof Change change) {
                String form = "%s%s  <property name=\"%s\" value=\"%s\"/>";
                change
                    .value(change.before())
                    .ifPresent(v -> lines.add(form.formatted("-", indent, name, v)));
                change
                    .value(change.after())
                    .ifPresent(v -> lines.add(form.formatted("+", indent, name, v)));
              }
            });
    lines.add(" %s</bean>".formatted(indent));
  }

  /** Java statements; what no bean has, such as settings of the JVM, as comments. */
  public String java() {
    List<String> lines = new ArrayList<>();
    for (Change change : elsewhere()) {
      lines.add("+// %s: %s (before: %s)".formatted(words(change)));
    }
    roots().values().forEach(root -> java(root, variable(root.simpleName()), lines));
    return String.join("\n", lines);
  }

  private static String variable(String name) {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static void java(Bean bean, String variable, List<String> lines) {
    bean.properties()
        .forEach(
            (name, what) -> {
              if (what instanceof Bean inner) {
                lines.add(
                    " %1$s %2$s = (%1$s) %3$s.get%4$s();"
                        .formatted(inner.simpleName(), name, variable, capital(name)));
                java(inner, name, lines);
              } else if (what instanceof Change change) {
                String form = "%s%s.set%s(%s);";
                change
                    .value(change.before())
                    .map(v -> literal(change, v))
                    .ifPresent(v -> lines.add(form.formatted("-", variable, capital(name), v)));
                change
                    .value(change.after())
                    .map(v -> literal(change, v))
                    .ifPresent(v -> lines.add(form.formatted("+", variable, capital(name), v)));
              }
            });
  }

  private static String literal(Change change, String value) {
    String last = last(change);
    if (last.contains(":")) {
      return last.substring(Math.max(last.lastIndexOf('.'), last.indexOf(':')) + 1) + "." + value;
    }
    boolean isLong = value.matches("\\d+") && Double.parseDouble(value) > Integer.MAX_VALUE;
    return isLong ? value + "L" : value;
  }

  private static String last(Change change) {
    String path = change.property().orElse("");
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** What no bean of the product's configuration holds. */
  private List<Change> elsewhere() {
    return changes.stream().filter(change -> !change.isOfBean()).toList();
  }

  private Map<String, Bean> roots() {
    Map<String, Bean> roots = new LinkedHashMap<>();
    for (Change change : changes) {
      if (change.isOfBean()) {
        String path = change.property().orElseThrow();
        String[] steps = path.split("/", -1);
        Bean bean = roots.computeIfAbsent(steps[0], Bean::new);
        for (int i = 1; i < steps.length - 1; i++) {
          String[] nameAndType = steps[i].split(":", 2);
          bean =
              (Bean)
                  bean.properties()
                      .computeIfAbsent(nameAndType[0], name -> new Bean(nameAndType[1]));
        }
        bean.properties().put(steps[steps.length - 1].split(":", 2)[0], change);
      }
    }
    return roots;
  }
}
