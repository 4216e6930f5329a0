package io.pyrometer.load;

import io.pyrometer.protocol.PackedNumbers;
import io.pyrometer.protocol.SharedKeys;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Compares the contents of a grid with the writes of one agent's threads to keys that all of them
 * share. Of the writes to a key, the last one in time is the last one of the thread that made it:
 * so the value found must be the last write of one of the threads. A value that no thread wrote
 * last, and a key that was written and is absent, are wrong.
 *
 * @param threads the models of this agent's threads, all over the keys 0 … keys−1
 * @param filled number of different records that were filled in before; 0 for none
 * @param mayDrop whether absent keys are right, because the grid may drop records by itself
 */
record SharedKeyCheck(
    List<WriteModel> threads, ExpectedContents contents, int keys, int filled, boolean mayDrop) {

  SharedKeys compare(StoredContents stored) {
    BitSet present = new BitSet(keys);
    BitSet matching = new BitSet(keys);
    BitSet untouched = new BitSet(keys);
    long[] outside = {0};
    stored.forEach(
        (key, hash) -> {
          if (key < 0 || key >= keys) {
            outside[0]++;
            return;
          }
          int position = (int) key;
          present.set(position);
          matching.set(position, matches(position, hash));
          untouched.set(position, filled > 0 && hash == stored(position, position % filled));
        });
    if (filled == 0) {
      untouched.set(0, keys);
      untouched.andNot(present);
    }
    if (mayDrop) {
      BitSet absent = new BitSet(keys);
      absent.set(0, keys);
      absent.andNot(present);
      matching.or(absent);
      untouched.or(absent);
    }
    BitSet written = new BitSet(keys);
    BitSet contested = new BitSet(keys);
    for (int key = 0; key < keys; key++) {
      compareThreads(key, written, contested);
    }
    return new SharedKeys(
        keys,
        PackedNumbers.of(written.toLongArray()),
        PackedNumbers.of(contested.toLongArray()),
        PackedNumbers.of(matching.toLongArray()),
        PackedNumbers.of(untouched.toLongArray()),
        outside[0],
        mayDrop ? Optional.of((long) present.cardinality()) : Optional.empty());
  }

  private boolean matches(int key, long hash) {
    return threads.stream()
        .mapToInt(thread -> thread.record(key))
        .anyMatch(record -> record != WriteModel.NONE && hash == stored(key, record));
  }

  /** The stored value in the form of {@link StoredContents}. */
  private long stored(int key, int record) {
    return FieldHash.keyed(0, contents.hash(key, record));
  }

  private void compareThreads(int key, BitSet written, BitSet contested) {
    int first = WriteModel.NONE;
    for (WriteModel thread : threads) {
      int record = thread.record(key);
      if (first == WriteModel.NONE) {
        first = record;
      } else if (record != WriteModel.NONE && record != first) {
        contested.set(key);
      }
    }
    written.set(key, first != WriteModel.NONE);
  }
}
