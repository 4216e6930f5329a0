package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;

/** A class of the user's own on the class path, named in an experiment. */
public final class UserClass {

  private UserClass() {}

  /**
   * Loads the class.
   *
   * @param role of the class in messages, such as {@code Receiver}
   * @throws GridException if there is no such class
   */
  public static Class<?> load(String name, String role) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw GridException.of(
          "%s %s is not on the class path: give it with --classpath.", role, name, e);
    }
  }

  /**
   * Makes an object by the constructor without arguments.
   *
   * @throws GridException if there is no such class or it is not of the type
   */
  public static <T> T create(String name, Class<T> type, String role) {
    try {
      return type.cast(BeanUtils.instantiateClass(load(name, role)));
    } catch (BeanInstantiationException | ClassCastException e) {
      throw GridException.of(
          "Class %s must implement %s and have a constructor without arguments.",
          name, type.getSimpleName(), e);
    }
  }
}
