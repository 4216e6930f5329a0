package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.GridDescription.CacheDescription;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is shown and asked before a run uses a grid of the user's. */
class AttachedGridTest {
  private static final GridDescription GRID =
      new GridDescription(
          Optional.of(2),
          Map.of("version", "1"),
          List.of(
              new CacheDescription(
                  "orders", Map.of("backups", "1"), Optional.of(12_000L), Optional.of(310L)),
              new CacheDescription("small", Map.of(), Optional.of(1L), Optional.empty())),
          3);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static Experiment experiment(String workload) {
    return OneGrid.experiment(", attach: '10.0.0.1:47500'", workload, "");
  }

  private String shown(Experiment experiment) {
    AttachedGrid.show(OneGrid.planned(experiment), GRID, new PrintWriter(out, true));
    return out.toString().replaceAll("\\s+", " ");
  }

  @Test
  void anExperimentThatSaysNoNumberReadsAllRecords() {
    Experiment read = experiment("existing-cache: orders, path: existing-get");
    Experiment fitted = AttachedGrid.fitted(read, OneGrid.planned(read), GRID, OneGrid.CATALOGUE);
    assertThat(OneGrid.planned(fitted).recordsRead()).containsExactly(Map.entry("orders", 12_000L));
    assertThat(shown(fitted)).doesNotContain("copy");
  }

  @Test
  void aNumberThatIsGivenIsKeptAndRefusedWhereItIsTooLarge() {
    Experiment read = experiment("existing-cache: orders, records: 12001, path: existing-get");
    assertThat(AttachedGrid.fitted(read, OneGrid.planned(read), GRID, OneGrid.CATALOGUE))
        .isSameAs(read);
    assertThatThrownBy(() -> shown(read))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("'orders'")
        .hasMessageContaining("12,000")
        .hasMessageContaining("12,001");
  }

  private void ask(String answer) {
    StringReader answers = new StringReader(answer);
    Console.ask(AttachedGrid.QUESTION, AttachedGrid.REFUSED, answers, new PrintWriter(err));
  }

  @Test
  void aYesStartsTheRunAndEveryOtherAnswerDoesNot() {
    for (String yes : List.of("y\n", "Yes\n", " Y ")) {
      ask(yes);
    }
    for (String no : List.of("", "\n", "n\n", "yesterday\n")) {
      assertThatThrownBy(() -> ask(no))
          .isInstanceOf(RunException.class)
          .hasMessage(AttachedGrid.REFUSED);
    }
  }
}
