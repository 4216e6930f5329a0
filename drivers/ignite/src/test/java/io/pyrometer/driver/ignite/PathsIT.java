package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.chaos.ChaosClient;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.driver.ignite.path.AccessPaths;
import io.pyrometer.driver.ignite.path.IgnitePath;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Job;
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
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every access path against two server JVMs. */
class PathsIT {
  private static final int KEYS = 300;
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
    return AccessPaths.ALL.stream()
        .map(IgnitePath::description)
        .filter(path -> path.job() == job)
        .map(path -> path.name());
  }

  /** The paths share a cache, in which each finds what another one wrote. */
  @ParameterizedTest
  @MethodSource("writingPaths")
  void whatAPathWritesIsReadBack(String path) throws Exception {
    TrialSession trial =
        path.equals("streamer") ? open(path, Settings.NONE) : shared("written", path);
    int offset = written++;
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) ((key + offset) % ORDERS.size()));
    }
    assertThat(trial.digest()).isEqualTo(expected(KEYS, key -> key + offset));
  }

  @ParameterizedTest
  @CsvSource({"2, key, 1, 0", "1, record, 100, 0.02"})
  void everyContinuousQueryIsToldOfEveryWriteOnce(
      int listeners, String content, int page, double interval) throws Exception {
    Settings settings =
        new Settings(
            Map.of(
                "listeners", listeners,
                "event-content", content,
                "event-page", page,
                "event-interval", interval));
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
  @CsvSource({"true, 3, true, ''", "false, 3, true, ''", "false, 0, false, join"})
  void queriesAnswerWhatOneDatabaseDoesUnlessAJoinStaysOnItsNode(
      boolean collocated, int indexes, boolean distributed, String wrong) throws Exception {
    Records orders = Orders.stockOrders(200);
    Settings settings =
        new Settings(
            Map.of(
                "collocated", collocated,
                "indexes", indexes,
                "sql", "code",
                "distributed-joins", distributed));
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

  @ParameterizedTest
  @CsvSource({"put-continuous-query, event-page, 10", "transfer, map, hash"})
  void settingsWithWhichAPathCannotWorkAreRefused(String path, String name, String value) {
    TrialSession trial =
        session.open(trial(path, Settings.NONE.with(name, number(value))), ORDERS, true);
    assertThatThrownBy(() -> trial.path(new LoadThread(0, 1))).isInstanceOf(GridException.class);
  }

  private static Object number(String value) {
    return value.matches("\\d+") ? Long.valueOf(value) : value;
  }

  @ParameterizedTest
  @MethodSource("aggregatingPaths")
  void everyPathOverTheWholeSetGivesTheSameAnswer(String path) throws Exception {
    TrialSession trial = shared("read", path);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> 0);
      assertThat(opened.takeAnswer()).isEqualTo(highest());
      assertThat(opened.takeAnswer().count()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("mixingPaths")
  void aMixReadsWhatWasFilledInAndLeavesWhatItWrites(String path) throws Exception {
    TrialSession trial = open(path, Settings.NONE);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThat(opened.operations()).containsExactly("get", "put");
      assertThatThrownBy(() -> Drive.over(opened, 0, 3, key -> 0))
          .as("reads that miss")
          .hasMessage("3 calls failed");
      trial.fill(0, KEYS);
      Drive.over(opened, 0, KEYS / 10, key -> 0);
      Drive.over(opened, 1, KEYS / 10, key -> (int) ((key + 7) % ORDERS.size()));
    }
    assertThat(trial.digest()).isEqualTo(expected(KEYS, key -> key < KEYS / 10 ? key + 7 : key));
  }

  @Test
  void aNearCacheKeepsNoMoreEntriesThanItsLimit() throws Exception {
    TrialSpec spec = trial("near-mixed", new Settings(Map.of("near-entries", 50L)));
    TrialSession trial = session.open(spec, ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, 0, KEYS, key -> 0);
    }
    int kept =
        Ignition.ignite("agent-0")
            .cache(NodeMetrics.CACHE_PREFIX + spec.id())
            .localSize(CachePeekMode.NEAR);
    // An entry is evicted after the next one has come.
    assertThat(kept).isBetween(1, 2 * 50).isLessThan(KEYS);
  }

  @ParameterizedTest
  @CsvSource({
    "thin-put, string, prebuilt",
    "put-all, uuid, cached-builder",
    "get-all, uuid, fresh-builder",
    "thin-get-all, string, prebuilt"
  })
  void keysMayBeStringsOrUuids(String path, String form, String values) throws Exception {
    Settings settings =
        new Settings(Map.of("key-form", form, "sql", "code", "value-form", values, "indexes", 2));
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
    String name = NodeMetrics.CACHE_PREFIX + spec.id();
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

  @ParameterizedTest
  @ValueSource(strings = {"mixed", "thin-mixed"})
  void aScanBringsThePartitionOfItsKeyAndAMixOfThemAllIsVerified(String path) throws Exception {
    Settings settings =
        new Settings(
            Map.of(
                "key-form", "string",
                "partitions", 4,
                "mix", "scan 50%, remove 25%, put 25%"));
    TrialSession trial = open(path, settings);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      assertThat(opened.operations()).containsExactly("scan", "remove", "put");
      Drive.over(opened, 0, 8, key -> 0);
      Drive.over(opened, 1, 5, key -> 0);
      assertThatThrownBy(() -> Drive.over(opened, 0, 8, key -> 0)).hasMessage("5 calls failed");
    }
    assertThat(trial.digest().count()).isEqualTo(KEYS - 5);
  }

  @Test
  void batchesAndEntryProcessorsOfAMixReadAndWriteWhatTheyShould() throws Exception {
    Settings settings = new Settings(Map.of("mix", "get-all 40%, invoke 30%, put-all 30%"));
    TrialSession trial = open("mixed", settings);
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
    "transfer, TRANSACTIONAL, PESSIMISTIC, READ_COMMITTED",
    "transfer, TRANSACTIONAL, OPTIMISTIC, SERIALIZABLE"
  })
  void aTransferTakesFromTheFirstBalanceAndGivesToTheSecond(
      String path, String atomicity, String concurrency, String isolation) throws Exception {
    Settings settings =
        new Settings(
            Map.of(
                "atomicity",
                atomicity,
                "concurrency",
                concurrency,
                "isolation",
                isolation,
                "transaction-timeout",
                60.0));
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
    Settings transactional = new Settings(Map.of("atomicity", "TRANSACTIONAL"));
    ChaosSession lists =
        ((ChaosGrid) session).openChaos(trial("chaos-transactions", transactional));
    ChaosClient list = lists.client(0);
    assertThat(list.transact(new long[] {1, 2}, new long[] {7, ChaosClient.READ}))
        .containsExactly(List.of(), List.of());
    assertThat(list.transact(new long[] {1}, new long[] {8})).containsExactly(List.of(7L));
    lists.destroy();
  }

  @Test
  void aReplicatedTransactionalCacheGivesTheSameAnswerByCompute() throws Exception {
    Settings settings =
        new Settings(Map.of("cache-mode", "REPLICATED", "atomicity", "TRANSACTIONAL"));
    TrialSession trial = open("compute", settings);
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
  void aPathThatLosesOrConfusesRecordsIsCaughtByTheReadBack() throws Exception {
    TrialSession trial = open("put-all", Settings.NONE);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS - 1, key -> (int) (key % ORDERS.size()));
      assertThat(trial.digest()).isNotEqualTo(expected(KEYS));
      Drive.over(opened, KEYS, key -> (int) ((key == 17 ? 18 : key) % ORDERS.size()));
      assertThat(trial.digest().count()).isEqualTo(KEYS);
      assertThat(trial.digest()).isNotEqualTo(expected(KEYS));
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
    Settings settings =
        new Settings(Map.of("partition-awareness", aware, "thin-addresses", addresses));
    TrialSession trial = open("thin-put", settings);
    try (AccessPath one = trial.path(new LoadThread(0, 2));
        AccessPath other = trial.path(new LoadThread(1, 2))) {
      Drive.over(one, 10, key -> 0);
      Drive.over(other, 10, key -> 0);
      assertThat(trial.configuration()).containsEntry("client.thin-connections", connections);
    }
  }

  @Test
  void aGridThatIsNotWhatTheTrialAsksForFailsIt() {
    TrialSession trial =
        session.open(
            trial("put", new Settings(Map.of("nodes", 4, "region", 99L << 20))), ORDERS, true);
    assertThatThrownBy(trial::configuration)
        .isInstanceOf(GridException.class)
        .hasMessageContaining("2, not 4")
        .hasMessageContaining("103809024");
  }

  private static TrialSession open(String path, Settings more) {
    return session.open(trial(path, more), ORDERS, true);
  }

  /** A trial on a cache of this name, which SQL can query and other trials use as well. */
  private static TrialSession shared(String cache, String path) {
    TrialSpec spec = trial(path, new Settings(Map.of("sql", "code")));
    boolean first =
        !Ignition.ignite("agent-0").cacheNames().contains(NodeMetrics.CACHE_PREFIX + cache);
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

  // Records that ship with a class, in every form.

  @Tag("extended")
  @ParameterizedTest
  @CsvSource({
    "prebuilt,off", "cached-builder,code", "fresh-builder,annotation", "object,off",
    "object,code", "object,annotation", "from-object,off", "from-object,annotation",
    "deserialized,code"
  })
  void everyFormOfAStockOrderIsReadBackAlike(String form, String sql) throws Exception {
    Settings settings = settings("value-form", form, "sql", sql, "indexes", 2);
    assertThat(written("put-all", STOCK_ORDERS, settings)).isEqualTo(whole(STOCK_ORDERS));
  }

  @Tag("extended")
  @ParameterizedTest
  @ValueSource(strings = {"prebuilt", "object", "from-object"})
  void everyFormOfASampleRecordIsReadBackAlike(String form) throws Exception {
    Records samples = Orders.sampleRecords();
    assertThat(written("put-all", samples, settings("value-form", form))).isEqualTo(whole(samples));
  }

  @Tag("extended")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "put",
        "put-async",
        "streamer",
        "streamer-batched",
        "streamer-receiver",
        "thin-put-all",
        "server-put-all",
        "servers-put-all",
        "ignite-writer"
      })
  void objectsGoEveryWay(String path) throws Exception {
    assertThat(written(path, STOCK_ORDERS, settings("value-form", "object")))
        .isEqualTo(whole(STOCK_ORDERS));
  }

  @Tag("extended")
  @ParameterizedTest
  @ValueSource(strings = {"put", "put-all", "thin-put-all", "put-all-async"})
  void aTransactionalCacheKeepsWhatIsWritten(String path) throws Exception {
    assertThat(written(path, STOCK_ORDERS, settings("atomicity", "TRANSACTIONAL")))
        .isEqualTo(whole(STOCK_ORDERS));
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
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) ((key + 3) % STOCK_ORDERS.size()));
    }
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
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) (key % records.size()));
    }
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
