package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.ExistingRecords;
import java.util.Optional;

/** One scan of a cache that is not Pyrometer's, for all load threads of a trial and agent. */
public final class ExistingScan {
  private Optional<ExistingRecords> found = Optional.empty();

  synchronized ExistingRecords of(PathContext context) {
    if (found.isEmpty()) {
      found =
          Optional.of(
              ExistingRecords.in(
                  context.ignite().cache(context.cacheName()).withKeepBinary(),
                  context.ignite().affinity(context.cacheName()).partitions(),
                  context.allRecords(),
                  context.trial().seed()));
    }
    return found.get();
  }
}
