package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.PackedNumbers;
import io.pyrometer.protocol.Transfers;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Moves amounts from one record's balance to another's. Each thread sums up by account what its
 * acknowledged transfers changed; all threads together determine every balance. It is not known
 * whether a failed transfer was carried out, so its amount is a tolerance of two balances.
 */
final class TransferWorkload implements Workload {
  private static final int MOST_MOVED = 100;

  private final TrialSpec trial;
  private final Records records;
  private final int balance;
  private final List<Moves> threads = new ArrayList<>();

  TransferWorkload(TrialSpec trial, Records records) {
    this.trial = trial;
    this.records = records;
    this.balance = Update.balance(records.shape(), trial.settings());
    mustFit(
        trial.settings().get(CoreSettings.RECORDS),
        trial.settings().get(CoreSettings.THREADS),
        Runtime.getRuntime().maxMemory());
  }

  /**
   * Refuses accounts whose changes cannot be kept for every thread.
   *
   * @throws IllegalArgumentException if they would take more than a quarter of the heap
   */
  static void mustFit(long accounts, int threads, long heapBytes) {
    long bytes = Long.BYTES * accounts * threads;
    if (bytes > heapBytes / 4) {
      throw new IllegalArgumentException(
          Messages.format("load.accounts-memory")
              .formatted(accounts, threads, bytes >> 20, heapBytes >> 20));
    }
  }

  @Override
  public long recordsBefore() {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  @Override
  public Operations open(LoadThread thread, AccessPath path) {
    if (KeySpace.of(trial.settings(), thread).size() < 2) {
      throw new IllegalArgumentException(Messages.format("load.few-accounts"));
    }
    Moves moves =
        new Moves(
            path,
            KeySequence.of(trial.settings(), thread, trial.seed()),
            new SplittableRandom(trial.seed() ^ thread.index()),
            trial.settings().get(CoreSettings.RECORDS).intValue());
    threads.add(moves);
    return moves;
  }

  @Override
  public Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    int accounts = trial.settings().get(CoreSettings.RECORDS).intValue();
    long[] made = new long[accounts];
    long[] mayLack = new long[accounts];
    long[] mayExceed = new long[accounts];
    for (Moves thread : threads) {
      Arrays.setAll(made, account -> made[account] + thread.changes[account]);
      for (Failed failed : thread.failed) {
        mayLack[failed.from] += failed.amount;
        mayExceed[failed.to] += failed.amount;
      }
    }
    Optional<Found> found =
        creator ? Optional.of(found(contents.get(), accounts)) : Optional.empty();
    return new Transfers(
        accounts,
        PackedNumbers.of(made),
        PackedNumbers.of(mayLack),
        PackedNumbers.of(mayExceed),
        found.map(Found::changes),
        found.map(Found::damaged).orElse(0L));
  }

  private record Failed(int from, int to, long amount) {}

  private record Found(PackedNumbers changes, long damaged) {}

  private Found found(StoredContents contents, int accounts) {
    long[] changes = new long[accounts];
    long[] filled = new long[records.size()];
    Arrays.setAll(filled, record -> ((Number) records.fields(record)[balance]).longValue());
    BitSet present = new BitSet(accounts);
    long[] unexpected = {0};
    contents.forEachRecord(
        (key, fields) -> {
          if (key < 0 || key >= accounts) {
            unexpected[0]++;
            return;
          }
          present.set((int) key);
          changes[(int) key] =
              ((Number) fields[balance]).longValue() - filled[(int) (key % filled.length)];
        });
    return new Found(PackedNumbers.of(changes), accounts - present.cardinality() + unexpected[0]);
  }

  /** One thread's transfers. */
  private static final class Moves implements Operations {
    private final AccessPath path;
    private final KeySequence keys;
    private final SplittableRandom random;
    private final long[] changes;
    private final List<Failed> failed = new ArrayList<>();

    Moves(AccessPath path, KeySequence keys, SplittableRandom random, int accounts) {
      if (path.window() != 1 || path.recordsPerCall() != 2) {
        throw new IllegalArgumentException(Messages.format("load.transfer-batch"));
      }
      this.path = path;
      this.keys = keys;
      this.random = random;
      this.changes = new long[accounts];
    }

    @Override
    public void draw(Slot call) {
      call.operation = 0;
      call.size = 2;
      call.amount = random.nextLong(1, MOST_MOVED + 1L);
      call.keys[0] = keys.next();
      do {
        call.keys[1] = keys.next();
      } while (call.keys[1] == call.keys[0]);
    }

    @Override
    public void execute(Slot call) throws Exception {
      path.call(call);
    }

    @Override
    public void acknowledged(Slot call) {
      changes[(int) call.keys[0]] -= call.amount;
      changes[(int) call.keys[1]] += call.amount;
    }

    @Override
    public void failed(Slot call) {
      failed.add(new Failed((int) call.keys[0], (int) call.keys[1], call.amount));
    }
  }
}
