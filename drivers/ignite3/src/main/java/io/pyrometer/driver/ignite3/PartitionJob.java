package io.pyrometer.driver.ignite3;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.Ignite;
import org.apache.ignite.compute.ComputeJob;
import org.apache.ignite.compute.JobExecutionContext;
import org.apache.ignite.internal.table.partition.HashPartition;
import org.apache.ignite.sql.ResultSet;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one partition on the server that has its primary replica: a number of
 * records, and the highest value of each column after it. The argument is a query of the columns
 * from the partition that is its parameter.
 */
public final class PartitionJob implements ComputeJob<String, byte[]> {

  /** For the servers, which make jobs by name. */
  public PartitionJob() {}

  static String query(String table, Iterable<String> columns) {
    // A virtual column: the partition of a row.
    return "SELECT %s FROM %s WHERE \"__PART\" = ?".formatted(String.join(", ", columns), table);
  }

  @Override
  public CompletableFuture<byte[]> executeAsync(
      JobExecutionContext context, @Nullable String query) {
    Ignite server = context.ignite();
    int partition = ((HashPartition) context.partition()).partitionId();
    double[] found =
        server
            .transactions()
            .runInTransaction(
                transaction -> {
                  return read(server, transaction, Objects.requireNonNull(query), partition);
                });
    ByteBuffer bytes = ByteBuffer.allocate(found.length * Double.BYTES);
    bytes.asDoubleBuffer().put(found);
    return CompletableFuture.completedFuture(bytes.array());
  }

  private static double[] read(
      Ignite server, Transaction transaction, String query, int partition) {
    double[] found = new double[1];
    try (ResultSet<SqlRow> rows = server.sql().execute(transaction, query, partition)) {
      while (rows.hasNext()) {
        SqlRow row = rows.next();
        if (found[0] == 0) {
          found = new double[1 + row.columnCount()];
          Arrays.fill(found, 1, found.length, Double.NEGATIVE_INFINITY);
        }
        found[0]++;
        for (int i = 1; i < found.length; i++) {
          found[i] = Math.max(found[i], ((Number) row.value(i - 1)).doubleValue());
        }
      }
    }
    return found;
  }
}
