package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The printed form of a report, and its exit code. */
class DoctorCommandTest {
  private static final HealthReport REPORT =
      report(found("long-queues", Severity.PROBLEM), found("many-gets", Severity.ADVICE));

  private static HealthReport report(Diagnosis... found) {
    return new HealthReport(
        "2 servers",
        30,
        2,
        List.of("orders"),
        List.of(found),
        List.of("heap", "pauses"),
        Map.of(
            "deadlock", new Unjudged("no-dump", Map.of("servers", Value.names(List.of("node-0"))))),
        List.of());
  }

  private static Diagnosis found(String check, Severity severity) {
    return new Diagnosis(
        Diagnosis.id(check),
        severity,
        Map.of(),
        0,
        List.of(new Evidence("queue", "x".repeat(200), "all servers")),
        List.of(new Change("size", "1", "2"), new Change("limit", "1", "2")),
        Needs.CACHE,
        Comparison.NONE,
        "https://example.org/",
        Optional.empty());
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
    DoctorCommand accepting = command("--except", "long-queues");
    assertThat(accepting.code(reports)).isEqualTo(Main.OK);
    assertThat(printed(accepting, REPORT)).contains("1. PROBLEM, accepted (long-queues): ");
    assertThatThrownBy(() -> command("--except", "long-queue").code(reports))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("'long-queues'");
  }

  @Test
  void aRiskWithoutAMeasuredCostIsNoFailure() {
    assertThat(command().code(List.of(report(found("collector", Severity.RISK))))).isZero();
  }

  @Test
  void healthyChecksAreNamedOnRequestAndOthersAreNotAmongThem() {
    assertThat(printed(command(), REPORT))
        .contains("by 2 other checks (", "(1 check)")
        .doesNotContain("pauses");
    assertThat(printed(command("--verbose"), REPORT)).contains("heap, pauses", "(deadlock)");
  }

  @Test
  void fiveDiagnosesAreFortyLinesOfHundredColumns() {
    Diagnosis one = found("long-queues", Severity.PROBLEM);
    Diagnosis caused = found("long-pauses", Severity.PROBLEM).because(one.id());
    List<String> lines =
        printed(command(), report(one, caused, one, one, one, one)).lines().toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(40).allMatch(line -> line.length() <= 100);
    assertThat(lines).filteredOn(line -> line.matches("\\d+\\. .*")).hasSize(5);
  }

  private static String printed(DoctorCommand command, HealthReport report) {
    StringWriter text = new StringWriter();
    command.text(new PrintWriter(text)).print(report);
    return text.toString();
  }
}
