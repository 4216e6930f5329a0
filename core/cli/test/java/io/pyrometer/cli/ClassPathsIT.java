package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The built class path folders: no folder holds two products, and none but one holds JMH. */
class ClassPathsIT {
  private static final Path DIST = Path.of(System.getProperty("pyrometer.dist"));

  /** The main jar of each product, and the drivers that may have it. */
  private static final Map<String, Set<String>> OWNERS =
      Map.of(
          // Infinispan and Ignite 3 keep things of their own in caches of others.
          "caffeine-", Set.of("caffeine", "infinispan-local", "infinispan", "ignite3"),
          "cache2k-core-", Set.of("cache2k"),
          "guava-", Set.of("guava", "ignite", "ignite3"),
          "ehcache-", Set.of("ehcache"),
          "infinispan-core-", Set.of("infinispan-local", "infinispan"),
          "hazelcast-", Set.of("hazelcast"),
          "coherence-", Set.of("coherence"),
          "ignite-core-", Set.of("ignite", "ignite3"),
          "lettuce-core-", Set.of("redis"),
          "jmh-core-", Set.of());

  private static List<String> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(f -> f.endsWith(".jar"))
          .toList();
    }
  }

  @Test
  void eachProductLiesInItsOwnFolderAlone() throws IOException {
    try (Stream<Path> folders = Files.list(DIST.resolve("drivers"))) {
      List<Path> drivers = folders.toList();
      assertThat(drivers)
          .extracting(folder -> folder.getFileName().toString())
          .contains("concurrent-hash-map", "caffeine", "cache2k", "guava", "ehcache", "ignite");
      for (Path driver : drivers) {
        for (String jar : jars(driver)) {
          OWNERS.forEach(
              (product, owners) -> {
                if (jar.startsWith(product)) {
                  assertThat(owners)
                      .as("%s in the folder of %s", jar, driver.getFileName())
                      .contains(driver.getFileName().toString());
                }
              });
        }
      }
    }
  }

  @Test
  void theFoldersOfJmhAndOfTheCoordinatorHoldNoProduct() throws IOException {
    assertThat(jars(DIST.resolve("jmh"))).anyMatch(jar -> jar.startsWith("jmh-core-"));
    for (String folder : List.of("jmh", "lib")) {
      assertThat(jars(DIST.resolve(folder)))
          .noneMatch(
              jar ->
                  OWNERS.keySet().stream().anyMatch(jar::startsWith)
                      && !(folder.equals("jmh") && jar.startsWith("jmh-core-")));
    }
  }

  @Test
  void aClassPathHasOneVersionOfEachLibrary() throws IOException {
    try (Stream<Path> folders = Files.list(DIST.resolve("drivers"))) {
      for (Path driver : folders.toList()) {
        List<String> libraries =
            jars(driver).stream().map(jar -> jar.replaceFirst("-\\d+(\\.\\d+)*[^-]*", "")).toList();
        assertThat(libraries).as("libraries of %s", driver).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void otherVersionsOfAProductAreResolvedWithTheLibrariesOfPyrometer() throws IOException {
    Path driver = DIST.resolve("drivers/ignite");
    String jackson =
        jars(driver).stream()
            .filter(jar -> jar.startsWith("jackson-databind-"))
            .map(jar -> jar.replaceAll("^jackson-databind-|[.]jar$", ""))
            .findFirst()
            .orElseThrow();
    assertThat(driver.resolve("versions/pom.xml"))
        .content()
        .containsPattern("jackson-bom</artifactId>\\s*<version>" + Pattern.quote(jackson) + "<")
        .contains("${product.version}");
  }
}
