package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Single reads and writes in the share that the setting {@code reads} gives, over records that are
 * there. The writes are verified; a read that finds nothing, or finds what it should miss, fails.
 */
final class MixWorkload implements Workload {

  private static final int READ = 0;
  private static final int WRITE = 1;

  private final TrialSpec trial;
  private final WriteWorkload writes;

  MixWorkload(TrialSpec trial, Records records, boolean overwrites) {
    this.trial = trial;
    this.writes = WriteWorkload.overwriting(trial, records, overwrites);
  }

  @Override
  public boolean needsData() {
    return true;
  }

  @Override
  public Operations open(LoadThread thread, AccessPath path) {
    return new Mix(
        writes.open(thread, path),
        trial.settings(),
        new SplittableRandom(trial.seed() ^ thread.index()));
  }

  @Override
  public Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    return writes.verify(creator, digest, contents);
  }

  private static final class Mix implements Operations {
    private final WriteWorkload.Writes writes;
    private final SplittableRandom random;
    private final double reads;
    private final double misses;
    private final long records;

    Mix(WriteWorkload.Writes writes, Settings settings, SplittableRandom random) {
      this.writes = writes;
      this.random = random;
      this.reads = settings.get(CoreSettings.READS);
      this.misses = settings.has(CoreSettings.MISSES) ? settings.get(CoreSettings.MISSES) : 0;
      this.records = settings.get(CoreSettings.RECORDS);
    }

    @Override
    public void draw(Slot call) {
      call.operation = random.nextDouble() >= reads ? WRITE : READ;
      call.misses = call.operation == READ && misses > 0 && random.nextDouble() < misses;
      writes.drawKeys(call, call.misses ? records : 0);
      if (call.operation == WRITE) {
        writes.drawRecords(call);
      }
    }

    @Override
    public void execute(Slot call) throws Exception {
      writes.execute(call);
    }

    @Override
    public void acknowledged(Slot call) {
      if (call.operation == WRITE) {
        writes.acknowledged(call);
      }
    }
  }
}
