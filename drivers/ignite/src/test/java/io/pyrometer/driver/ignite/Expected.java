package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/** Trials of tests and their expected contents. */
final class Expected {
  private static final AtomicInteger TRIALS = new AtomicInteger();

  private Expected() {}

  /**
   * A trial with a cache of its own, which may stay until the cluster ends: to remove it is slow.
   */
  static TrialSpec trial(String path, int keys, Records records, Settings more) {
    Settings settings =
        new Settings(
                Map.of(
                    "path",
                    path,
                    "records",
                    keys,
                    "partitions",
                    16,
                    "receiver",
                    SortedReceiver.class.getName()))
            .with(more);
    String id = "t" + TRIALS.getAndIncrement();
    Settings complete = new IgniteDriver().describe().complete(path, settings);
    return new TrialSpec(id, 0, 0, Map.of(), Job.WRITE, complete, records.shape(), Orders.SEED);
  }

  /** A session on a node of this JVM. */
  static GridSession session(ServerNode node, Path folder) {
    TcpDiscoverySpi discovery = (TcpDiscoverySpi) node.ignite().configuration().getDiscoverySpi();
    return new IgniteDriver()
        .openSession(
            new Command.OpenSession(
                0,
                1,
                List.of("127.0.0.1:" + discovery.getLocalPort()),
                List.of(),
                Optional.empty(),
                false,
                folder + "/agent",
                Settings.NONE));
  }

  /** Each key with the record that it is given. */
  static ContentDigest records(Records records, int keys, IntUnaryOperator recordOf) {
    return of(records, keys, key -> records.fields(recordOf.applyAsInt(key) % records.size()));
  }

  /** Each key with its own record, one field of it that of another record. */
  static ContentDigest updated(Records records, int keys, int field, IntUnaryOperator recordOf) {
    return of(
        records,
        keys,
        key -> {
          Object[] fields = records.fields(key % records.size());
          fields[field] = records.fields(recordOf.applyAsInt(key) % records.size())[field];
          return fields;
        });
  }

  private static ContentDigest of(Records records, int keys, IntFunction<Object[]> fieldsOf) {
    ContentDigest all = ContentDigest.EMPTY;
    for (int key = 0; key < keys; key++) {
      all = all.plus(new ContentDigest(1, records.hash(key, fieldsOf.apply(key))));
    }
    return all;
  }
}
