package io.pyrometer.driver.ignite.settings;

import io.pyrometer.driver.GridException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A property of Ignite's configuration by the names of bean properties, as in {@code
 * dataStorageConfiguration.pageSize}.
 *
 * @param path names with dots between them
 */
public record BeanProperty(String path) {

  private static final Map<Class<?>, Function<String, Object>> READERS =
      Map.of(
          boolean.class, BeanProperty::flag,
          int.class, Integer::valueOf,
          long.class, Long::valueOf,
          float.class, Float::valueOf,
          double.class, Double::valueOf,
          short.class, Short::valueOf,
          String.class, text -> text);

  /**
   * Sets properties of a bean; beans on the way that are absent are made.
   *
   * @param properties texts of values by paths
   * @throws GridException with the words of Ignite if it refuses one
   */
  public static void set(Map<String, String> properties, Object bean) {
    properties.forEach((path, value) -> new BeanProperty(path).set(bean, value));
  }

  private void set(Object bean, String text) {
    Object holder = bean;
    List<String> names = names();
    for (String name : names.subList(0, names.size() - 1)) {
      Method getter = getter(holder, name).orElseThrow(missing(holder, name));
      Object next = call(holder, getter);
      if (next == null) {
        next = fresh(getter.getReturnType());
        Object unused = call(holder, setter(holder, name, getter.getReturnType()), next);
      }
      holder = next;
    }
    String last = names.get(names.size() - 1);
    List<Method> setters = setters(holder, last);
    if (setters.isEmpty()) {
      throw missing(holder, last).get();
    }
    Method setter =
        setters.stream()
            .filter(each -> takesText(each.getParameterTypes()[0]))
            .findFirst()
            .orElseThrow(
                () ->
                    GridException.of(
                        "'%s' takes a %s, which has no text form; set it in a configuration file.",
                        path, setters.get(0).getParameterTypes()[0].getSimpleName()));
    Object unused = call(holder, setter, value(setter.getParameterTypes()[0], text));
  }

  /** The value in effect as text; empty where a bean on the way is absent. */
  public Optional<String> text(Object bean) {
    Object value = bean;
    for (String name : names()) {
      Object holder = value;
      Optional<Method> getter = Optional.ofNullable(holder).flatMap(of -> getter(of, name));
      if (holder == null || getter.isEmpty()) {
        return Optional.empty();
      }
      value = call(holder, getter.get());
    }
    return Optional.ofNullable(value).map(Object::toString);
  }

  private List<String> names() {
    return List.of(path.split("\\.", -1));
  }

  private static boolean takesText(Class<?> type) {
    return type.isEnum() || READERS.containsKey(type);
  }

  private Object value(Class<?> type, String text) {
    try {
      return type.isEnum()
          ? Stream.of(type.getEnumConstants())
              .filter(each -> each.toString().equals(text))
              .findFirst()
              .orElseThrow(IllegalArgumentException::new)
          : Optional.ofNullable(READERS.get(type)).orElseThrow().apply(text);
    } catch (IllegalArgumentException other) {
      String values =
          type.isEnum()
              ? "one of " + List.of(type.getEnumConstants())
              : "a " + type.getSimpleName();
      throw GridException.of("'%s' takes %s, not '%s'.", path, values, text, other);
    }
  }

  private static Object flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return Boolean.valueOf(text);
  }

  private static String capital(String name) {
    return name.isEmpty()
        ? name
        : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static Stream<Method> methods(Object bean, String name, int parameters) {
    return Stream.of(bean.getClass().getMethods())
        .filter(method -> method.getName().equals(name))
        .filter(method -> method.getParameterCount() == parameters && !method.isBridge());
  }

  private static Optional<Method> getter(Object bean, String property) {
    return Stream.concat(
            methods(bean, "get" + capital(property), 0), methods(bean, "is" + capital(property), 0))
        .findFirst();
  }

  private static List<Method> setters(Object bean, String property) {
    return methods(bean, "set" + capital(property), 1).toList();
  }

  private Method setter(Object bean, String property, Class<?> type) {
    return setters(bean, property).stream()
        .filter(each -> each.getParameterTypes()[0].equals(type))
        .findFirst()
        .orElseThrow(missing(bean, property));
  }

  private Supplier<GridException> missing(Object bean, String property) {
    return () ->
        GridException.of(
            "'%s' is no property: %s of this version of Ignite has no '%s'.",
            path, bean.getClass().getSimpleName(), property);
  }

  private @Nullable Object call(Object bean, Method method, Object... arguments) {
    try {
      return method.invoke(bean, arguments);
    } catch (IllegalAccessException | InvocationTargetException refused) {
      throw GridException.of(
          "Ignite refused '%s': %s.", path, GridException.cause(refused), refused);
    }
  }

  private Object fresh(Class<?> type) {
    try {
      if (!Modifier.isAbstract(type.getModifiers())) {
        return type.getConstructor().newInstance();
      }
    } catch (ReflectiveOperationException without) {
      // Said below.
    }
    throw GridException.of(
        "'%s' needs a %s, which is not configured; give one in a configuration file.",
        path, type.getSimpleName());
  }
}
