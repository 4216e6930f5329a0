package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes that took effect late: a path that does not keep the order of writes may leave any record
 * of the trial under a key, although another was written last. Such keys are counted; absent keys,
 * values that are no record of the trial, and keys that nobody wrote stay differences.
 */
final class LateWrites {
  private LateWrites() {}

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
    AtomicLong keys = new AtomicLong();
    AtomicLong checksum = new AtomicLong(last.checksum());
    stored.forEach(
        (key, hash) ->
            threads.stream()
                .filter(thread -> thread.owns(key) && thread.present(key))
                .mapToLong(thread -> contents.hash(key, thread.recordOf(key)))
                .filter(written -> hash != FieldHash.keyed(0, written))
                .findFirst()
                .ifPresent(
                    written ->
                        contents
                            .recordOf(hash)
                            .ifPresent(
                                record -> {
                                  keys.incrementAndGet();
                                  checksum.addAndGet(
                                      FieldHash.keyed(key, contents.hash(key, record))
                                          - FieldHash.keyed(key, written));
                                })));
    return new Evidence.Contents(
        new ContentDigest(last.count(), checksum.get()), found, keys.get());
  }
}
