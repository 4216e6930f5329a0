package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridRoom;
import io.pyrometer.driver.GridSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.Locale;

/**
 * Check whether the servers of a grid that goes on have room for a trial at this moment. A server
 * that has not may end, and with it what it holds for others.
 */
final class RoomCheck {
  /** Bytes that a product adds to a record: its key, an index entry and headers. */
  private static final long OVERHEAD_BYTES = 200;

  /** The share of the free memory that records may take; partitions and pages need some too. */
  private static final double RECORDS_OF_FREE = 0.8;

  /** The share of the servers' heaps that calls in flight may take. */
  private static final double CALLS_OF_HEAP = 0.25;

  private final DriverDescription driver;
  private final int servers;
  private final GridRoom room;

  RoomCheck(DriverDescription driver, GridSession session) {
    this.driver = driver;
    this.servers = session.servers().orElse(1);
    this.room = session.room();
  }

  /**
   * Compares the records of a trial with what the servers can still store.
   *
   * @throws GridException with one sentence if they do not fit
   */
  void ofRecords(TrialSpec trial) {
    if (!trial.job().storesRecords() || room.freeBytes().isEmpty()) {
      return;
    }
    long bytes = Records.of(trial).bytes();
    long records = trial.settings().get(CoreSettings.RECORDS);
    int copies = driver.data(trial.settings()).copiesOn(servers);
    double needed = (double) records * copies * (bytes + OVERHEAD_BYTES);
    double free = (double) room.freeBytes().getAsLong();
    if (needed > RECORDS_OF_FREE * free) {
      throw GridException.of(
          Messages.format("worker.room"),
          records,
          bytes,
          copies,
          copies == 1 ? "copy" : "copies",
          megabytes(needed),
          megabytes(free));
    }
  }

  /**
   * Compares what the calls of all load threads carry at once with the heaps of the servers.
   *
   * @param path of one load thread
   * @param threads the load threads of all agents
   * @throws GridException with one sentence if that is too much; the path is closed then
   */
  AccessPath ofCalls(AccessPath path, TrialSpec trial, Records records, int threads) {
    if (path.wholeSet() || room.heapBytes().isEmpty()) {
      return path;
    }
    double carried = (double) path.recordsPerCall() * path.window() * threads * records.bytes();
    double heaps = (double) room.heapBytes().getAsLong() * servers;
    if (carried > CALLS_OF_HEAP * heaps) {
      path.close();
      throw GridException.of(
          Messages.format("worker.heap-room"), trial.path(), megabytes(carried), megabytes(heaps));
    }
    return path;
  }

  private static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%,.0f MB", bytes / (1 << 20));
  }
}
