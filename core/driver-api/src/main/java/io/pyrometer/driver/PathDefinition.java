package io.pyrometer.driver;

import io.pyrometer.protocol.PathDescription;
import java.util.List;
import java.util.function.Function;

/**
 * An access path in one declaration: what it is, and how a trial opens it for a load thread.
 *
 * @param <T> the driver's trials
 */
public record PathDefinition<T>(PathDescription description, Function<T, FunctionPath> opening) {

  /** The descriptions of a driver's paths, in the same order. */
  public static List<PathDescription> descriptions(List<? extends PathDefinition<?>> paths) {
    return paths.stream().<PathDescription>map(PathDefinition::description).toList();
  }

  /**
   * Opens the path of this name.
   *
   * @throws GridException if there is none
   */
  public static <T> FunctionPath open(List<PathDefinition<T>> paths, String name, T trial) {
    return paths.stream()
        .filter(path -> path.description().name().equals(name))
        .findFirst()
        .orElseThrow(() -> GridException.of("There is no access path '%s'.", name))
        .opening()
        .apply(trial);
  }
}
