package io.pyrometer.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shares;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract of every driver, over real processes: worker JVMs for servers and agents, told what to
 * do over their pipes as the coordinator does. A driver's module extends this class; it is skipped
 * with the driver's own sentence where the product is missing on the machine.
 *
 * <p>Checked are: that the description is whole; that every access path leaves exactly what it
 * wrote, or answers the truth, with two agents at once; that records of 60 KB are read back; that
 * what a path claims of the order and the durability of writes holds, also after a server was
 * killed with -9; that servers listen on loopback alone; that a grid can be started again; and that
 * nothing is left behind by kill -9. The claim that a call is atomic is not checked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class DriverContract {
  private static final long SEED = 1;
  private static final int RECORDS = 2_000;
  private static final int KILL_RECORDS = 20_000;
  private static final int LARGE_RECORDS = 100;
  private static final int BATCH = 200;
  private static final int IN_FLIGHT = 50;
  private static final int AGENTS = 2;
  private static final long BEFORE_KILL_MILLIS = 700;
  private static final double ORDER_SECONDS = 0.6;
  private static final double READ_SECONDS = 0.5;

  /** A clause of the contract that a driver's tests may leave out. */
  protected enum Clause {
    /** Probes of order and durability, apart from the loss of a server. */
    CLAIMS,
    /** The loss of one server, which a product survives that lists the capability {@code nodes}. */
    LOSS_OF_SERVER,
    /** The start of a second grid after the first was killed, which takes its time. */
    RESTART
  }

  @TempDir private static Path folder = Path.of("");

  private final GridDriver driver;
  private final DriverDescription description;
  private final Settings settings;
  private final List<Clause> leftOut;
  private Optional<TestGrid> running = Optional.empty();
  private int trials;

  /**
   * Extended by a driver's tests.
   *
   * @param settings of processes, caches and paths that differ from their defaults
   */
  protected DriverContract(GridDriver driver, Map<String, Object> settings, Clause... leftOut) {
    this.driver = driver;
    this.description = driver.describe();
    this.settings = new Settings(settings);
    this.leftOut = List.of(leftOut);
  }

  /** Number of servers; three or more, so that the grid goes on without one of them. */
  protected int servers() {
    return 3;
  }

  /** Number of agents; more than one only where they reach the same data. */
  protected int agents() {
    return description.startsServers() ? AGENTS : 1;
  }

  /** Heap of a server that runs in its worker's JVM, in bytes. */
  protected long serverHeap() {
    return 256L << 20;
  }

  /** Returns whether a path is checked; all are unless a driver's own tests check the others. */
  protected boolean checks(PathDescription path) {
    return true;
  }

  /**
   * Returns whether the whole contract was asked for by {@code -Dpyrometer.contract=whole}, for
   * tests of a driver that check a part of it otherwise because its servers take long to start.
   */
  protected static boolean whole() {
    return "whole".equals(System.getProperty("pyrometer.contract"));
  }

  /** The longest time that the processes of a grid may take to end after kill -9. */
  protected Duration longestEnd() {
    return Duration.ofSeconds(10);
  }

  @BeforeAll
  final void start() throws IOException {
    Optional<String> missing = driver.unavailable();
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    running = Optional.of(startGrid("first"));
  }

  @AfterAll
  final void stop() {
    running.ifPresent(TestGrid::close);
  }

  private TestGrid startGrid(String name) throws IOException {
    return TestGrid.start(
        driver, servers(), agents(), serverHeap(), folder.resolve(name), complete(List.of()));
  }

  @Test
  @Order(1)
  void theDescriptionIsWhole() throws IOException {
    String json = Json.LINES.writeValueAsString(description);
    DriverDescription read = Json.LINES.readValue(json, DriverDescription.class);
    assertThat(Json.LINES.writeValueAsString(read)).isEqualTo(json);
    assertThat(driver.describe()).isEqualTo(description);
    assertThat(description.paths()).extracting(PathDescription::name).doesNotHaveDuplicates();
    assertThat(description.settings())
        .extracting(SettingDescription::name)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(
            CoreSettings.ALL.stream().map(SettingDescription::name).toList());
    assertThat(description.paths())
        .allSatisfy(
            path ->
                assertThat(path.guarantee().isPresent())
                    .as("guarantee of %s", path.name())
                    .isEqualTo(isLoad(path) && path.job() != Job.AGGREGATE));
    for (Job job : Job.LOAD) {
      assertThat(description.paths().stream().filter(p -> p.job() == job && p.plainest()).count())
          .as("plainest paths of the job %s", job)
          .isEqualTo(description.paths().stream().anyMatch(p -> p.job() == job) ? 1 : 0);
    }
  }

  @Test
  @Order(2)
  void serversSayWhatTheyAreAndListenOnLoopbackAlone() throws IOException {
    if (!description.startsServers()) {
      return;
    }
    assertThat(grid().started())
        .allSatisfy(server -> assertThat(server.configuration()).isNotEmpty());
    assumeTrue(ListeningSockets.known(), "Only Linux tells which sockets a process listens on.");
    for (WorkerProcess server : grid().servers()) {
      for (ProcessHandle process : server.processes()) {
        assertThat(ListeningSockets.beyondLoopback(process)).as("listening sockets").isEmpty();
      }
    }
  }

  @TestFactory
  @Order(3)
  Stream<DynamicTest> everyPathLeavesWhatItWroteOrAnswersTheTruth() {
    return each(DriverContract::isLoad, "", this::verified);
  }

  @TestFactory
  @Order(3)
  Stream<DynamicTest> aMixOfAllItsOperationsLeavesWhatItWrote() {
    return each(
        path -> setting(path, PathSettings.MIX).isPresent(),
        " mixing all",
        path -> {
          List<String> operations = setting(path, PathSettings.MIX).orElseThrow().choices();
          Map<String, Double> shares = new LinkedHashMap<>();
          operations.forEach(name -> shares.put(name, 1.0 / operations.size()));
          TrialSpec trial = trial(path, RECORDS, ORDER_SHAPE);
          Settings mixed =
              trial.settings().with(PathSettings.MIX.name(), new Shares(shares).text());
          verified(path, trial.as(trial.id(), mixed));
        });
  }

  private static Optional<SettingDescription> setting(PathDescription path, SettingKey<?> key) {
    return path.settings().stream().filter(each -> each.name().equals(key.name())).findFirst();
  }

  /** A page of a scan or of a bulk load holds 17 of these records. */
  @Test
  @Order(3)
  void largeRecordsAreFilledInAndReadBackPageByPage() throws IOException {
    Optional<PathDescription> mix =
        description.paths().stream()
            .filter(path -> checks(path) && path.job() == Job.MIX && path.plainest())
            .findFirst();
    assumeTrue(mix.isPresent(), "No path reads records that were filled in and writes others.");
    verified(mix.get(), trial(mix.get(), LARGE_RECORDS, LARGE_SHAPE));
  }

  @TestFactory
  @Order(4)
  Stream<DynamicTest> pathsThatClaimOrderKeepTheLastWriteOfEveryKey() {
    return each(
        path -> checks(Clause.CLAIMS) && claims(path, g -> g.ordered() && g.overwrites()),
        " keeps the last write",
        path -> {
          ProbeCounts found = probe(ProbeKind.ORDER, path, RECORDS, ORDER_SECONDS, () -> {});
          // A call that failed acknowledged nothing; what it wrote may be there or not.
          assertThat(found.checked()).as("keys; failed calls: %s", found.errors()).isPositive();
          assertThat(found.staleOrLost()).as("keys with another than the last write").isZero();
        });
  }

  @TestFactory
  @Order(5)
  Stream<DynamicTest> pathsThatClaimDurabilityLetOthersReadWhatIsAcknowledged() {
    return each(
        path -> checks(Clause.CLAIMS) && claims(path, g -> g.durable() && g.ordered()),
        " is read by others",
        path -> {
          ProbeCounts found = probe(ProbeKind.READ, path, 200, READ_SECONDS, () -> {});
          // A call that failed acknowledged nothing, so others need not read it.
          assertThat(found.checked()).as("reads; failed calls: %s", found.errors()).isPositive();
          assertThat(found.staleOrLost()).as("reads older than an acknowledged write").isZero();
        });
  }

  /** Kills the last server, which the tests after it start anew. */
  @Test
  @Order(6)
  void aKilledServerTakesNoAcknowledgedWriteWithIt() throws Exception {
    Optional<PathDescription> durable =
        description.paths().stream()
            .filter(this::checks)
            .filter(path -> path.job() == Job.WRITE && claims(path, Guarantee::durable))
            .filter(path -> description.startsServers() && checks(Clause.LOSS_OF_SERVER))
            .min((a, b) -> Boolean.compare(b.plainest(), a.plainest()));
    assumeTrue(durable.isPresent(), "No path claims that its writes survive the loss of a server.");
    WorkerProcess killed = grid().servers().get(servers() - 1);
    ProbeCounts found =
        probe(
            ProbeKind.KILL,
            durable.get(),
            KILL_RECORDS,
            60,
            () -> {
              grid().agents().get(0).ask(new Command.Measure(), Answer.Done.class);
              killed.kill();
              Thread.sleep((long) (1_000 * description.servers().failOverSeconds()));
            });
    assertThat(found.checked()).as("keys checked").isPositive();
    assertThat(found.lost()).as("acknowledged records that are gone").isZero();
    assertThat(found.stale()).as("acknowledged records that are old").isZero();
  }

  @Test
  @Order(7)
  void killsLeaveNothingBehindAndAGridStartsAgain() throws Exception {
    nothingIsLeftBehindBy(grid());
    if (!checks(Clause.RESTART)) {
      return;
    }
    running = Optional.of(startGrid("again"));
    for (PathDescription path : description.paths()) {
      if (checks(path) && isLoad(path) && path.plainest()) {
        verified(path);
      }
    }
    nothingIsLeftBehindBy(grid());
  }

  private void nothingIsLeftBehindBy(TestGrid grid) throws IOException {
    assertThat(grid.killAll(longestEnd()))
        .as("processes that outlive kill -9 of their workers")
        .isEmpty();
    for (int port : grid.ports()) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
    }
    for (Path directory : grid.workingDirectories()) {
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).as("files outside of the work folder").isEmpty();
      }
    }
  }

  /** A check of one path. */
  @FunctionalInterface
  private interface Check {
    void of(PathDescription path) throws Exception;
  }

  /** Something to do while a probe writes. */
  @FunctionalInterface
  private interface Meanwhile {
    void act() throws Exception;
  }

  private Stream<DynamicTest> each(Predicate<PathDescription> which, String claim, Check check) {
    return description.paths().stream()
        .filter(path -> checks(path) && which.test(path))
        .map(path -> DynamicTest.dynamicTest(path.name() + claim, () -> check.of(path)));
  }

  /**
   * Other kinds of trials have checks of their own, and queries are written for the tables of one
   * product.
   */
  private static boolean isLoad(PathDescription path) {
    return path.job().isLoad() && path.job() != Job.QUERY && path.job() != Job.READ;
  }

  private static boolean claims(PathDescription path, Predicate<Guarantee> what) {
    return path.job().isProbed() && path.guarantee().filter(what).isPresent();
  }

  /** Runs a short trial by all agents and compares what it left or answered with the truth. */
  private void verified(PathDescription path) throws IOException {
    // Fewer keys than the trial before it: what an earlier trial left would be found.
    verified(path, trial(path, RECORDS - 2L * BATCH * (trials % 2), ORDER_SHAPE));
  }

  private void verified(PathDescription path, TrialSpec trial) throws IOException {
    List<WorkerProcess> agents = grid().agents();
    for (WorkerProcess agent : agents) {
      Command prepare = new Command.Prepare(trial, agent.equals(agents.get(0)), List.of());
      Answer.Prepared prepared = agent.ask(prepare, Answer.Prepared.class);
      assertThat(prepared.configuration()).as("configuration read back").isNotEmpty();
      if (description.startsServers()) {
        assertThat(prepared.configuration())
            .containsEntry("cluster.servers", String.valueOf(servers()));
      }
    }
    for (WorkerProcess agent : agents) {
      agent.ask(new Command.Begin(), Answer.Done.class);
    }
    agents.get(0).awaitSamples(1);
    for (WorkerProcess agent : agents) {
      agent.ask(new Command.Measure(), Answer.Done.class);
    }
    agents.get(0).awaitSamples(2);
    for (WorkerProcess agent : agents) {
      Answer.Finished finished = agent.ask(new Command.Finish(), Answer.Finished.class);
      assertThat(finished.errors()).isEmpty();
      assertThat(finished.failedCalls() + finished.failedAfterwards()).isZero();
      assertThat(finished.intervals())
          .flatExtracting(interval -> interval.histograms().keySet())
          .as("operations as the path declares them")
          .isSubsetOf(path.operations(trial.settings()));
    }
    List<Evidence> found = new ArrayList<>();
    for (WorkerProcess agent : agents) {
      found.add(agent.ask(new Command.Verify(), Answer.Verified.class).evidence());
    }
    compare(path, found);
    for (WorkerProcess agent : agents) {
      agent.ask(new Command.TearDown(), Answer.Done.class);
    }
  }

  private static void compare(PathDescription path, List<Evidence> found) {
    if (found.get(0) instanceof Evidence.WholeSet creators) {
      Stream<Aggregate> answers =
          found.stream().flatMap(each -> ((Evidence.WholeSet) each).answers().stream());
      List<Aggregate> whole =
          creators.whole()
              ? answers.toList()
              : List.of(answers.reduce(Aggregate.NOTHING, Aggregate::plus));
      assertThat(whole)
          .as("answers of %s", path.name())
          .isNotEmpty()
          .containsOnly(creators.truth().orElseThrow());
    } else {
      ContentDigest expected =
          found.stream()
              .map(each -> ((Evidence.Contents) each).expected())
              .reduce(ContentDigest.EMPTY, ContentDigest::plus);
      assertThat(expected.count()).as("records written").isPositive();
      assertThat(((Evidence.Contents) found.get(0)).found())
          .as("what %s left", path.name())
          .contains(expected);
    }
  }

  private ProbeCounts probe(
      ProbeKind kind, PathDescription path, int records, double seconds, Meanwhile meanwhile)
      throws Exception {
    WorkerProcess agent = grid().agents().get(0);
    agent.ask(
        new Command.BeginProbe(kind, trial(path, records, ORDER_SHAPE), seconds),
        Answer.Done.class);
    if (kind == ProbeKind.KILL) {
      Thread.sleep(BEFORE_KILL_MILLIS);
    }
    meanwhile.act();
    return agent.ask(new Command.EndProbe(), Answer.Probed.class).found();
  }

  private TrialSpec trial(PathDescription path, long records, RecordShape shape) {
    Settings all =
        complete(path.settings())
            .with("path", path.name())
            .with("records", records)
            .with("threads", 2L)
            .with(settings);
    return new TrialSpec("contract-" + trials++, 0, 0, Map.of(), path.job(), all, shape, SEED);
  }

  /** Defaults, with batches small enough for the few records; the driver's tests' own on top. */
  private Settings complete(List<SettingDescription> ofPath) {
    Map<String, Object> values = new HashMap<>();
    Stream.of(CoreSettings.ALL, description.settings(), ofPath)
        .flatMap(List::stream)
        .forEach(setting -> setting.initial().ifPresent(v -> values.put(setting.name(), v)));
    values.computeIfPresent("batch", (name, given) -> BATCH);
    values.computeIfPresent("in-flight", (name, given) -> IN_FLIGHT);
    values.put("nodes", (long) servers());
    values.put("driver", description.name());
    return new Settings(values).with(settings);
  }

  private boolean checks(Clause part) {
    return !leftOut.contains(part);
  }

  private TestGrid grid() {
    return running.orElseThrow();
  }

  private static final RecordShape LARGE_SHAPE =
      shape(
          "Document",
          new FieldShape("text", FieldType.STRING, 60_000, 0, 0, 0, List.of(), false),
          new FieldShape("size", FieldType.LONG, 0, 0, 0, 1_000_000, List.of(), false));

  /** A record with a field of every type. */
  private static final RecordShape ORDER_SHAPE =
      shape(
          "Order",
          Stream.of(FieldType.values())
              .map(
                  type ->
                      new FieldShape(
                          "theField" + type.ordinal(), type, 8, 0, 0, 1_000_000, List.of(), false))
              .toArray(FieldShape[]::new));

  private static RecordShape shape(String name, FieldShape... fields) {
    return new RecordShape(name, Optional.empty(), List.of(fields));
  }
}
