package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java runtime of this machine.
 *
 * @param home the folder that holds {@code bin/java}
 * @param version as its file {@code release} gives it, such as 21.0.4
 */
public record Jvm(Path home, Runtime.Version version) {
  private static final Pattern RELEASE = Pattern.compile("(?m)^JAVA_VERSION=\"([^\"]+)\"");

  /** The one that runs Pyrometer itself. */
  public static final Jvm OWN =
      new Jvm(Path.of(System.getProperty("java.home")), Runtime.version());

  /** Folders in which installers, package systems and CI services put runtimes. */
  private static final List<String> USUAL =
      List.of(
          "/usr/lib/jvm",
          "/opt/java",
          "/opt",
          "/Library/Java/JavaVirtualMachines",
          "~/Library/Java/JavaVirtualMachines",
          "~/.sdkman/candidates/java",
          "~/.jdks",
          "~/.asdf/installs/java");

  /** The runtime within one of these folders on macOS. */
  private static final String HOME_ON_MACOS = "Contents/Home";

  int feature() {
    return version.feature();
  }

  public String java() {
    return home.resolve("bin").resolve("java").toString();
  }

  boolean own() {
    return equals(OWN);
  }

  /**
   * The runtime of this machine that a setting asks for.
   *
   * @param asked a feature version such as 21, of which the newest is taken, or a folder
   * @return empty where there is none
   */
  static Optional<Jvm> named(String asked) {
    return named(asked, searched());
  }

  static Optional<Jvm> named(String asked, List<Path> places) {
    if (!asked.matches("\\d+")) {
      return at(Path.of(asked));
    }
    if (OWN.feature() == Integer.parseInt(asked)) {
      return Optional.of(OWN);
    }
    return places.stream()
        .flatMap(place -> at(place).stream())
        .filter(jvm -> jvm.feature() == Integer.parseInt(asked))
        .max(Comparator.comparing(Jvm::version));
  }

  /** Why there is no such runtime, in one sentence; empty where there is one. */
  public static Optional<String> missing(String asked) {
    if (named(asked).isPresent()) {
      return Optional.empty();
    }
    if (!asked.matches("\\d+")) {
      return Optional.of(Messages.format("coordinator.runtime-missing", asked));
    }
    String found =
        Stream.concat(Stream.of(OWN), searched().stream().flatMap(place -> at(place).stream()))
            .map(jvm -> String.valueOf(jvm.feature()))
            .distinct()
            .sorted(Comparator.comparing(Integer::valueOf))
            .collect(Collectors.joining(", "));
    return Optional.of(Messages.format("coordinator.runtime-version-missing", asked, found));
  }

  /** The runtime in a folder; empty where there is none that tells its version. */
  private static Optional<Jvm> at(Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin").resolve("java")) || !Files.isReadable(release)) {
      return Optional.empty();
    }
    try {
      Matcher version = RELEASE.matcher(Files.readString(release));
      return version.find()
          ? Optional.of(new Jvm(home, Runtime.Version.parse(version.group(1))))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static List<Path> searched() {
    List<Path> places = new ArrayList<>();
    // Such as JAVA_HOME_21_X64, as the runners of GitHub Actions have them.
    System.getenv().entrySet().stream()
        .filter(each -> each.getKey().matches("(JAVA|JDK)_?\\d*_HOME.*|JAVA_HOME.*"))
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> places.add(Path.of(each.getValue())));
    Path home = Path.of(System.getProperty("user.home", "/nowhere"));
    for (String usual : USUAL) {
      Path folder = usual.startsWith("~/") ? home.resolve(usual.substring(2)) : Path.of(usual);
      try (Stream<Path> inside = Files.list(folder)) {
        inside.sorted().forEach(each -> places.addAll(List.of(each, each.resolve(HOME_ON_MACOS))));
      } catch (IOException absent) {
        // Another place is tried.
      }
    }
    return places;
  }
}
