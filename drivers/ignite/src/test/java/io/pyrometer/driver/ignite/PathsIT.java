package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.chaos.ChaosClient;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.Update;
import io.pyrometer.load.probe.Probe;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every access path against two server JVMs, and probes that find what some do not promise. The
 * last test kills a server.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PathsIT {
  private static final int KEYS = 300;
  private static final int KILL_KEYS = 20_000;
  private static final Records ORDERS = Orders.pool();
  private static final Records STOCK_ORDERS = Orders.stockOrders(200);

  @TempDir static Path folder;
  private static Cluster cluster;
  private static GridSession session;
  private static int written;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(2, folder);
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

  static Stream<String> updatingPaths() {
    return paths(Job.UPDATE);
  }

  static Stream<String> mixingPaths() {
    return paths(Job.MIX);
  }

  private static Stream<String> paths(Job job) {
    return new IgniteDriver()
        .describe().paths().stream().filter(path -> path.job() == job).map(path -> path.name());
  }

  /** The paths share a cache, in which each finds what another one wrote. */
  @ParameterizedTest
  @MethodSource("writingPaths")
  void whatAPathWritesIsReadBack(String path) throws Exception {
    TrialSession trial =
        path.equals("streamer")
            ? open(path, Settings.NONE)
            : shared("written", path, Settings.NONE);
    int offset = written++;
    Drive.over(trial, KEYS, key -> (int) ((key + offset) % ORDERS.size()));
    assertThat(trial.digest()).isEqualTo(expected(KEYS, key -> key + offset));
  }

  @Test
  void everyContinuousQueryIsToldOfEveryWriteOnce() throws Exception {
    Settings settings =
        settings("listeners", 2, "event-content", "record", "event-page", 100)
            .with("event-interval", 0.02);
    TrialSession trial = open("put-continuous-query", settings);
    AccessPath opened = trial.path(new LoadThread(0, 2));
    try (opened;
        AccessPath other = trial.path(new LoadThread(1, 2))) {
      Drive.over(opened, KEYS, key -> (int) (key % ORDERS.size()));
      assertThat(opened.events()).isEqualTo(Map.of("events-lost", 0L, "events-doubled", 0L));
      assertThat(other.events()).isEqualTo(opened.events());
    }
    assertThat(trial.digest()).isEqualTo(expected(KEYS));
  }

  @ParameterizedTest
  @CsvSource({"true, 3, ''", "false, 0, join"})
  void queriesAnswerWhatOneDatabaseDoesUnlessAJoinStaysOnItsNode(
      boolean collocated, int indexes, String wrong) throws Exception {
    areAnswered(settings("collocated", collocated, "indexes", indexes), wrong);
  }

  @Tag("extended")
  @Test
  void distributedJoinsLeaveTheirNode() throws Exception {
    areAnswered(settings("collocated", false, "indexes", 3, "distributed-joins", true), "");
  }

  private static void areAnswered(Settings some, String wrong) throws Exception {
    Records orders = Orders.stockOrders(200);
    Settings settings = settings("sql", "code", "distributed-joins", false).with(some);
    TrialSession trial =
        session.open(Expected.trial("sql-select", KEYS, orders, settings), orders, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      QueryAnswers answers =
          opened.compareAnswers(List.of(new long[] {3, 4, 5, 6, 7}, new long[] {200, 1, 2, 9, 8}));
      assertThat(answers.unknown()).isEmpty();
      assertThat(String.join(", ", answers.wrong().keySet())).isEqualTo(wrong);
      assertThat(answers.right()).hasSize(wrong.isEmpty() ? 6 : 5);
      Drive.over(opened, 4, 20, key -> 0);
    }
    trial.destroy();
    assertThat(Ignition.ignite("agent-0").cacheNames())
        .noneMatch(name -> name.endsWith("-details"));
  }

  @Test
  void settingsWithWhichAPathCannotWorkAreRefused() {
    TrialSession events = open("put-continuous-query", settings("event-page", 10));
    assertThatThrownBy(() -> events.path(new LoadThread(0, 1))).isInstanceOf(GridException.class);
    TrialSession atomic = open("transfer", Settings.NONE);
    assertThatThrownBy(() -> atomic.path(new LoadThread(0, 1))).isInstanceOf(GridException.class);
  }

  @ParameterizedTest
  @MethodSource("aggregatingPaths")
  void everyPathOverTheWholeSetGivesTheSameAnswer(String path) throws Exception {
    TrialSession trial = shared("read", path, Settings.NONE);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> 0);
      assertThat(opened.takeAnswer()).isEqualTo(highest());
      assertThat(opened.takeAnswer().count()).isZero();
    }
  }

  /** A scan reads the partition of its key. */
  @ParameterizedTest
  @MethodSource("mixingPaths")
  void aMixReadsWhatWasFilledInAndLeavesWhatItWrites(String path) throws Exception {
    Settings settings =
        settings("key-form", "string", "partitions", 4)
            .with("mix", "get 25%, put 25%, scan 25%, remove 25%");
    TrialSession trial = open(path, settings);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThat(opened.operations()).containsExactly("get", "scan", "remove", "put");
      assertThatThrownBy(() -> Drive.over(opened, 0, 3, key -> 0))
          .as("reads that miss")
          .hasMessage("3 calls failed");
      trial.fill(0, KEYS);
      Drive.over(opened, 0, KEYS / 10, key -> 0);
      Drive.over(opened, 1, 8, key -> 0);
      Drive.over(opened, 2, 5, key -> 0);
      assertThat(trial.digest().count()).isEqualTo(KEYS - 5);
      assertThatThrownBy(() -> Drive.over(opened, 1, 8, key -> 0)).hasMessage("5 calls failed");
      Drive.over(opened, 3, KEYS / 10, key -> (int) ((key + 7) % ORDERS.size()));
    }
    assertThat(trial.digest()).isEqualTo(expected(KEYS, key -> key < KEYS / 10 ? key + 7 : key));
  }

  @Test
  void aNearCacheKeepsNoMoreEntriesThanItsLimit() throws Exception {
    TrialSpec spec = trial("near-mixed", settings("near-entries", 50L));
    TrialSession trial = session.open(spec, ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, 0, KEYS, key -> 0);
    }
    int kept = Ignition.ignite("agent-0").cache(spec.cacheName()).localSize(CachePeekMode.NEAR);
    // An entry is evicted after the next one has come.
    assertThat(kept).isBetween(1, 2 * 50).isLessThan(KEYS);
  }

  @ParameterizedTest
  @CsvSource({"put-all, uuid, cached-builder", "thin-get-all, string, fresh-builder"})
  void keysMayBeStringsOrUuids(String path, String form, String values) throws Exception {
    Settings settings =
        settings("key-form", form, "sql", "code", "value-form", values, "indexes", 2);
    boolean reads = path.contains("get");
    TrialSpec spec = trial(path, settings);
    TrialSession trial = session.open(spec, ORDERS, true);
    if (reads) {
      trial.fill(0, KEYS);
    }
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) (key % ORDERS.size()));
      assertThat(opened.takeAnswer().count()).isEqualTo(reads ? KEYS : 0);
    }
    assertThat(trial.digest()).isEqualTo(expected(KEYS));
    assertThat(trial.contents().get(17)).isEqualTo(ORDERS.hash(0, ORDERS.fields(17)));
    String name = spec.cacheName();
    Object key =
        Ignition.ignite("agent-0")
            .<Object, Object>cache(name)
            .withKeepBinary()
            .iterator()
            .next()
            .getKey();
    assertThat(key.getClass().getSimpleName()).isEqualToIgnoringCase(form);
    trial.close();
  }

  @Test
  void batchesAndEntryProcessorsOfAMixReadAndWriteWhatTheyShould() throws Exception {
    TrialSession trial = open("mixed", settings("mix", "get-all 40%, invoke 30%, put-all 30%"));
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThat(opened.operations()).containsExactly("get-all", "invoke", "put-all");
      Drive.over(opened, 0, KEYS, key -> 0);
      Drive.over(opened, 2, 200, key -> (int) ((key + 7) % ORDERS.size()));
      Drive.over(opened, 1, 100, key -> (int) ((key + 9) % ORDERS.size()));
    }
    assertThat(trial.digest())
        .isEqualTo(expected(KEYS, key -> key < 100 ? key + 9 : key < 200 ? key + 7 : key));
  }

  @ParameterizedTest
  @MethodSource("updatingPaths")
  void anUpdateChangesOneFieldOfWhatIsThereAndLeavesTheOthers(String path) throws Exception {
    TrialSession trial = open(path, Settings.NONE);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThatThrownBy(() -> Drive.over(opened, 1, key -> 0)).hasMessage("1 calls failed");
      assertThat(trial.digest()).isEqualTo(ContentDigest.EMPTY);
      trial.fill(0, KEYS);
      Drive.over(opened, KEYS, key -> (int) ((key + 7) % ORDERS.size()));
    }
    int quantity = 1;
    assertThat(trial.digest())
        .isEqualTo(Expected.updated(ORDERS, KEYS, quantity, key -> key + 7))
        .isNotEqualTo(expected(KEYS, key -> key + 7));
  }

  @ParameterizedTest
  @CsvSource({
    "transfer-invoke, ATOMIC, PESSIMISTIC, REPEATABLE_READ",
    "transfer, TRANSACTIONAL, OPTIMISTIC, SERIALIZABLE"
  })
  void aTransferTakesFromTheFirstBalanceAndGivesToTheSecond(
      String path, String atomicity, String concurrency, String isolation) throws Exception {
    Settings settings =
        settings("atomicity", atomicity, "concurrency", concurrency, "isolation", isolation)
            .with("transaction-timeout", 60.0);
    TrialSession trial = open(path, settings);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, 100, key -> 0);
      assertThat(opened.events().values()).allMatch(count -> count == 0);
    }
    int quantity = Update.balance(ORDERS.shape(), settings);
    Map<Long, Long> changes = new TreeMap<>();
    trial
        .contents()
        .forEachRecord(
            (key, fields) -> {
              Object before = ORDERS.fields((int) (key % ORDERS.size()))[quantity];
              changes.put(
                  key, ((Number) fields[quantity]).longValue() - ((Number) before).longValue());
            });
    assertThat(changes).hasSize(KEYS);
    assertThat(changes)
        .allSatisfy(
            (key, change) -> assertThat(change).isEqualTo(key >= 100 ? 0 : key % 2 == 0 ? -5 : 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"chaos-registers", "chaos-thin-registers", "chaos-near-registers"})
  void registersOfAllProcessesAreTheSame(String path) {
    ChaosSession chaos = ((ChaosGrid) session).openChaos(trial(path, Settings.NONE));
    try (ChaosClient one = chaos.client(0);
        ChaosClient other = chaos.client(1)) {
      assertThat(one.read(1)).isEmpty();
      one.write(1, 5);
      assertThat(other.replace(1, 4, 6)).isFalse();
      assertThat(other.replace(1, 5, 6)).isTrue();
      assertThat(one.read(1)).hasValue(6);
    }
    assertThat(chaos.whole(2)).isTrue();
    chaos.destroy();
  }

  @Test
  void countersCountAndListsAreAppendedTo() {
    ChaosSession counters = ((ChaosGrid) session).openChaos(trial("chaos-counters", Settings.NONE));
    ChaosClient counter = counters.client(0);
    counter.increment(1);
    counter.increment(1);
    assertThat(counter.read(1)).hasValue(2);
    counters.destroy();
    ChaosSession lists =
        ((ChaosGrid) session)
            .openChaos(trial("chaos-transactions", settings("atomicity", "TRANSACTIONAL")));
    ChaosClient list = lists.client(0);
    assertThat(list.transact(new long[] {1, 2}, new long[] {7, ChaosClient.READ}))
        .containsExactly(List.of(), List.of());
    assertThat(list.transact(new long[] {1}, new long[] {8})).containsExactly(List.of(7L));
    lists.destroy();
  }

  @Test
  void aReplicatedTransactionalCacheGivesTheSameAnswerByCompute() throws Exception {
    TrialSession trial =
        open("compute", settings("cache-mode", "REPLICATED", "atomicity", "TRANSACTIONAL"));
    trial.fill(0, KEYS);
    assertThat(trial.configuration())
        .containsEntry("cache.mode", "REPLICATED")
        .containsEntry("cache.atomicity", "TRANSACTIONAL")
        .containsEntry("cluster.servers", "2");
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> 0);
      assertThat(opened.takeAnswer()).isEqualTo(highest());
    }
  }

  @Test
  void anAttachedSessionLeavesTheCachesOfOthersAndTakesItsOwnAway() throws Exception {
    Ignition.ignite("agent-0").getOrCreateCache("theirs");
    // Caches of tests before may still be on their way out.
    Set<String> before = Set.copyOf(Ignition.ignite("agent-0").cacheNames());
    try (GridSession attached = new IgniteDriver().openSession(cluster.session(true))) {
      TrialSession trial = attached.open(trial("put", Settings.NONE), ORDERS, true);
      trial.fill(0, 10);
      assertThat(trial.digest()).isEqualTo(expected(10));
      assertThatThrownBy(
              () ->
                  attached
                      .open(trial("compute", Settings.NONE), ORDERS, true)
                      .path(new LoadThread(0, 1)))
          .isInstanceOf(GridException.class);
      assertThat(Ignition.ignite("agent-7").cacheNames())
          .filteredOn(name -> !before.contains(name))
          .hasSize(1);
    }
    assertThat(Ignition.ignite("agent-0").cacheNames()).contains("theirs").isSubsetOf(before);
    Ignition.ignite("agent-0").destroyCache("theirs");
  }

  @Test
  void everyNodeListensToThinClientsWhereItSaysAndAnAgentNowhere() {
    for (String address : cluster.session(false).clientAddresses()) {
      ClientConfiguration alone =
          new ClientConfiguration().setAddresses(address).setClusterDiscoveryEnabled(false);
      try (IgniteClient client = Ignition.startClient(alone)) {
        assertThat(client.cluster().forServers().nodes()).hasSize(2);
      }
    }
    Object port = Ignition.ignite("agent-0").cluster().localNode().attribute("clientListenerPort");
    assertThat(port).isNull();
  }

  @ParameterizedTest
  @CsvSource({"true,all,4", "false,one,2"})
  void aThinClientHoldsAConnectionToEveryNodeOnlyWhereItIsAwareOfPartitions(
      boolean aware, String addresses, String connections) throws Exception {
    TrialSession trial =
        open("thin-put", settings("partition-awareness", aware, "thin-addresses", addresses));
    try (AccessPath one = trial.path(new LoadThread(0, 2));
        AccessPath other = trial.path(new LoadThread(1, 2))) {
      Drive.over(one, 10, key -> 0);
      Drive.over(other, 10, key -> 0);
      assertThat(trial.configuration()).containsEntry("client.thin-connections", connections);
    }
  }

  @Test
  void aGridThatIsNotWhatTheTrialAsksForFailsIt() {
    TrialSession trial = shared("written", "put", settings("nodes", 4, "region", 99L << 20));
    assertThatThrownBy(trial::configuration)
        .isInstanceOf(GridException.class)
        .hasMessageContaining("2, not 4")
        .hasMessageContaining("103809024");
  }

  private static TrialSession open(String path, Settings more) {
    return session.open(trial(path, more), ORDERS, true);
  }

  /** A trial on a cache of this name, which SQL can query and other trials use as well. */
  private static TrialSession shared(String cache, String path, Settings more) {
    TrialSpec spec = trial(path, settings("sql", "code").with(more));
    boolean first =
        !Ignition.ignite("agent-0").cacheNames().contains(TrialSpec.CACHE_PREFIX + cache);
    return session.open(spec.as(cache, spec.settings()), ORDERS, first);
  }

  private static TrialSpec trial(String path, Settings more) {
    return Expected.trial(path, KEYS, ORDERS, more);
  }

  private static ContentDigest expected(int keys) {
    return expected(keys, key -> key);
  }

  private static ContentDigest expected(int keys, IntUnaryOperator recordOf) {
    return Expected.records(ORDERS, keys, recordOf);
  }

  private static Aggregate highest() {
    return Aggregation.truth(ORDERS, Settings.NONE, KEYS);
  }

  @Test
  void theStreamerThatDoesNotOverwriteKeepsOldVersionsOfMostKeys() throws Exception {
    ProbeCounts found = order("streamer", 1);
    assertThat(found.failedCalls()).isZero();
    assertThat(found.stale()).isGreaterThan(found.checked() / 2);
    assertThat(found.lost()).isZero();
  }

  @Test
  void theWriterKeepsTheLastVersionOfEveryKey() throws Exception {
    ProbeCounts found = order("ignite-writer", 2);
    assertThat(found.writes()).isGreaterThan(found.checked());
    assertThat(found.staleOrLost()).isZero();
  }

  private static ProbeCounts order(String path, int threads) throws Exception {
    TrialSpec spec = Expected.trial(path, 2_000, ORDERS, settings("threads", threads));
    return probe(ProbeKind.ORDER, spec, 1).end();
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void aKilledNodeTakesAcknowledgedRecordsWithItWhereThereIsNoBackup() throws Exception {
    TrialSpec spec =
        Expected.trial("put-all", KILL_KEYS, ORDERS, settings("threads", 1, "backups", 0));
    Probe probe = probe(ProbeKind.KILL, spec, 60);
    Ignite client = Ignition.ignite("agent-0");
    IgniteCache<Long, Object> cache = client.cache(spec.cacheName());
    // The first half of the keys is written before the mark, the second after it.
    Cluster.await(() -> cache.size(CachePeekMode.PRIMARY) == KILL_KEYS / 2);
    probe.mark();
    cluster.kill(1);
    Cluster.await(() -> client.cluster().forServers().nodes().size() == 1);
    Cluster.await(() -> cache.containsKey(KILL_KEYS - 1L));
    ProbeCounts found = probe.end();
    assertThat(found.lost()).isGreaterThan(found.checked() / 20).isLessThan(found.checked());
  }

  private static Probe probe(ProbeKind kind, TrialSpec of, double seconds) {
    TrialSpec spec = of.as(of.id(), of.settings().with("batch", 500));
    TrialSession trial = session.open(spec, ORDERS, true);
    boolean overwrites = !spec.path().equals("streamer");
    Probe probe = new Probe(kind, spec, ORDERS, overwrites, seconds, trial::path, trial.contents());
    probe.begin();
    return probe;
  }

  // Records that ship with a class, in every form.

  @Tag("extended")
  @ParameterizedTest
  @CsvSource({
    "put-all, prebuilt, off, ATOMIC", "put-all, cached-builder, code, ATOMIC",
    "put-all, fresh-builder, annotation, ATOMIC", "put-all, object, code, ATOMIC",
    "put-all, object, annotation, ATOMIC", "put-all, from-object, off, ATOMIC",
    "put-all, from-object, annotation, ATOMIC", "put-all, deserialized, code, ATOMIC",
    "put, object, off, ATOMIC", "put-async, object, off, ATOMIC",
    "streamer, object, off, ATOMIC", "streamer-batched, object, off, ATOMIC",
    "streamer-receiver, object, off, ATOMIC", "thin-put-all, object, off, ATOMIC",
    "server-put-all, object, off, ATOMIC", "servers-put-all, object, off, ATOMIC",
    "ignite-writer, object, off, ATOMIC", "put, prebuilt, off, TRANSACTIONAL",
    "put-all, prebuilt, off, TRANSACTIONAL", "thin-put-all, prebuilt, off, TRANSACTIONAL",
    "put-all-async, prebuilt, off, TRANSACTIONAL"
  })
  void everyFormOfAStockOrderIsReadBackAlike(String path, String form, String sql, String atomicity)
      throws Exception {
    Settings settings =
        settings("value-form", form, "sql", sql, "indexes", 2, "atomicity", atomicity);
    assertThat(written(path, STOCK_ORDERS, settings)).isEqualTo(whole(STOCK_ORDERS));
  }

  @Tag("extended")
  @Test
  void objectsOfTheOtherShippedRecordAreReadBackAlike() throws Exception {
    Records samples = Orders.sampleRecords();
    assertThat(written("put-all", samples, settings("value-form", "object")))
        .isEqualTo(whole(samples));
  }

  @Tag("extended")
  @ParameterizedTest
  @CsvSource({
    "update-put,object,ATOMIC", "update-invoke,object,ATOMIC", "update-invoke-all,object,ATOMIC",
    "update-put,binary,ATOMIC", "update-invoke,binary,ATOMIC", "update-invoke-all,binary,ATOMIC",
    "update-invoke-all,binary,TRANSACTIONAL"
  })
  void aNamedFieldIsUpdated(String path, String on, String atomicity) throws Exception {
    Settings settings =
        settings("update-on", on, "update-field", "account", "atomicity", atomicity);
    int account = 5;
    TrialSession trial =
        session.open(Expected.trial(path, KEYS, STOCK_ORDERS, settings), STOCK_ORDERS, true);
    trial.fill(0, KEYS);
    Drive.over(trial, KEYS, key -> (int) ((key + 3) % STOCK_ORDERS.size()));
    assertThat(trial.digest())
        .isEqualTo(Expected.updated(STOCK_ORDERS, KEYS, account, key -> key + 3))
        .isNotEqualTo(whole(STOCK_ORDERS));
  }

  @Tag("extended")
  @Test
  void sqlReadsObjectsByTheirAnnotations() throws Exception {
    Settings settings = settings("value-form", "object", "sql", "annotation");
    TrialSession trial =
        session.open(
            Expected.trial("sql-aggregate", KEYS, STOCK_ORDERS, settings), STOCK_ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      Drive.over(path, KEYS, key -> 0);
      assertThat(path.takeAnswer()).isEqualTo(Aggregation.truth(STOCK_ORDERS, Settings.NONE, KEYS));
    }
  }

  @Tag("extended")
  @Test
  void aRecordWithoutAClassHasNoObjectsAndNoAnnotations() {
    Records fieldsAlone = Orders.pool();
    assertThatThrownBy(() -> written("put", fieldsAlone, settings("value-form", "object")))
        .isInstanceOf(GridException.class);
    assertThatThrownBy(() -> written("put", fieldsAlone, settings("sql", "annotation")))
        .isInstanceOf(GridException.class);
  }

  @Tag("extended")
  @ParameterizedTest
  @ValueSource(strings = {"no.such.Receiver", "java.lang.Object"})
  void aWrongReceiverIsNamed(String receiver) {
    assertThatThrownBy(
            () -> written("streamer-receiver", STOCK_ORDERS, settings("receiver", receiver)))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(receiver);
  }

  private static ContentDigest written(String path, Records records, Settings settings)
      throws Exception {
    TrialSession trial = session.open(Expected.trial(path, KEYS, records, settings), records, true);
    Drive.over(trial, KEYS, key -> (int) (key % records.size()));
    return trial.digest();
  }

  private static ContentDigest whole(Records records) {
    return Expected.records(records, KEYS, key -> key);
  }

  private static Settings settings(Object... namesAndValues) {
    Settings settings = Settings.NONE;
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings = settings.with((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings;
  }
}
