package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTest {
  @Test
  void everyCommandAndEachOfItsOptionsHasHelp() {
    assertThat(withoutHelp(Main.commandLine())).isEmpty();
  }

  private static Stream<String> withoutHelp(CommandLine line) {
    CommandLine.Model.CommandSpec spec = line.getCommandSpec();
    Stream<String> own =
        Stream.concat(
            Stream.of(spec.qualifiedName())
                .filter(name -> String.join("", spec.usageMessage().description()).isBlank()),
            Stream.concat(spec.options().stream(), spec.positionalParameters().stream())
                .filter(each -> String.join("", each.description()).isBlank())
                .map(each -> spec.qualifiedName() + " " + each));
    return Stream.concat(
        own, line.getSubcommands().values().stream().flatMap(HelpTest::withoutHelp));
  }
}
