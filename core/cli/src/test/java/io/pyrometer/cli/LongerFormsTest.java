package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.journal.PlannedRun.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the longer forms of an experiment take, for what a report says to run next. */
class LongerFormsTest {
  @TempDir Path folder;

  private final ExperimentOptions options = new ExperimentOptions();

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("forms.yaml");
    Files.writeString(
        file,
        """
        pyrometer: 1
        name: forms
        question: Which?
        grid: {driver: some}
        workload: {record: stock-order, records: 1000, path: put}
        blocks: 4
        full: {set: {measure: 1m}, only: [what takes a minute.]}
        """);
    options.experiment = file.toString();
  }

  private double seconds() {
    return Planner.plan(options.experiment(OneGrid.CATALOGUE), OneGrid.CATALOGUE)
        .estimatedSeconds();
  }

  @Test
  void aQuickRunKnowsBothLongerForms() {
    options.quick = true;
    Map<String, Form> forms = options.longerForms(OneGrid.CATALOGUE);
    options.quick = false;
    assertThat(forms).hasSize(2).containsEntry("", new Form(4, seconds()));
    options.full = true;
    assertThat(forms).containsEntry("--full", new Form(4, seconds()));
  }

  @Test
  void changesOfTheCommandLineHoldForTheLongerFormToo() {
    options.set = List.of("measure=2s");
    Form form = options.longerForms(OneGrid.CATALOGUE).get("--full");
    options.full = true;
    assertThat(form.seconds()).isEqualTo(seconds());
  }
}
