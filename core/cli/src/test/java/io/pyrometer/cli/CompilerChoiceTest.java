package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.protocol.CoreSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompilerChoiceTest {
  private final StringWriter said = new StringWriter();

  private static Experiment experiment(String grid, String workload) {
    return experiment(3, grid, workload);
  }

  private static Experiment experiment(int nodes, String grid, String workload) {
    return OneGrid.experiment(
        ", nodes: " + nodes + grid, "record: stock-order, records: 1000, path: put" + workload, "");
  }

  private List<List<String>> chosen(int cpus, Experiment... together) {
    CompilerChoice choice =
        CompilerChoice.of(List.of(together), OneGrid.CATALOGUE, cpus, new PrintWriter(said, true));
    return choice.experiments().stream().map(each -> each.values(CoreSettings.COMPILER)).toList();
  }

  @Test
  void moreJvmsThanCpusAndAShortWarmUpLeaveC2Out() {
    Experiment cold = experiment("", "");
    assertThat(chosen(2, cold)).containsExactly(List.of("C1"));
    assertThat(said.toString())
        .startsWith("4 JVMs share 2 CPUs, ")
        .containsIgnoringWhitespaces("For C2: 'compiler: C1-and-C2' and 'common-warm-up: 120s'.");
    CompilerChoice choice =
        CompilerChoice.of(List.of(cold), OneGrid.CATALOGUE, 2, new PrintWriter(said));
    Experiment fitted = choice.experiment();
    assertThat(choice.chosen()).isTrue();
    assertThat(Planner.plan(fitted, OneGrid.CATALOGUE).groups().get(0).process())
        .as("processes are started with it")
        .matches(process -> process.get(CoreSettings.COMPILER).equals("C1"));
  }

  @Test
  void enoughCpusOrTimeNeedNoChoice() {
    assertThat(chosen(4, experiment("", ""))).containsExactly(List.of());
    assertThat(chosen(2, experiment("", ", common-warm-up: 2m"))).containsExactly(List.of());
    assertThat(chosen(2, experiment("", ", common-warm-up: 0s")))
        .as("code that is not compiled yet is measured")
        .containsExactly(List.of());
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void whatTheUserChoseStays() {
    assertThat(chosen(2, experiment(", compiler: C1-and-C2", "")))
        .containsExactly(List.of("C1-and-C2"));
    assertThat(said.toString()).isNotEmpty();
    said.getBuffer().setLength(0);
    for (String argument : List.of("-XX:-TieredCompilation", "-Xint")) {
      assertThat(chosen(2, experiment(", node-jvm-args: '" + argument + "'", "")))
          .containsExactly(List.of());
    }
    assertThat(chosen(2, experiment(", compiler: C1", ""))).containsExactly(List.of("C1"));
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void whatIsComparedIsCompiledAlike() {
    assertThat(chosen(3, experiment("", ""), experiment(1, "", "")))
        .as("B alone would be warm")
        .containsExactly(List.of("C1"), List.of("C1"));
    assertThat(chosen(2, experiment("", ""), experiment(", compiler: C1-and-C2", "")))
        .as("compilers are what is compared")
        .containsExactly(List.of("C1"), List.of("C1-and-C2"));
  }
}
