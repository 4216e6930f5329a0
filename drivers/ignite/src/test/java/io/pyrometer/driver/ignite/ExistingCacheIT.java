package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reading a cache that somebody else keeps in a cluster with TLS, joined as a file of theirs says.
 * Its keys and values are objects of classes that Pyrometer does not have.
 */
class ExistingCacheIT {
  private static final int COUNT = 1_000;
  private static final Records ORDERS = Orders.pool();

  @TempDir static Path folder;
  private static KeyStoreFile store;
  private static StockNode node;
  private static GridSession session;

  @BeforeAll
  static void attach() throws Exception {
    store = KeyStoreFile.create(folder.resolve("keys.p12"));
    KeyStoreFile.create(folder.resolve("strange.p12"));
    node = StockNode.start(folder, store.server());
    session = open(7, store.node(), store.thin());
    put(COUNT, "of others");
  }

  private static GridSession open(int agent, String nodes, String thin) throws Exception {
    Path file = node.clientFile(folder.resolve("client.xml"), nodes, thin);
    return new IgniteDriver().openSession(node.attaching(agent, file));
  }

  @AfterAll
  static void stop() {
    try {
      session.close();
    } finally {
      node.close();
    }
  }

  private static IgniteCache<Object, Object> theirs() {
    return ignite().cache(StockNode.CACHE).withKeepBinary();
  }

  private static Ignite ignite() {
    return Ignition.ignite("agent-7");
  }

  private static Object key(int i) {
    return ignite()
        .binary()
        .builder("com.example.OrderId")
        .setField("region", "EU-" + i % 7)
        .setField("number", i)
        .build();
  }

  private static Object value(int i, String text) {
    return ignite()
        .binary()
        .builder("com.example.Order")
        .setField("text", text)
        .setField("amount", 1.5 * i)
        .build();
  }

  private static void put(int count, String text) {
    Map<Object, Object> entries = new HashMap<>();
    IntStream.range(0, count).forEach(i -> entries.put(key(i), value(i, text)));
    theirs().putAll(entries);
  }

  private static TrialSpec spec(String path, int records) {
    return Expected.trial(
        path,
        records,
        ORDERS,
        new Settings(Map.of("existing-cache", StockNode.CACHE, "batch", 100)));
  }

  private static long checksum() {
    long sum = 0;
    for (Cache.Entry<Object, Object> each : theirs()) {
      sum += 31L * each.getKey().hashCode() + each.getValue().hashCode();
    }
    return sum;
  }

  private static List<long[]> drawn(AccessPath path) {
    return IntStream.range(0, 5)
        .mapToObj(
            set ->
                IntStream.range(0, path.recordsPerCall()).mapToLong(i -> 100L * set + i).toArray())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"existing-get", "existing-get-all", "thin-existing-get", "thin-existing-get-all"})
  void everyRecordIsReadAndNothingIsChanged(String name) throws Exception {
    long before = checksum();
    TrialSpec spec = spec(name, COUNT);
    TrialSession trial = session.open(spec, ORDERS, true);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      String operation = path.operations().get(0);
      QueryAnswers answers = path.compareAnswers(drawn(path));
      assertThat(answers.right()).containsExactly(operation);
      assertThat(answers.wrong()).isEmpty();
      assertThat(answers.unknown()).isEmpty();
      Drive.over(path, COUNT, key -> 0);
      assertThat(path.events()).containsEntry("reads-of-absent", 0L);
      assertThat(trial.configuration()).containsEntry("cache.name", StockNode.CACHE);
    }
    trial.destroy();
    trial.close();
    assertThat(checksum()).isEqualTo(before);
    assertThat(theirs().size()).isEqualTo(COUNT);
    assertThat(ignite().cacheNames()).noneMatch(one -> one.startsWith(TrialSpec.CACHE_PREFIX));
  }

  @Test
  void whatOthersChangeAfterTheScanIsToldFromWhatIsReadWrongly() throws Exception {
    TrialSession trial = session.open(spec("thin-existing-get-all", COUNT), ORDERS, true);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      put(COUNT / 2, "changed");
      IntStream.range(COUNT - 10, COUNT).forEach(i -> theirs().remove(key(i)));
      List<long[]> all = List.of(IntStream.range(0, COUNT).asLongStream().toArray());
      QueryAnswers answers = path.compareAnswers(all);
      assertThat(answers.wrong()).isEmpty();
      assertThat(answers.unknown().values())
          .containsExactly("510 of 1000 records had changed since the scan");
      Drive.over(path, COUNT, key -> 0);
      assertThat(path.events()).containsEntry("reads-of-absent", 10L);
    } finally {
      put(COUNT, "of others");
    }
  }

  @Test
  void readsThatFindNothingThatTheScanFoundAreWrong() throws Exception {
    TrialSession trial = session.open(spec("existing-get", COUNT), ORDERS, true);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      theirs().clear();
      QueryAnswers answers = path.compareAnswers(drawn(path));
      assertThat(answers.right()).isEmpty();
      assertThat(answers.wrong()).containsOnlyKeys(path.operations().get(0));
    } finally {
      put(COUNT, "of others");
    }
  }

  @Test
  void moreRecordsThanThereAreIsOneSentence() throws Exception {
    TrialSession trial = session.open(spec("existing-get", COUNT + 1), ORDERS, true);
    assertThatThrownBy(() -> trial.path(new LoadThread(0, 1)))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("1,000");
  }

  @Test
  void anUnknownCacheIsOneSentenceThatNamesThoseThatAreThere() {
    TrialSpec spec =
        Expected.trial(
            "existing-get", 10, ORDERS, new Settings(Map.of("existing-cache", "ordres")));
    assertThatThrownBy(() -> session.open(spec, ORDERS, true))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("orders-of-others");
  }

  @Test
  void aSampleSaysWhichRecordAndSettingsMakeACacheLikeIt() throws Exception {
    long before = checksum();
    CacheSample sample = session.sample(StockNode.CACHE, 500);
    assertThat(sample.count()).isEqualTo(COUNT);
    assertThat(sample.looked()).isEqualTo(500);
    assertThat(sample.record().name()).isEqualTo("Order");
    assertThat(sample.record().fields())
        .extracting(FieldShape::name, FieldShape::type)
        .containsExactlyInAnyOrder(
            tuple("text", FieldType.STRING), tuple("amount", FieldType.DOUBLE));
    for (FieldShape field : sample.record().fields()) {
      if (field.name().equals("text")) {
        assertThat(field.size()).isEqualTo("of others".length());
        assertThat(field.cardinality()).isEqualTo(1);
      } else {
        assertThat(field.least()).isBetween(0.0, 0.2 * COUNT);
        assertThat(field.most()).isBetween(1.3 * COUNT, 1.5 * COUNT);
      }
    }
    assertThat(sample.settings())
        .containsEntry("cache-mode", "PARTITIONED")
        .containsEntry("backups", "0")
        .containsEntry("synchronisation", "PRIMARY_SYNC");
    assertThat(sample.bytes()).isBetween(30L, 120L);
    assertThat(sample.differences())
        .anyMatch(difference -> difference.contains("in place of com.example.OrderId"));
    assertThat(sample.toString()).doesNotContain("of others");
    assertThat(checksum()).isEqualTo(before);
  }

  /** A scan of a partition begins with the least numbers. */
  @Test
  void aSampleIsNotOfTheSmallestKeysAlone() {
    int keys = 5_000;
    IgniteCache<Long, Long> numbers =
        ignite()
            .createCache(
                new CacheConfiguration<Long, Long>("numbers-of-others")
                    .setAffinity(new RendezvousAffinityFunction(false, 16)));
    try {
      Map<Long, Long> entries = new TreeMap<>();
      LongStream.range(0, keys).forEach(key -> entries.put(key, key));
      numbers.putAll(entries);
      FieldShape value = session.sample(numbers.getName(), 500).record().fields().get(0);
      assertThat(value.least()).isLessThan(0.2 * keys);
      assertThat(value.most()).isGreaterThan(0.8 * keys);
    } finally {
      numbers.destroy();
    }
  }

  @Test
  void anEmptyCacheCannotBeLookedAt() {
    ignite().getOrCreateCache("empty-of-others");
    try {
      assertThatThrownBy(() -> session.sample("empty-of-others", 10))
          .isInstanceOf(GridException.class);
    } finally {
      ignite().destroyCache("empty-of-others");
    }
  }

  /** Without Pyrometer's classes on the servers, and with TLS. */
  @ParameterizedTest
  @CsvSource({"thin-put-all, get-all", "streamer-batched, scan", "ignite-writer, sql-aggregate"})
  void aCacheOfItsOwnIsWrittenAndRead(String write, String read) throws Exception {
    Settings sql = new Settings(Map.of("sql", "code"));
    TrialSpec writing = Expected.trial(write, 500, ORDERS, sql);
    TrialSession written = session.open(writing, ORDERS, true);
    Drive.over(written, 500, key -> (int) (key % ORDERS.size()));
    assertThat(written.digest()).isEqualTo(Expected.records(ORDERS, 500, key -> key));
    TrialSpec reading = Expected.trial(read, 500, ORDERS, sql);
    TrialSession trial = session.open(reading.as(writing.id(), reading.settings()), ORDERS, false);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      Drive.over(path, 500, key -> 0);
      assertThat(path.takeAnswer()).isEqualTo(Aggregation.truth(ORDERS, Settings.NONE, 500));
    }
    trial.destroy();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys\\.p12 | none.p12 | none.p12",
        "secret-of-the-test | wrong | password",
        "keys\\.p12 | strange.p12 | : the trust store of the sslContextFactory in the file",
        "(?s).* | '' | : its nodes use TLS; use 'attach: config' and a file whose",
      })
  void whatIsWrongWithTheNodesTlsIsOneSentence(String right, String wrong, String sentence) {
    assertThatThrownBy(() -> open(8, store.node().replaceAll(right, wrong), store.thin()).close())
        .isInstanceOf(GridException.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keys\\.p12 | none.p12 | none.p12",
        "secret-of-the-test | wrong | password",
        "keys\\.p12 | strange.p12 | ; add the servers' certificate to the trust store",
        "(?s).* | '' | ; if the servers' client connector uses TLS, set sslMode",
      })
  void whatIsWrongWithTheThinClientsTlsIsOneSentence(String right, String wrong, String sentence)
      throws Exception {
    try (GridSession other = open(8, store.node(), store.thin().replaceAll(right, wrong))) {
      assertThatThrownBy(() -> other.describe(List.of(), List.of("thin-get")))
          .isInstanceOf(GridException.class)
          .hasMessageContaining(sentence);
    }
  }
}
