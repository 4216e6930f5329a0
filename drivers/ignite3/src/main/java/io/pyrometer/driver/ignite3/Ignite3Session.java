package io.pyrometer.driver.ignite3;

import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.chaos.Promise;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.lang.IgniteException;

/** A thin client; every trial has a table of its own. */
record Ignite3Session(IgniteClient client) implements GridSession, ChaosGrid {
  /** Calls to a server that was killed may hang for as long as this. */
  private static final long CALL_MILLIS = 10_000;

  static Ignite3Session open(Command.OpenSession spec) {
    try {
      // Answers on the thread that received them: on two cores the default, the common pool,
      // starts a thread for each.
      return new Ignite3Session(
          IgniteClient.builder()
              .addresses(spec.clientAddresses().toArray(String[]::new))
              .operationTimeout(CALL_MILLIS)
              .heartbeatTimeout(CALL_MILLIS)
              .asyncContinuationExecutor(Runnable::run)
              .build());
    } catch (IgniteException e) {
      throw GridException.of(
          "The Ignite 3 client did not connect to %s: %s",
          spec.clientAddresses(), e.getMessage(), e);
    }
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of("client.operation-timeout", client.configuration().operationTimeout() + " ms");
  }

  @Override
  public OptionalInt servers() {
    try {
      return OptionalInt.of(client.cluster().nodes().size());
    } catch (IgniteException e) {
      throw new GridException("The grid does not answer: " + e.getMessage(), e);
    }
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    Columns columns = new Columns(records);
    if (creator) {
      create(table(trial), columns.definition(), trial.settings());
    }
    return new TableTrial(client, table(trial), trial, records, columns);
  }

  private static String table(TrialSpec trial) {
    return "T_" + trial.id().replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  private void create(String table, String columns, Settings settings) {
    int partitions = settings.get(Ignite3Driver.PARTITIONS);
    int replicas = settings.get(Ignite3Driver.REPLICAS);
    // Zones stay: making one costs more than making a table in it.
    String mode = settings.get(Ignite3Driver.CONSISTENCY_MODE);
    String zone = "Z_%d_%d_%s".formatted(partitions, replicas, mode);
    try {
      execute(
          "CREATE ZONE IF NOT EXISTS %s (PARTITIONS %d, REPLICAS %d, CONSISTENCY MODE '%s') STORAGE PROFILES ['default']"
              .formatted(zone, partitions, replicas, mode));
      execute("DROP TABLE IF EXISTS " + table);
      execute("CREATE TABLE %s (%s) ZONE %s".formatted(table, columns, zone));
    } catch (IgniteException e) {
      throw GridException.of("Table '%s' could not be made: %s", table, e.getMessage(), e);
    }
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    String table = table(trial);
    create(table, Ignite3Chaos.COLUMNS, trial.settings());
    return new Ignite3Chaos(
        client,
        table,
        Objects.requireNonNull(client.tables().table(table), "It was made.").keyValueView(),
        Promise.LINEARIZABLE.given(trial, new Ignite3Driver().describe().data(trial.settings())));
  }

  private void execute(String statement) {
    client.sql().execute(null, statement).close();
  }

  @Override
  public void close() {
    client.close();
  }
}
