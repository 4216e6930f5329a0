package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every version of a product that a bundled experiment names, fetched into an empty cache. */
@Tag("extended")
class VersionsIT extends RunFixture {

  @Test
  @Timeout(1_500)
  void eachVersionOfIgniteThatTheExperimentNamesStartsAndRunsEachPath() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder).with("XDG_CACHE_HOME", folder.resolve("cache"));
    Process process = pyrometer.start("run", "versions", "--quick");
    int unused = process.waitFor();
    RunFolder run = new RunFolder(pyrometer.runFolder());
    List<TrialSpec> planned = run.plan().trials();
    Set<Map<String, String>> made =
        run.trials().stream()
            .filter(trial -> trial.outcome() == Outcome.OK)
            .map(TrialRecord::levels)
            .collect(Collectors.toSet());
    assertThat(planned)
        .as(pyrometer.text("out.txt"))
        .extracting(TrialSpec::levels)
        .isNotEmpty()
        .allMatch(made::contains);
    Set<String> versions =
        planned.stream()
            .map(trial -> trial.levels().get("product-version"))
            .collect(Collectors.toSet());
    // The driver brings the newest itself.
    assertThat(fetched()).isPositive().isEqualTo(versions.size() - 1);
  }

  private long fetched() throws IOException {
    try (Stream<Path> versions = Files.list(folder.resolve("cache").resolve("pyrometer"))) {
      return versions.filter(Files::isDirectory).count();
    }
  }
}
