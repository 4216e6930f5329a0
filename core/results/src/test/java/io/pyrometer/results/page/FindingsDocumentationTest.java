package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The section on findings names the kinds and checks of the program. */
class FindingsDocumentationTest {
  private static final Path PAGE = Path.of("../../docs/reports.md");
  private static final Pattern CHECK =
      Pattern.compile(
          "(?:new Check\\(|above\\(|below\\(|share\\(|String [A-Z_]+ = )\\s*\"([a-zA-Z][a-zA-Z 0-9]+)\"");

  private static String page() throws IOException {
    String page = Files.readString(PAGE);
    return page.substring(page.indexOf("\n## Findings"));
  }

  @Test
  void everyKindHasASection() throws IOException {
    List<String> headings = page().lines().filter(line -> line.startsWith("### ")).toList();
    for (Finding.Kind kind : Finding.Kind.values()) {
      assertThat(headings)
          .as(kind.name())
          .anyMatch(h -> h.endsWith(": " + kind.name()) || h.equals("### " + kind.name()));
    }
  }

  @Test
  void everyCheckOfATrialIsExplained() throws IOException {
    List<String> names = new ArrayList<>();
    for (String file :
        List.of(
            "../coordinator/src/main/java/io/pyrometer/coordinator/trial/ValidityChecks.java",
            "../coordinator/src/main/java/io/pyrometer/coordinator/machine/MachineWatch.java",
            "../journal/src/main/java/io/pyrometer/journal/Check.java",
            "../journal/src/main/java/io/pyrometer/journal/Attempts.java")) {
      CHECK
          .matcher(Files.readString(Path.of(file)))
          .results()
          .map(found -> found.group(1))
          .forEach(names::add);
    }
    names.remove("telemetry.unavailable");
    assertThat(names).contains("steal", "oversubscribed", "generator").hasSizeGreaterThan(9);
    String page = page();
    assertThat(names).allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
  }
}
