package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Writes that took effect late: a path that does not keep the order of writes may leave any record
 * of the trial under a key, although another was written last. Such keys are counted; absent keys,
 * values that are no record of the trial, and keys that nobody wrote stay differences.
 */
final class LateWrites {
  private final List<WriteModel> threads;
  private final ExpectedContents contents;
  private long keys;
  private long checksum;

  private LateWrites(List<WriteModel> threads, ExpectedContents contents) {
    this.threads = threads;
    this.contents = contents;
  }

  /**
   * @param threads the models of this agent's threads, each with keys of its own
   * @param last what must be found where every last write remains
   * @param found what the grid holds, from the creator alone
   */
  static Evidence.Contents compare(
      List<WriteModel> threads,
      ExpectedContents contents,
      StoredContents stored,
      ContentDigest last,
      Optional<ContentDigest> found) {
    LateWrites late = new LateWrites(threads, contents);
    stored.forEach(late::visit);
    return new Evidence.Contents(
        new ContentDigest(last.count(), last.checksum() + late.checksum), found, late.keys);
  }

  private void visit(long key, long hash) {
    for (WriteModel thread : threads) {
      if (thread.owns(key) && thread.present(key)) {
        long last = contents.hash(key, thread.recordOf(key));
        OptionalInt record =
            hash == FieldHash.keyed(0, last) ? OptionalInt.empty() : contents.recordOf(hash);
        if (record.isPresent()) {
          keys++;
          checksum +=
              FieldHash.keyed(key, contents.hash(key, record.getAsInt()))
                  - FieldHash.keyed(key, last);
        }
        return;
      }
    }
  }
}
