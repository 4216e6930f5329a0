package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each product is in the class path of its own driver alone. */
class ClassPathsIT {
  private static final Path DIST = Path.of(System.getProperty("pyrometer.dist"));
  private static final Map<String, String> PRODUCTS =
      Map.of("ignite-core", "ignite", "hazelcast", "hazelcast", "lettuce-core", "redis");

  @Test
  void noProductIsInTheClassPathOfAnotherOrOfTheCoordinator() throws IOException {
    Map<String, List<String>> folders = new TreeMap<>();
    folders.put("lib", jars(DIST.resolve("lib")));
    try (Stream<Path> drivers = Files.list(DIST.resolve("drivers"))) {
      for (Path driver : drivers.toList()) {
        folders.put(driver.getFileName().toString(), jars(driver));
      }
    }
    PRODUCTS.forEach(
        (jar, driver) ->
            assertThat(folders)
                .allSatisfy(
                    (folder, jars) ->
                        assertThat(jars.contains(jar))
                            .as("%s in the class path of %s", jar, folder)
                            .isEqualTo(folder.equals(driver))));
  }

  @Test
  void aClassPathHasOneVersionOfEachLibrary() throws IOException {
    try (Stream<Path> drivers = Files.list(DIST.resolve("drivers"))) {
      for (Path driver : drivers.toList()) {
        assertThat(jars(driver)).as("libraries of %s", driver).doesNotHaveDuplicates();
      }
    }
  }

  /** Names without versions. */
  private static List<String> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .map(name -> name.replaceFirst("-\\d+(\\.\\d+)*.*\\.jar$", ""))
          .collect(Collectors.toList());
    }
  }
}
