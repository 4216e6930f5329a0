package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is printed of a report, and which exit code it has. */
class DoctorCommandTest {
  private static final HealthReport REPORT =
      new HealthReport(
          "2 servers",
          30,
          2,
          List.of("orders"),
          List.of(
              found("stale-backup-reads", Severity.RISK), found("single-gets", Severity.ADVICE)),
          List.of("heap", "pauses"),
          Map.of("deadlock", "there are no dumps"));

  private static Diagnosis found(String check, Severity severity) {
    return new Diagnosis(
        check,
        severity,
        "Something of " + check + ".",
        Optional.empty(),
        0,
        List.of(),
        "A cause.",
        "An action.",
        List.of(),
        Needs.CACHE,
        Optional.empty(),
        Comparison.NONE,
        "https://example.org/");
  }

  private static DoctorCommand command(String... options) {
    DoctorCommand command = new DoctorCommand();
    new CommandLine(command).parseArgs(options);
    return command;
  }

  @Test
  void acceptedFindingsDoNotChangeTheExitCode() {
    List<HealthReport> reports = List.of(REPORT);
    assertThat(command().code(reports)).isEqualTo(Main.TRIALS_NOT_RIGHT);
    assertThat(command("--except", "heap,deadlock").code(reports)).isEqualTo(Main.TRIALS_NOT_RIGHT);
    DoctorCommand accepting = command("--except", "stale-backup-reads");
    assertThat(accepting.code(reports)).isEqualTo(Main.OK);
    assertThat(printed(accepting)).contains("1. RISK (accepted): Something", "2. ADVICE: Some");
    assertThatThrownBy(() -> command("--except", "stale-backup-read").code(reports))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("did you mean 'stale-backup-reads'?");
  }

  @Test
  void healthyChecksAreNamedOnRequest() {
    assertThat(printed(command()))
        .contains("Checked and healthy: 2 checks", "Not checked, because there are no dumps: dead")
        .doesNotContain("pauses");
    assertThat(printed(command("--all"))).contains("Checked and healthy: heap, pauses (");
  }

  @Test
  void whatWasNotMeasuredIsLeftOut() {
    assertThat(printed(command())).doesNotContain("measured");
  }

  private static String printed(DoctorCommand command) {
    StringWriter text = new StringWriter();
    command.text(new PrintWriter(text)).print(REPORT);
    return text.toString();
  }
}
