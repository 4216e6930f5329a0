package io.pyrometer.driver.ignite3;

import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.RegisterSession;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.sql.ResultSet;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.table.Tuple;

/**
 * Operations on a table of numbers, whose history is checked. By "Transactions and MVCC" in Ignite
 * 3's documentation, transactions, of which each operation is one, are serializable.
 */
record Ignite3Chaos(
    IgniteClient client, String table, KeyValueView<Tuple, Tuple> view, Promise promise)
    implements RegisterSession {

  static final String COLUMNS = "KEY BIGINT PRIMARY KEY, NUMBER BIGINT";

  private static Tuple key(long key) {
    return Tuple.create().set("KEY", key);
  }

  private static Tuple number(long value) {
    return Tuple.create().set("NUMBER", value);
  }

  @Override
  public Map<String, String> configuration() {
    return TableTrial.configuration(client, table);
  }

  @Override
  public boolean whole(int servers) {
    return client.cluster().nodes().size() == servers && hasAllCopies();
  }

  /** The built-in zone has one copy of each partition. */
  private boolean hasAllCopies() {
    try (ResultSet<SqlRow> lacking =
        client
            .sql()
            .execute(
                null,
                "SELECT COUNT(*) FROM SYSTEM.GLOBAL_ZONE_PARTITION_STATES"
                    + " WHERE PARTITION_STATE <> 'AVAILABLE' AND ZONE_NAME <> 'Default'")) {
      return lacking.next().longValue(0) == 0;
    }
  }

  @Override
  public OptionalLong read(long key) {
    Tuple found = view.get(null, key(key));
    return found == null ? OptionalLong.empty() : OptionalLong.of(found.longValue("NUMBER"));
  }

  @Override
  public void write(long key, long value) {
    view.put(null, key(key), number(value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return view.replace(null, key(key), number(expected), number(value));
  }

  @Override
  public void destroy() {
    client.sql().execute(null, "DROP TABLE IF EXISTS " + table).close();
  }
}
