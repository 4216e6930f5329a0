package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * Files that users copy and that no test can run: what they name exists, and the commands in them
 * are commands of this version.
 */
class CopiedFilesTest {
  private static final Path ROOT = Path.of("../..");
  private static final CommandLine LINE = Main.commandLine();
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[\\s/])pyrometer ((?:compare|run|validate|plan|open|sample) [^\\n#]*)");

  private static String text(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static String version() throws IOException {
    Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(text("pom.xml"));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  /** Every text of a YAML file. */
  private static Stream<String> texts(Object node) {
    if (node instanceof Map<?, ?> map) {
      return map.values().stream().flatMap(CopiedFilesTest::texts);
    } else if (node instanceof List<?> list) {
      return list.stream().flatMap(CopiedFilesTest::texts);
    }
    return Stream.of(String.valueOf(node));
  }

  private static List<String> commands(String text) {
    List<String> commands = new ArrayList<>();
    Matcher found = COMMAND.matcher(text.replaceAll("\\\\\\s*\\n\\s*", " "));
    while (found.find()) {
      commands.add(found.group(1).strip());
    }
    return commands;
  }

  private static void understood(String command) {
    assertThatCode(() -> LINE.parseArgs(command.split("\\s+", -1)))
        .as(command)
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"examples/ci/github-actions.yml", "examples/ci/gitlab-ci.yml"})
  void aGateNamesTheArchiveAndAComparisonOfThisVersion(String file) throws IOException {
    List<String> texts = texts(new Yaml().<Object>load(text(file))).toList();
    String archive = "/pyrometer-" + version() + ".tar.gz";
    assertThat(texts).anyMatch(t -> t.endsWith(archive));
    List<String> commands = texts.stream().flatMap(t -> commands(t).stream()).toList();
    assertThat(commands).hasSize(1).allMatch(c -> c.startsWith("compare --interleave"));
    understood(commands.get(0));
    assertThat(text(file)).contains("tar -xzf \"$PYROMETER_ARCHIVE\"", "gate.xml", "gate.md");
  }

  @ParameterizedTest
  @MethodSource("io.pyrometer.cli.DocumentedCommands#pages")
  @ValueSource(strings = "examples/hosts/README.md")
  void theCommandsOfAPageAreUnderstood(String page) throws IOException {
    assertThat(DocumentedCommands.of(page))
        .isNotEmpty()
        .allSatisfy(command -> understood(command.replaceFirst(" > .*", "")));
  }

  @Test
  void theContainerFileAddsTheArchiveAndAJdkThatRunsIt() throws IOException {
    String file = text("Containerfile");
    assertThat(text("dist/pom.xml")).contains("<finalName>pyrometer-${project.version}<");
    assertThat(file)
        .contains("ADD dist/target/pyrometer-*.tar.gz /opt/", "ENTRYPOINT [\"pyrometer\"]");
    assertThat(number("openjdk-(\\d+)-jdk-headless", file))
        .isGreaterThanOrEqualTo(number("<maven.compiler.release>(\\d+)<", text("pom.xml")));
  }

  private static int number(String pattern, String text) {
    Matcher number = Pattern.compile(pattern).matcher(text);
    assertThat(number.find()).isTrue();
    return Integer.parseInt(number.group(1));
  }
}
