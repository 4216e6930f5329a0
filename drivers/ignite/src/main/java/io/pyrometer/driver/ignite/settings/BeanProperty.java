package io.pyrometer.driver.ignite.settings;

import io.pyrometer.driver.GridException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;
import org.springframework.beans.InvalidPropertyException;
import org.springframework.beans.NullValueInNestedPathException;
import org.springframework.beans.TypeMismatchException;
import org.springframework.beans.propertyeditors.CustomBooleanEditor;

/**
 * Properties of Ignite's configuration by the paths of Spring's beans, as in {@code
 * dataStorageConfiguration.pageSize}.
 */
public final class BeanProperty {
  private BeanProperty() {}

  /**
   * Sets properties of a bean; beans on the way that are absent are made.
   *
   * @param properties texts of values by paths
   * @throws GridException with the words of Ignite or Spring if one is refused
   */
  public static void set(Map<String, String> properties, Object bean) {
    BeanWrapper beans = new BeanWrapperImpl(bean);
    beans.setAutoGrowNestedPaths(true);
    beans.registerCustomEditor(boolean.class, new CustomBooleanEditor("true", "false", false));
    properties.forEach(
        (path, value) -> {
          try {
            beans.setPropertyValue(path, value);
          } catch (TypeMismatchException other) {
            Class<?> type = other.getRequiredType();
            throw GridException.of("'%s' takes %s, not '%s'.", path, form(type), value, other);
          } catch (NullValueInNestedPathException absent) {
            throw GridException.of(
                "'%s' lies in a bean that is not configured; give one in a configuration file.",
                path, absent);
          } catch (BeansException refused) {
            throw GridException.of(
                "Ignite refused '%s': %s.", path, GridException.cause(refused), refused);
          }
        });
  }

  private static String form(@Nullable Class<?> type) {
    if (type == null) {
      return "another value";
    }
    return type.isEnum()
        ? "one of " + List.of(type.getEnumConstants())
        : "a value of the type " + type.getSimpleName();
  }

  /** The value in effect as text; empty where a bean on the way is absent. */
  public static Optional<String> text(String path, Object bean) {
    try {
      return Optional.ofNullable(new BeanWrapperImpl(bean).getPropertyValue(path))
          .map(Object::toString);
    } catch (InvalidPropertyException absent) {
      return Optional.empty();
    }
  }
}
