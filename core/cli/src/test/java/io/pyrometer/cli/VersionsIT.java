package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every version of a product that a bundled experiment names, fetched into an empty cache. */
@Tag("extended")
class VersionsIT {
  @TempDir Path folder;

  @Test
  @Timeout(1_500)
  void eachVersionOfIgniteThatTheExperimentNamesStartsAndWrites() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder).with("XDG_CACHE_HOME", folder.resolve("cache"));
    Process run = pyrometer.start("run", "versions", "--quick", "--set", "path=put");
    assertThat(run.waitFor()).as(pyrometer.text("out.txt")).isZero();
    Map<String, List<String>> outcomes = new TreeMap<>();
    for (String line : Files.readAllLines(pyrometer.runFolder().resolve("journal.jsonl"))) {
      JsonNode trial = Json.LINES.readTree(line);
      outcomes
          .computeIfAbsent(
              trial.at("/identity/levels/product-version").asText(), version -> new ArrayList<>())
          .add(trial.at("/result/outcome").asText());
    }
    assertThat(outcomes).containsOnlyKeys("2.14.0", "2.15.0", "2.16.0", "2.17.0");
    assertThat(outcomes).allSatisfy((version, of) -> assertThat(of).contains("OK"));
    assertThat(fetched()).isEqualTo(3);
  }

  private long fetched() throws IOException {
    try (Stream<Path> versions = Files.list(folder.resolve("cache").resolve("pyrometer"))) {
      return versions.filter(Files::isDirectory).count();
    }
  }
}
