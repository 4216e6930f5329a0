package io.pyrometer.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dependencies that docs/contributing.md promises, over the main classes of all modules. Most
 * of them the module graph enforces already; here they hold whatever a POM says.
 */
class ArchitectureTest {
  private static final Path ROOT = Path.of("../..");
  private static final List<String> OF_CORE_DRIVERS =
      List.of("drivers/null", "drivers/native-test");

  private static JavaClasses classes;

  @BeforeAll
  static void importModules() throws IOException {
    try (Stream<Path> folders = Files.walk(ROOT, 5)) {
      List<Path> modules =
          folders
              .filter(folder -> folder.endsWith(Path.of("target", "classes")))
              .filter(Files::isDirectory)
              // A benchmark stands in the package that it measures.
              .filter(folder -> !folder.startsWith(ROOT.resolve("lab")))
              .toList();
      classes = new ClassFileImporter().importPaths(modules);
    }
    assertThat(classes.stream().map(c -> c.getPackageName().split("\\.", -1)[2]).distinct())
        .contains("protocol", "load", "driver", "worker", "analysis", "journal", "coordinator");
  }

  /** The folders of the modules of the core. */
  private static List<String> core() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT.resolve("core"))) {
      return Stream.concat(
              modules
                  .filter(module -> Files.exists(module.resolve("pom.xml")))
                  .map(module -> "core/" + module.getFileName()),
              OF_CORE_DRIVERS.stream())
          .toList();
    }
  }

  /**
   * The journal's readers do not know its writers, the core no product, the load no grid, and the
   * analyses nothing of runs. The packages are below {@code io.pyrometer} unless they begin with
   * another domain.
   */
  @ParameterizedTest
  @CsvSource({
    "results journal, coordinator worker",
    "coordinator results experiment journal cli worker load, driver.* ignite",
    "coordinator results experiment journal cli worker load,"
        + " org.apache.ignite com.hazelcast com.tangosol io.lettuce org.infinispan",
    "load, driver worker",
    "analysis, protocol journal results"
  })
  void onePackageDoesNotDependOnAnother(String packages, String others) {
    noClasses()
        .that()
        .resideInAnyPackage(named(packages))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(named(others))
        .check(classes);
  }

  private static String[] named(String packages) {
    return Stream.of(packages.split(" "))
        .map(name -> name.matches("(org|com|io)\\..*") ? name : "io.pyrometer." + name)
        .map(name -> name + "..")
        .toArray(String[]::new);
  }

  @Test
  void nativeAccessIsUsedForTheSwitchAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.pyrometer..")
        .and()
        .resideOutsideOfPackage("io.pyrometer.netem..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(classes);
  }

  /** The sources of everything but the driver of the product and the library for it. */
  @Test
  void noProductIsNamedOutsideItsDriver() throws IOException {
    assertThat(mainFilesOfTheCore(text -> text.contains("ignite"))).isEmpty();
  }

  /**
   * The files in main folders of the core that match.
   *
   * @param matches of a file's text in lower case
   */
  private static List<String> mainFilesOfTheCore(Predicate<String> matches) throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : core()) {
      Path main = ROOT.resolve(module).resolve("src/main");
      if (module.equals("core/driver-testkit") || module.equals("drivers/native-test")) {
        // Of use to tests alone.
        main = ROOT.resolve(module).resolve("src/test");
      }
      assertThat(main).isDirectory();
      try (Stream<Path> files = Files.walk(main)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          if (matches.test(text.toLowerCase(Locale.ROOT))) {
            found.add(file.toString());
          }
        }
      }
    }
    return found;
  }

  /** A kind of trial that a plugin adds is known to the core by its interfaces alone. */
  @Test
  void noKindOfAPluginIsNamedInTheCore() throws IOException {
    List<String> kinds = new ArrayList<>();
    try (Stream<Path> plugins = Files.list(ROOT.resolve("plugins"))) {
      for (Path plugin : plugins.filter(p -> Files.isRegularFile(p.resolve("pom.xml"))).toList()) {
        Path services = plugin.resolve("src/main/resources/META-INF/services");
        String kind = Files.readString(services.resolve("io.pyrometer.experiment.model.TrialKind"));
        kinds.add(kind.strip().replaceFirst(".*\\.(\\w+)Kind$", "$1").toLowerCase(Locale.ROOT));
      }
    }
    assertThat(kinds).contains("jmh", "scenario");
    assertThat(mainFilesOfTheCore(text -> kinds.stream().anyMatch(text::contains))).isEmpty();
  }

  /**
   * With the plugins removed from the reactor, the core builds and its tests run as before: Maven
   * gives a module only what its POM names, and no POM of the core names a plugin or what may
   * depend on one. The command line alone does, for tests of the whole distribution.
   */
  @Test
  void noModuleOfTheCoreIsBuiltOrTestedWithAPlugin() throws IOException {
    Set<String> core = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    Pattern dependency =
        Pattern.compile(
            "<dependency>\\s*<groupId>io\\.pyrometer</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                + ".*?</dependency>",
            Pattern.DOTALL);
    for (String module : core()) {
      core.add(
          module.replaceFirst("^core/", "pyrometer-").replace("drivers/", "pyrometer-driver-"));
      Matcher match = dependency.matcher(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
      while (match.find()) {
        if (!module.equals("core/cli") || !match.group().contains("<scope>test</scope>")) {
          named.add(match.group(1));
        }
      }
    }
    assertThat(named).hasSizeGreaterThan(8);
    assertThat(core).containsAll(named);
  }

  /** Texts of the main files of all modules in these folders whose names end so. */
  private static Map<Path, String> sources(String ending, String... parents) throws IOException {
    Map<Path, String> sources = new TreeMap<>();
    for (String parent : parents) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(parent))) {
        for (Path file : files.filter(f -> f.toString().contains("/src/main/")).toList()) {
          if (file.toString().endsWith(ending)) {
            sources.put(file, Files.readString(file));
          }
        }
      }
    }
    return sources;
  }

  /** A setting is read through the key that declares it, which its readers can find. */
  @Test
  void noSettingIsReadByItsName() throws IOException {
    Pattern lookUp =
        Pattern.compile(
            "((?<!DECLARED)\\.(text|number|integer|decimal|flag)|[sS]ettings(\\(\\))?\\.has)\\(\\s*\"[a-z0-9-]+\"\\s*\\)");
    Map<Path, String> sources = sources(".java", "core", "drivers", "plugins");
    assertThat(sources).hasSizeGreaterThan(300);
    sources.forEach((file, text) -> assertThat(text).as("%s", file).doesNotContainPattern(lookUp));
  }

  /** A text that no message file has would print its id. */
  @Test
  void everyTextThatTheCodeNamesIsInAMessageFile() throws IOException {
    Pattern named =
        Pattern.compile(
            "(Texts\\.(of|section|table)|Messages\\.format|WorkerException\\.(?:lost|refused))"
                + "\\(\\s*\"([a-z0-9.-]+)\"\\s*[,)]");
    Map<String, String> suffixes = Map.of("section", ".title", "table", ".absent");
    String[] parents = {"core", "drivers", "plugins", "ignite-writer"};
    Properties texts = new Properties();
    for (String text : sources("META-INF/pyrometer/messages.properties", parents).values()) {
      texts.load(new StringReader(text));
    }
    Set<String> wanted = new TreeSet<>();
    for (String text : sources(".java", parents).values()) {
      for (MatchResult match : named.matcher(text).results().toList()) {
        String way = match.group(2) == null ? match.group(1) : match.group(2);
        wanted.add(match.group(3) + suffixes.getOrDefault(way, "") + ".phrase");
      }
    }
    assertThat(wanted).hasSizeGreaterThan(100);
    assertThat(texts.stringPropertyNames()).containsAll(wanted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"experiment.(*)", "coordinator.(**)"})
  void packagesDependInOneDirection(String packages) {
    slices().matching("io.pyrometer." + packages).should().beFreeOfCycles().check(classes);
  }

  /** Each class with those nested in it. */
  @ParameterizedTest
  @ValueSource(strings = {"coordinator", "results", "journal", "cli", "jmh"})
  void classesOfOneRoomDependInOneDirection(String room) {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass each) {
                return each.getPackageName().matches("io\\.pyrometer\\." + room + "(\\..*)?")
                    ? SliceIdentifier.of(each.getName().replaceFirst("\\$.*", ""))
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "the classes of " + room;
              }
            })
        .should()
        .beFreeOfCycles()
        .check(classes);
  }
}
