package io.pyrometer.load;

import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Operations drawn by their weights, over records that are there at first. What the writes and
 * removals leave is verified; a read that finds nothing, or finds what it should miss, fails.
 */
final class MixWorkload extends WriteWorkload {

  MixWorkload(TrialSpec trial, Records records, Guarantee guarantee) {
    super(trial, records, guarantee);
  }

  /**
   * @throws IllegalArgumentException if records are removed whose keys threads share: a thread
   *     could not tell whether a key is absent
   */
  @Override
  Operations open(LoadThread thread, AccessPath path) {
    boolean removes = path.mix().stream().anyMatch(each -> each.effect() == Effect.REMOVE);
    if (removes && KeySpace.shared(settings)) {
      throw new IllegalArgumentException(Messages.format("load.removals-shared"));
    }
    return new Mix(
        writes(thread, path),
        path.mix(),
        removes,
        settings,
        new SplittableRandom(trial.seed() ^ thread.index()));
  }

  private static final class Mix implements Operations {
    private final Writes writes;
    private final MixedOperation[] operations;
    private final WeightedChoice choice;
    private final boolean removes;
    private final SplittableRandom random;
    private final double misses;
    private final long records;

    Mix(
        Writes writes,
        List<MixedOperation> operations,
        boolean removes,
        Settings settings,
        SplittableRandom random) {
      this.writes = writes;
      this.operations = operations.toArray(MixedOperation[]::new);
      this.choice =
          new WeightedChoice(operations.stream().mapToDouble(MixedOperation::weight).toArray());
      this.removes = removes;
      this.random = random;
      this.misses = settings.get(CoreSettings.MISSES);
      this.records = settings.get(CoreSettings.RECORDS);
    }

    @Override
    public void draw(Slot call) {
      call.operation = choice.of(random.nextDouble());
      MixedOperation operation = operations[call.operation];
      call.size = operation.records();
      for (int i = 0; i < call.size; i++) {
        long key = writes.nextKey();
        boolean beyond =
            operation.effect() == Effect.READ && misses > 0 && random.nextDouble() < misses;
        call.absent[i] = beyond || (removes && !writes.model().present(key));
        call.keys[i] = beyond ? key + records : key;
      }
      if (operation.effect() == Effect.WRITE) {
        writes.drawRecords(call);
      }
    }

    @Override
    public void acknowledged(Slot call) {
      switch (operations[call.operation].effect()) {
        case WRITE -> writes.acknowledged(call);
        case REMOVE -> writes.model().removed(call);
        case READ -> {}
      }
    }
  }
}
