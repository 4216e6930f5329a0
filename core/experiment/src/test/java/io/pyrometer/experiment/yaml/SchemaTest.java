package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema serves editors: it must accept what the reader accepts. */
class SchemaTest {

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(text(), InputFormat.JSON);

  private static String text() {
    try {
      return Files.readString(Path.of("../../docs/experiment.schema.json"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @ParameterizedTest
  @MethodSource("bundled")
  void everyBundledExperimentFits(String name) {
    assertThat(SCHEMA.validate(Fixture.Bundled.BY_NAME.getOrDefault(name, ""), InputFormat.YAML))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rejected")
  void mistakesOfFormAreCaughtInTheEditorToo(Path file) throws IOException {
    assertThat(SCHEMA.validate(Files.readString(file), InputFormat.YAML)).isNotEmpty();
  }

  @Test
  void whatPeopleMayWriteFits() {
    String text =
        """
        pyrometer: 1
        name: everything
        question: What may one write?
        grid: {driver: rich, nodes: 2, region: 64m, persistence: on, attach: "a:1, b:2"}
        workload:
          record:
            name: Quote
            fields:
              - {name: a, type: string, values: [x, 1, true]}
              - {name: b, type: timestamp, min: 2020-01-01, max: 1600000000000}
              - {name: c, type: bytes, size: 10, filler: true}
          records: 200_000
          bytes: 2k
          measure: 1500ms
          repeats: 30%
          reads: 0.85
          rate: 1000.5
          aggregate: a
        cases:
          slow: {path: put, backups: 2}
        factors:
          path: [put, {label: 100, set: {path: put-all, batch: 100}}]
          persistence: {role: condition, levels: [true, false]}
        design: {fraction: [C=AB]}
        blocks: 10
        telemetry: [gc, stalls]
        seed: 42
        analyses: [ranking]
        probes: [order, read]
        require: {ordered: true, stale-reads: none, survives: one-server}
        """;
    assertThat(SCHEMA.validate(text, InputFormat.YAML)).isEmpty();
  }

  static Set<String> bundled() {
    return Fixture.Bundled.BY_NAME.keySet();
  }

  static List<Path> rejected() throws IOException {
    List<Path> marked = new ArrayList<>();
    for (Path file : BrokenExperimentsTest.files().toList()) {
      if (Files.readAllLines(file).contains("#schema rejects this")) {
        marked.add(file);
      }
    }
    return marked;
  }
}
