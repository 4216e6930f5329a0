package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.path.Kind;
import io.pyrometer.driver.ignite.path.Paths;
import io.pyrometer.grid.GridSession;
import io.pyrometer.grid.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Tally;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every access path against three server JVMs. */
class PathsIT {
  private static final int KEYS = 5_000;
  private static final Orders ORDERS = new Orders();

  @TempDir static Path folder;
  private static Cluster cluster;
  private static GridSession session;
  private static int trials;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(3, folder);
    session = new IgniteDriver().openSession(cluster.session(false));
  }

  @AfterAll
  static void stop() {
    session.close();
    cluster.close();
  }

  static Stream<String> writingPaths() {
    return paths(Job.WRITE);
  }

  static Stream<String> aggregatingPaths() {
    return paths(Job.AGGREGATE);
  }

  private static Stream<String> paths(Job job) {
    return Paths.ALL.stream()
        .map(Kind::description)
        .filter(path -> path.job() == job)
        .map(path -> path.name());
  }

  @ParameterizedTest
  @MethodSource("writingPaths")
  void whatAPathWritesIsReadBack(String path) throws Exception {
    TrialSession trial = session.open(trial(path, Settings.NONE), ORDERS, true);
    try (AccessPath opened = trial.path(new Lane(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) (key % ORDERS.size()));
    }
    assertThat(trial.tally()).isEqualTo(expected(KEYS));
    trial.destroy();
  }

  @ParameterizedTest
  @MethodSource("aggregatingPaths")
  void everyPathOverTheWholeSetGivesTheSameAnswer(String path) throws Exception {
    TrialSession trial = session.open(trial(path, Settings.NONE), ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new Lane(0, 1))) {
      Drive.over(opened, KEYS, key -> 0);
      assertThat(opened.takeAnswer()).isEqualTo(highest());
      assertThat(opened.takeAnswer().count()).isZero();
    }
    trial.destroy();
  }

  @Test
  void aFillIsReadBack() {
    TrialSession trial = session.open(trial("put", Settings.NONE), ORDERS, true);
    trial.fill(0, KEYS);
    assertThat(trial.tally()).isEqualTo(expected(KEYS));
    trial.destroy();
  }

  private static TrialSpec trial(String path, Settings more) {
    Settings settings = new Settings(Map.of("path", path, "records", KEYS)).with(more);
    String id = "t" + trials++;
    return new TrialSpec(id, 0, 0, Map.of(), Job.WRITE, settings, ORDERS.shape(), 1);
  }

  private static Tally expected(int keys) {
    Tally all = Tally.NOTHING;
    for (int key = 0; key < keys; key++) {
      all = all.plus(new Tally(1, ORDERS.hash(key, ORDERS.fields(key % ORDERS.size()))));
    }
    return all;
  }

  private static Aggregate highest() {
    double most = ORDERS.size() - 1;
    return new Aggregate(
        KEYS, Map.of("quantity", 10 * most, "status", most, "price", most / 8, "heat", most / 16));
  }
}
