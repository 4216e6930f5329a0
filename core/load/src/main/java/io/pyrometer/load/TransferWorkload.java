package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
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
final class TransferWorkload extends Workload {
  private static final int MOST_MOVED = 100;

  private final Records records;
  private final int balance;
  private final List<Moves> threads = new ArrayList<>();

  TransferWorkload(TrialSpec trial, Records records) {
    super(trial);
    this.records = records;
    this.balance = Update.balance(records.shape(), settings);
    requireMemory(Messages.format("load.accounts-memory"), Long.BYTES, 4);
  }

  @Override
  Operations open(LoadThread thread, AccessPath path) {
    if (KeySpace.of(settings, thread).size() < 2) {
      throw new IllegalArgumentException(Messages.format("load.few-accounts"));
    }
    if (path.window() != 1 || path.recordsPerCall() != 2) {
      throw new IllegalArgumentException(Messages.format("load.transfer-batch"));
    }
    Moves moves =
        new Moves(
            KeySequence.of(settings, thread, trial.seed()),
            new SplittableRandom(trial.seed() ^ thread.index()),
            (int) keys);
    threads.add(moves);
    return moves;
  }

  @Override
  Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    int accounts = (int) keys;
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
    private final KeySequence keys;
    private final SplittableRandom random;
    private final long[] changes;
    private final List<Failed> failed = new ArrayList<>();

    Moves(KeySequence keys, SplittableRandom random, int accounts) {
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
