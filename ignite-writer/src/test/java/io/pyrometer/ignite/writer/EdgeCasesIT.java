package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryReader;
import org.apache.ignite.binary.BinaryWriter;
import org.apache.ignite.binary.Binarylizable;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases at the edges on a real cluster: bad values, equal keys, locks, new classes, new caches. */
@Timeout(120)
class EdgeCasesIT extends OnSharedCluster {
  /** A key or value of a class whose name tells nothing. */
  private static final class NetworkTopologyTimeout implements Binarylizable {
    private final boolean bad;

    NetworkTopologyTimeout(boolean bad) {
      this.bad = bad;
    }

    @Override
    public void writeBinary(BinaryWriter writer) {
      if (bad) {
        throw new AssertionError("not complete");
      }
      writer.writeInt("a", 1);
    }

    @Override
    public void readBinary(BinaryReader reader) {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aValueThatCannotBeMarshalledThrowsWhereItIsWrittenAndFailsNoOther(boolean overThin) {
    String name = "bad-value-" + overThin;
    IgniteCache<Object, Object> cache = thick.createCache(fullSync(name));
    try (IgniteWriter<Object, Object> writer =
        OnSharedCluster.<Object, Object>to(overThin, name).open()) {
      assertThatThrownBy(() -> writer.write(new NetworkTopologyTimeout(true), "v"))
          .hasStackTraceContaining("not complete");
      for (long key = 0; key < 900; key++) {
        if (key == 450) {
          long bad = key;
          assertThatThrownBy(() -> writer.write(bad, new NetworkTopologyTimeout(true)))
              .hasStackTraceContaining("not complete");
        } else {
          writer.write(key, new NetworkTopologyTimeout(false));
        }
      }
    }
    assertThat(cache.size()).isEqualTo(899);
  }

  private static final class CaselessKey {
    private final String text;

    CaselessKey(String text) {
      this.text = text;
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CaselessKey key && key.text.equalsIgnoreCase(text);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysAreThoseOfTheirBinaryForm(boolean overThin) {
    String name = "keys-" + overThin;
    IgniteCache<Object, Long> cache = thick.createCache(fullSync(name));
    try (IgniteWriter<Object, Long> writer =
        OnSharedCluster.<Object, Long>to(overThin, name).linger(Duration.ofSeconds(1)).open()) {
      for (int i = 0; i < 100; i++) {
        writer.write(new CaselessKey("key" + i), 1L);
        writer.write(new CaselessKey("KEY" + i), 2L);
        UserKey key = new UserKey(i, i);
        writer.write(thick.binary().toBinary(key), 3L);
        writer.write(key, 4L);
        writer.write(thick.binary().toBinary(key), 5L);
      }
    }
    for (int i = 0; i < 100; i++) {
      assertThat(cache.get(new CaselessKey("key" + i))).isEqualTo(1);
      assertThat(cache.get(new CaselessKey("KEY" + i))).isEqualTo(2);
      assertThat(cache.get(new UserKey(i, i))).isEqualTo(5);
    }
  }

  private static final Runnable NEVER = () -> {};

  /** An object of each kind of class, and how it changes. */
  private static List<Map.Entry<Object, Runnable>> values() {
    List<Map.Entry<Object, Runnable>> all = new ArrayList<>();
    for (Object immutable :
        List.of(
            "text",
            7L,
            List.of(1, "two"),
            LocalDate.of(2026, 11, 24),
            Thread.State.NEW,
            new UserKey(1, 2))) {
      all.add(Map.entry(immutable, NEVER));
    }
    for (Date date : List.of(new Date(1), new Timestamp(1))) {
      all.add(Map.entry(date, () -> date.setTime(2)));
      Date element = (Date) date.clone();
      Object[] array = (Object[]) Array.newInstance(date.getClass(), 1);
      array[0] = element;
      for (Object holder :
          List.of(new ArrayList<>(List.of(element)), new TreeMap<>(Map.of(1, element)), array)) {
        all.add(Map.entry(holder, () -> element.setTime(2)));
      }
    }
    int[] ints = {1};
    all.add(Map.entry(ints, () -> ints[0] = 2));
    String[] texts = {"a"};
    all.add(Map.entry(texts, () -> texts[0] = "b"));
    UserKey[] objects = {new UserKey(1, 1)};
    all.add(Map.entry(objects, () -> objects[0] = new UserKey(2, 2)));
    Calendar calendar = new GregorianCalendar(2026, 1, 1);
    all.add(Map.entry(calendar, () -> calendar.add(Calendar.YEAR, 1)));
    AtomicLong counter = new AtomicLong(1);
    all.add(Map.entry(counter, counter::incrementAndGet));
    Map<Thread.State, int[]> hashed = new HashMap<>(Map.of(Thread.State.NEW, new int[] {1}));
    all.add(Map.entry(hashed, () -> hashed.get(Thread.State.NEW)[0] = 2));
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void valuesComeBackAsTheyWereWrittenWhateverChangesLater(boolean overThin) {
    String name = "mutable-" + overThin;
    IgniteCache<Object, Object> cache = thick.createCache(fullSync(name));
    List<Map.Entry<Object, Runnable>> values = values();
    for (int i = 0; i < values.size(); i++) {
      cache.put(-1 - i, values.get(i).getKey());
    }
    List<Date> keys = List.of(new Date(10), new Timestamp(10), new Time(10)); // equal in Java
    try (IgniteWriter<Object, Object> writer =
        OnSharedCluster.<Object, Object>to(overThin, name).linger(Duration.ofDays(1)).open()) {
      for (int i = 0; i < values.size(); i++) {
        writer.write(i, values.get(i).getKey());
      }
      keys.forEach(key -> writer.write(key, key.getClass().getName()));
      values.forEach(value -> value.getValue().run());
      keys.forEach(key -> key.setTime(key.getTime() + 1));
      writer.flush();
    }
    for (int i = 0; i < values.size(); i++) {
      Object read = cache.get(i);
      Object byPut = cache.get(-1 - i);
      assertThat(read.getClass()).as("as by put").isEqualTo(byPut.getClass());
      assertThat(read).usingRecursiveComparison().isEqualTo(byPut);
      if (values.get(i).getValue() != NEVER) {
        assertThat(read).usingRecursiveComparison().isNotEqualTo(values.get(i).getKey());
      }
    }
    for (Date key : List.of(new Date(10), new Timestamp(10), new Time(10))) {
      assertThat(cache.get(key)).isEqualTo(key.getClass().getName());
    }
    keys.forEach(key -> assertThat(cache.get(key)).isNull());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysThatAnApplicationHasLockedDelayNoOther(boolean overThin) throws Exception {
    String name = "locked-" + overThin;
    IgniteCache<Long, String> cache =
        thick.createCache(
            OnSharedCluster.<Long, String>fullSync(name)
                .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    cluster.awaitRebalanced(thick); // a change of the topology would wait for the lock
    try (IgniteWriter<Long, String> writer =
        OnSharedCluster.<Long, String>to(overThin, name).open()) {
      CompletableFuture<Void> waiting;
      try (Transaction lock =
          thick
              .transactions()
              .txStart(TransactionConcurrency.PESSIMISTIC, TransactionIsolation.REPEATABLE_READ)) {
        cache.putAll(new TreeMap<>(Map.of(0L, "locked", 1L, "locked")));
        writer.write(0L, "from the writer");
        waiting = writer.write(1L, "from the writer");
        WriterFixture.writeAll(
                writer,
                LongStream.range(2, 600)
                    .boxed()
                    .collect(Collectors.toMap(key -> key, key -> "v"))
                    .entrySet())
            .get(60, TimeUnit.SECONDS);
        assertThat(waiting).isNotDone();
        lock.commit();
      }
      waiting.get(60, TimeUnit.SECONDS);
    }
    assertThat(cache.get(1L)).isEqualTo("from the writer");
  }

  @Test
  void writesSurviveTheRollbackOfATransactionOfTheCaller() {
    IgniteCache<Long, String> cache =
        thick.createCache(
            OnSharedCluster.<Long, String>fullSync("rolled-back")
                .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    try (IgniteWriter<Long, String> writer = IgniteWriter.to(cache).open();
        Transaction transaction = thick.transactions().txStart()) {
      writer.write(1L, "v").join();
      transaction.rollback();
    }
    assertThat(cache.get(1L)).isEqualTo("v");
  }

  @Test
  void clientsThatComeAndGoMakeNoWriteBeRepeated() {
    IgniteCache<Long, String> cache = thick.createCache(fullSync("once"));
    try (IgniteWriter<Long, String> writer = IgniteWriter.to(cache).open()) {
      Thread other =
          new Thread(
              () ->
                  cluster
                      .thick("visitor", new org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi())
                      .close());
      other.start();
      for (long key = 0; other.isAlive(); key++) {
        writer.write(key, "v").join();
      }
      assertThat(writer.stats().retries()).isZero();
    }
  }

  @Test
  void aCacheThatIsCreatedAgainWithFullAsyncIsRefused() throws Exception {
    IgniteCache<Long, Long> cache = thick.createCache(fullSync("again"));
    IgniteWriter<Long, Long> overThick =
        IgniteWriter.to(cache).with(own -> own.topologyPollNanos = 20_000_000).open();
    IgniteWriter<Long, Long> overThin =
        IgniteWriter.to(thin.<Long, Long>cache("again"))
            .with(own -> own.topologyPollNanos = 20_000_000)
            .open();
    overThick.write(1L, 1L).join();
    overThin.write(2L, 1L).join();
    thick.destroyCache("again");
    thick.createCache(
        OnSharedCluster.<Long, Long>fullSync("again")
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_ASYNC));
    for (IgniteWriter<Long, Long> writer : List.of(overThick, overThin)) {
      Eventually.holds(
          "refused",
          () ->
              String.valueOf(writer.write(3L, 3L).handle((done, error) -> error).join())
                  .contains("destroyed and created again"));
      assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
      writer.close();
    }
  }
}
