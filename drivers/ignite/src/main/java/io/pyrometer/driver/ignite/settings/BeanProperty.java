package io.pyrometer.driver.ignite.settings;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Tunable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where Ignite's configuration has a setting, read and written by the names of bean properties: one
 * declaration then serves the configuration, the reading back, and the diff in XML and Java.
 */
final class BeanProperty {
  private final SettingDescription.Type type;
  private final double factor;
  private final String root;
  private final List<String> steps;

  private BeanProperty(SettingDescription.Type type, Tunable tunable) {
    this.type = type;
    this.factor = tunable.factor();
    List<String> path = List.of(tunable.property().split("/", -1));
    this.root = path.get(0);
    this.steps = path.subList(1, path.size());
  }

  /** The property of a setting; empty where it is none. */
  static Optional<BeanProperty> of(SettingDescription setting) {
    return setting
        .traits()
        .tunable()
        .filter(tunable -> !tunable.property().isEmpty())
        .map(tunable -> new BeanProperty(setting.type(), tunable));
  }

  /** Whether a bean is where the path begins. */
  boolean beginsAt(Object bean) {
    return bean.getClass().getName().equals(root);
  }

  /**
   * Sets the property; beans on the way that are absent are made.
   *
   * @param bean the configuration that the path begins at
   * @param value canonical
   */
  void set(Object bean, Object value) {
    Object holder = bean;
    for (String step : steps.subList(0, steps.size() - 1)) {
      String[] nameAndClass = step.split(":", 2);
      Object next = call(holder, getter(holder, nameAndClass[0]));
      if (next == null) {
        next = fresh(nameAndClass[1]);
        Object unused = call(holder, setter(holder, nameAndClass[0]), next);
      }
      holder = next;
    }
    Method setter = setter(holder, last());
    Object unused = call(holder, setter, converted(setter.getParameterTypes()[0], value));
  }

  /** The value in effect, as a canonical value's text; empty where a bean on the way is absent. */
  Optional<String> text(Object bean) {
    return text(bean, false);
  }

  /** What Ignite takes where nothing is set. */
  String productDefault() {
    return text(fresh(root), true).orElse("");
  }

  private Optional<String> text(Object bean, boolean making) {
    Object value = bean;
    for (String step : steps) {
      Object holder = value;
      if (holder == null || !hasGetter(holder, name(step))) {
        return Optional.empty();
      }
      value = call(holder, getter(holder, name(step)));
      if (value == null && making && step.contains(":")) {
        value = fresh(step.split(":", 2)[1]);
      }
    }
    return value instanceof Number number && type == SettingDescription.Type.SECONDS
        ? Optional.of(String.valueOf(number.doubleValue() / factor))
        : Optional.ofNullable(value).map(Object::toString);
  }

  private String last() {
    return name(steps.get(steps.size() - 1));
  }

  private static String name(String step) {
    return step.split(":", 2)[0];
  }

  private Object converted(Class<?> to, Object value) {
    if (to.isEnum()) {
      return Stream.of(to.getEnumConstants())
          .filter(each -> each.toString().equals(value.toString()))
          .findFirst()
          .orElseThrow(() -> GridException.of("%s has no %s.", to, value));
    }
    if (!(value instanceof Number number)) {
      return value;
    }
    long whole = Math.round(number.doubleValue() * factor);
    return to == int.class ? (Object) Math.toIntExact(whole) : (Object) whole;
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static Optional<Method> find(Object bean, String name, int parameters) {
    return Stream.of(bean.getClass().getMethods())
        .filter(method -> method.getName().equals(name))
        .filter(method -> method.getParameterCount() == parameters && !method.isBridge())
        .findFirst();
  }

  private static boolean hasGetter(Object bean, String property) {
    return find(bean, "get" + capital(property), 0)
        .or(() -> find(bean, "is" + capital(property), 0))
        .isPresent();
  }

  private static Method getter(Object bean, String property) {
    return find(bean, "get" + capital(property), 0)
        .or(() -> find(bean, "is" + capital(property), 0))
        .orElseThrow(() -> missing(bean, property));
  }

  private static Method setter(Object bean, String property) {
    return find(bean, "set" + capital(property), 1).orElseThrow(() -> missing(bean, property));
  }

  private static GridException missing(Object bean, String property) {
    return GridException.of(
        "This version of Ignite has no property '%s' of %s: leave the setting out.",
        property, bean.getClass().getSimpleName());
  }

  private static @Nullable Object call(Object bean, Method method, Object... arguments) {
    try {
      return method.invoke(bean, arguments);
    } catch (IllegalAccessException | InvocationTargetException refused) {
      throw GridException.of(
          "%s of %s was refused: %s.",
          method.getName(), bean.getClass().getSimpleName(), GridException.cause(refused), refused);
    }
  }

  private static Object fresh(String type) {
    try {
      return Class.forName(type).getConstructor().newInstance();
    } catch (ReflectiveOperationException absent) {
      throw new GridException("This version of Ignite has no " + type + ".", absent);
    }
  }
}
