package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import java.util.Locale;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;

/** A class of the user's own on the class path, named in an experiment. */
public final class UserClass {

  private UserClass() {}

  /**
   * Makes an object by the constructor without arguments.
   *
   * @param role of the class in messages, such as {@code receiver}
   * @throws GridException if there is no such class or it is not of the type
   */
  public static <T> T create(String name, Class<T> type, String role) {
    try {
      return type.cast(BeanUtils.instantiateClass(Class.forName(name)));
    } catch (ClassNotFoundException e) {
      throw GridException.of(
          "%s%s %s is not on the class path: give it with --classpath.",
          role.substring(0, 1).toUpperCase(Locale.ROOT), role.substring(1), name, e);
    } catch (BeanInstantiationException | ClassCastException e) {
      throw GridException.of(
          "Class %s cannot be a %s: it must implement %s and have a constructor without arguments.",
          name, role, type.getSimpleName(), e);
    }
  }
}
