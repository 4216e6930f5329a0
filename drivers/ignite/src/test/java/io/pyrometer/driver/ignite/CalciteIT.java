package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries by Ignite's SQL engine of Calcite, against two server JVMs. */
@Tag("extended")
class CalciteIT {
  private static final int KEYS = 500;
  private static final Records ORDERS = Orders.stockOrders(200);
  private static final Settings CALCITE = new Settings(Map.of("sql-engine", "calcite"));

  @TempDir static Path folder;
  private static Cluster cluster;
  private static GridSession session;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(2, folder, CALCITE);
    session = new IgniteDriver().openSession(cluster.session(false, CALCITE));
  }

  @AfterAll
  static void stop() {
    try {
      session.close();
    } finally {
      cluster.close();
    }
  }

  private static TrialSession filled(Map<String, Object> more) {
    Settings settings =
        new Settings(more).with("sql-engine", "calcite").with("sql", "code").with("indexes", 3);
    TrialSession trial =
        session.open(Expected.trial("sql-select", KEYS, ORDERS, settings), ORDERS, true);
    trial.fill(0, KEYS);
    return trial;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itAnswersWhatOneDatabaseDoes(boolean collocated) throws Exception {
    TrialSession trial = filled(Map.of("collocated", collocated));
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      QueryAnswers answers =
          opened.compareAnswers(List.of(new long[] {3, 4, 5, 6, 7}, new long[] {400, 1, 2, 9, 8}));
      assertThat(answers.right()).hasSize(6);
      assertThat(answers.wrong()).isEmpty();
      assertThat(answers.unknown()).isEmpty();
    }
    trial.destroy();
  }

  /** Its own message names H2 where H2 was asked. */
  @Test
  void itIsTheEngineThatAnswers() throws Exception {
    Path file = folder.resolve("bad.sql");
    Files.writeString(file, "SELECT nothing FROM StockOrder;\n");
    TrialSession trial = filled(Map.of("queries", file.toString()));
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThatThrownBy(() -> opened.compareAnswers(List.of(new long[] {1})))
          .hasMessageContaining("Column 'NOTHING' not found");
    }
    trial.destroy();
  }
}
