package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that ship with a class, in every form, against two server JVMs. */
@Tag("extended")
class RecordFormsIT {
  private static final int KEYS = 1_000;
  private static final Records ORDERS = Orders.stockOrders(200);

  @TempDir static Path folder;
  private static Cluster cluster;
  private static GridSession session;

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

  @ParameterizedTest
  @CsvSource({
    "prebuilt,off", "cached-builder,code", "fresh-builder,annotation", "object,off",
    "object,code", "object,annotation", "from-object,off", "from-object,annotation",
    "deserialized,code"
  })
  void everyFormOfAStockOrderIsReadBackAlike(String form, String sql) throws Exception {
    Settings settings = settings("value-form", form, "sql", sql, "indexes", 2);
    assertThat(written("put-all", ORDERS, settings)).isEqualTo(whole(ORDERS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"prebuilt", "cached-builder", "fresh-builder", "object", "from-object"})
  void everyFormOfASampleRecordIsReadBackAlike(String form) throws Exception {
    Records samples = Orders.sampleRecords();
    assertThat(written("put-all", samples, settings("value-form", form))).isEqualTo(whole(samples));
  }

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
    assertThat(written(path, ORDERS, settings("value-form", "object"))).isEqualTo(whole(ORDERS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"put", "put-all", "thin-put-all", "put-all-async"})
  void aTransactionalCacheKeepsWhatIsWritten(String path) throws Exception {
    assertThat(written(path, ORDERS, settings("atomicity", "TRANSACTIONAL")))
        .isEqualTo(whole(ORDERS));
  }

  @ParameterizedTest
  @CsvSource({
    "update-put,object", "update-invoke,object", "update-invoke-all,object",
    "update-put,binary", "update-invoke,binary", "update-invoke-all,binary"
  })
  void aNamedFieldIsUpdated(String path, String on) throws Exception {
    Settings settings = settings("update-on", on, "update-field", "account", "atomicity", "ATOMIC");
    int account = 5;
    assertThat(updated(path, settings))
        .isEqualTo(Expected.updated(ORDERS, KEYS, account, key -> key + 3))
        .isNotEqualTo(whole(ORDERS));
  }

  @Test
  void aTransactionalCacheIsUpdatedToo() throws Exception {
    int price = 1;
    assertThat(updated("update-invoke-all", settings("atomicity", "TRANSACTIONAL")))
        .isEqualTo(Expected.updated(ORDERS, KEYS, price, key -> key + 3));
  }

  @Test
  void sqlReadsObjectsByTheirAnnotations() throws Exception {
    Settings settings = settings("value-form", "object", "sql", "annotation");
    TrialSession trial =
        session.open(Expected.trial("sql-aggregate", KEYS, ORDERS, settings), ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      Drive.over(path, KEYS, key -> 0);
      assertThat(path.takeAnswer()).isEqualTo(Aggregation.truth(ORDERS, Settings.NONE, KEYS));
    }
  }

  @Test
  void aRecordWithoutAClassHasNoObjectsAndNoAnnotations() {
    Records fieldsAlone = Orders.pool();
    assertThatThrownBy(() -> written("put", fieldsAlone, settings("value-form", "object")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("Record 'order' has no class");
    assertThatThrownBy(() -> written("put", fieldsAlone, settings("sql", "annotation")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("Record 'order' has no class");
  }

  @ParameterizedTest
  @CsvSource({"no.such.Receiver,is not on the class path", "java.lang.Object,cannot be a receiver"})
  void aWrongReceiverIsSaidInASentence(String receiver, String sentence) {
    assertThatThrownBy(() -> written("streamer-receiver", ORDERS, settings("receiver", receiver)))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(receiver + " " + sentence);
  }

  private static ContentDigest written(String path, Records records, Settings settings)
      throws Exception {
    TrialSession trial = session.open(Expected.trial(path, KEYS, records, settings), records, true);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) (key % records.size()));
    }
    return trial.digest();
  }

  private static ContentDigest updated(String path, Settings settings) throws Exception {
    TrialSession trial = session.open(Expected.trial(path, KEYS, ORDERS, settings), ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) ((key + 3) % ORDERS.size()));
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
