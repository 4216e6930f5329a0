package io.pyrometer.results.publication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result is what its evidence says, and no more. */
class PublicationTest {
  private static final String THREE_PATHS =
      """
      pyrometer: 1
      name: three-paths
      question: Which path is the fastest?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors:
        path: [put, put-all, put-async]
      blocks: 3
      analyses: [ranking]
      """;

  @TempDir Path folder;

  private RunFolder run() {
    return MadeUpRun.of(Fixture.read(THREE_PATHS), Fixture.CATALOGUE)
        .write(folder.resolve("runs"), PublicationTest::speed);
  }

  private static double speed(TrialSpec trial) {
    return trial.path().equals("put-all") ? 50_000 : 1_000;
  }

  private Path published(RunFolder run) throws IOException {
    Path results = Files.createDirectories(folder.resolve("results"));
    Path scratch = Files.createTempDirectory(results, ".draft");
    return Publication.write(Publication.of(run, false, scratch), results);
  }

  private static Path evidenceOf(Path file) {
    return file.resolveSibling(file.getFileName().toString().replace(".json", ""));
  }

  private static void replace(Path file, String pattern, String other) throws IOException {
    String text = Files.readString(file);
    String changed = text.replaceFirst(pattern, other);
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(file, changed);
  }

  @Test
  void itHasTheFiguresOfTheRunAndFollowsFromItsEvidence() throws IOException {
    Path file = published(run());
    JsonNode result = Json.LINES.readTree(file.toFile());
    assertThat(file.getFileName().toString()).matches("three-paths-[0-9a-f]{8}\\.json");
    assertThat(result.path("trials").asInt()).isEqualTo(9);
    assertThat(result.at("/results/rankings/0/rows")).hasSize(3);
    assertThat(result.at("/results/rankings/0/rows/0/label").asText()).isEqualTo("put-all");
    assertThat(Publication.check(file)).isEmpty();
    assertThat(Files.getPosixFilePermissions(evidenceOf(file)))
        .contains(PosixFilePermission.GROUP_READ);
  }

  @Test
  void aProductThatIsInstalledHasTheVersionThatItsServersTold() throws IOException {
    RunFolder run = run();
    replace(run.journal(), "\"configuration\":\\{", "$0\"product\":\"Rich Grid Free 7.0.15\",");
    JsonNode versions = Json.LINES.readTree(published(run).toFile()).path("versions");
    assertThat(versions.path("Rich Grid Free").asText()).isEqualTo("7.0.15");
    assertThat(versions.has("Rich Grid")).isFalse();
  }

  @Test
  void theCommandNamesTheExperimentOfTheEvidence() throws IOException {
    RunFolder run = run();
    replace(
        run.file("plan.json"),
        "\"arguments\" ?: ?\\[[^]]*\\]",
        "\"arguments\":[\"run\",\"mine.yaml\",\"--out\",\"elsewhere\",\"--quick\"]");
    Path file = published(run);
    String id = String.valueOf(evidenceOf(file).getFileName());
    assertThat(Json.LINES.readTree(file.toFile()).path("command").asText())
        .isEqualTo("./pyrometer run " + id + "/experiment.yaml --quick");
  }

  @Test
  void aFigureThatWasChangedIsFound() throws IOException {
    Path file = published(run());
    replace(file, "\"label\" : \"put-all\"", "\"label\" : \"put-none\"");
    assertThat(Publication.check(file))
        .singleElement()
        .isEqualTo(
            "results.rankings[0].rows[0].label is \"put-none\" in the file and \"put-all\" from the"
                + " evidence");
  }

  @Test
  void evidenceThatWasChangedIsFoundByItsDigestAndItsFigures() throws IOException {
    Path file = published(run());
    Path journal = evidenceOf(file).resolve("journal.jsonl");
    replace(journal, "\"throughput\":\\{\"value\":[0-9.]+", "\"throughput\":{\"value\":9.9E9");
    assertThat(Publication.check(file))
        .anyMatch(each -> each.startsWith("evidence.sha256.journal.jsonl is "))
        .anyMatch(each -> each.startsWith("results."));
  }

  @Test
  void aRunIsPublishedOnce() throws IOException {
    RunFolder run = run();
    Path unused = published(run);
    assertThatThrownBy(() -> published(run))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("was published before");
  }

  @Test
  void aRunThatHasNotEndedIsRefused() throws IOException {
    RunFolder run = run();
    Files.writeString(
        run.journal(), Files.readString(run.journal()).lines().findFirst().orElseThrow() + "\n");
    assertThatThrownBy(() -> published(run))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("has not ended");
  }

  @Test
  void namesFoldersAndPrivateAddressesAreLeftOut() throws IOException {
    RunFolder run = run();
    String home = System.getProperty("user.home");
    Files.writeString(
        run.file("experiment.yaml"),
        "hosts: [10.1.2.3]\nconfig: %s/work/grid.xml\nurl: https://example.org/a/b\n"
            .formatted(home));
    String log = RunFolder.cpuLogName("0001-b1-put", 1);
    run.writeText(log, "{\"process\":\"machine 10.1.2.3\"}\n");
    Path file = published(run);
    assertThat(evidenceOf(file).resolve(log)).hasContent("{\"process\":\"machine address\"}");
    String text = Files.readString(evidenceOf(file).resolve("experiment.yaml"));
    assertThat(text)
        .isEqualTo("hosts: [address]\nconfig: .../grid.xml\nurl: https://example.org/a/b\n");
  }

  @Test
  void whatIsNoResultIsRefusedInOneSentence() throws IOException {
    Path file = folder.resolve("other.json");
    Files.writeString(file, "{\"schema\": 7}");
    assertThatThrownBy(() -> Publication.check(file))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("has schema '7'");
    Files.writeString(file, "{\"schema\": 1, \"evidence\": {\"folder\": \"../../etc\"}}");
    assertThatThrownBy(() -> Publication.check(file))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("names no folder of evidence");
  }
}
