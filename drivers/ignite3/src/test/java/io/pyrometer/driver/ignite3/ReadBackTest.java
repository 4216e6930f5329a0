package io.pyrometer.driver.ignite3;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.lang.ErrorGroups.Transactions;
import org.apache.ignite.lang.IgniteException;
import org.apache.ignite.table.IgniteTables;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.table.Table;
import org.apache.ignite.table.Tuple;
import org.apache.ignite.tx.IgniteTransactions;
import org.junit.jupiter.api.Test;

/** The contents are read back where a server that was killed left locks behind. */
class ReadBackTest {
  private static final Settings SETTINGS = new Settings(Map.of("path", "put", "records", 5L));
  private static final Records RECORDS =
      Records.of(
          new RecordShape(
              "pair",
              Optional.empty(),
              List.of(field("number", FieldType.LONG), field("text", FieldType.STRING))),
          SETTINGS,
          7);

  private final Map<Long, Integer> stored = new HashMap<>(Map.of(0L, 1, 2L, 3, 3L, 0));
  private final Columns columns = new Columns(RECORDS);

  private static FieldShape field(String name, FieldType type) {
    return new FieldShape(name, type, 8, 1_000, 0, 1_000, List.of(), false);
  }

  private static <T> T fake(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  /** A client whose transactions are refused, as those that meet locks of a killed server's. */
  private IgniteClient client() {
    KeyValueView<?, ?> view =
        fake(
            KeyValueView.class,
            (self, method, of) -> {
              assertThat(method.getName()).isEqualTo("get");
              assertThat(of[0]).as("the transaction").isNull();
              Integer record = stored.get(((Tuple) of[1]).longValue(Columns.KEY));
              return record == null ? null : columns.of(record);
            });
    Table table = fake(Table.class, (self, method, of) -> view);
    IgniteTables tables = fake(IgniteTables.class, (self, method, of) -> table);
    IgniteTransactions transactions =
        fake(
            IgniteTransactions.class,
            (self, method, of) -> {
              throw new IgniteException(Transactions.ACQUIRE_LOCK_ERR, "Possible deadlock.");
            });
    return fake(
        IgniteClient.class,
        (self, method, of) -> method.getName().equals("tables") ? tables : transactions);
  }

  @Test
  void everyKeyOfTheTrialIsAskedForByItself() {
    Map<Long, Object[]> found = new HashMap<>();
    TrialSpec trial = new TrialSpec("t", 0, 0, Map.of(), Job.WRITE, SETTINGS, RECORDS.shape(), 7);
    new TableTrial(client(), "T", trial, RECORDS, columns).contents().forEachRecord(found::put);
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(stored.keySet());
    stored.forEach((key, record) -> assertThat(found.get(key)).isEqualTo(RECORDS.fields(record)));
  }
}
