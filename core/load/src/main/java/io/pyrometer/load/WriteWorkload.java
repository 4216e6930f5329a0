package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes records under keys, or changes one field of records that are there. Each thread remembers
 * what it wrote last under each key. Where threads have keys of their own, the grid must hold
 * exactly that, but for {@link LateWrites} of a path without order; where they share keys, {@link
 * SharedKeyCheck} says what it may hold.
 */
final class WriteWorkload implements Workload {

  private final TrialSpec trial;
  private final Records records;
  private final Guarantee guarantee;
  private final long recordsBefore;
  private final Supplier<ExpectedContents> expected;
  private final boolean shared;
  private final List<WriteModel> models = new ArrayList<>();
  private boolean mayDrop;
  private int threads;

  private WriteWorkload(
      TrialSpec trial,
      Records records,
      Guarantee guarantee,
      long recordsBefore,
      Supplier<ExpectedContents> expected) {
    this.trial = trial;
    this.records = records;
    this.guarantee = guarantee;
    this.recordsBefore = recordsBefore;
    this.expected = expected;
    this.shared = KeySpace.shared(trial.settings());
    if (shared) {
      Settings settings = trial.settings();
      SharedKeyCheck.mustFit(
          settings.get(CoreSettings.RECORDS),
          settings.get(CoreSettings.THREADS),
          Runtime.getRuntime().maxMemory());
    }
  }

  /** Writes whole records into a grid that is empty, or holds a share of a load's keys. */
  static WriteWorkload writing(TrialSpec trial, Records records, Guarantee guarantee) {
    long existing = CoreSettings.existing(trial.settings());
    return new WriteWorkload(
        trial, records, guarantee, existing, () -> ExpectedContents.written(records));
  }

  /** Writes whole records over those that are there. */
  static WriteWorkload overwriting(TrialSpec trial, Records records, Guarantee guarantee) {
    return new WriteWorkload(
        trial, records, guarantee, all(trial), () -> ExpectedContents.written(records));
  }

  /** Changes one field of records that are there. */
  static WriteWorkload updating(TrialSpec trial, Records records, Guarantee guarantee) {
    int field = Update.field(records.shape(), trial.settings());
    return new WriteWorkload(
        trial, records, guarantee, all(trial), () -> ExpectedContents.updated(records, field));
  }

  private static long all(TrialSpec trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  @Override
  public long recordsBefore() {
    return recordsBefore;
  }

  @Override
  public Writes open(LoadThread thread, AccessPath path) {
    mayDrop = path.mayDrop();
    threads = thread.count();
    if (mayDrop && !shared) {
      throw new IllegalArgumentException(Messages.format("load.evicted-own-keys"));
    }
    KeySpace space = KeySpace.of(trial.settings(), thread);
    WriteModel model = new WriteModel(space, guarantee.overwrites());
    if (recordsBefore > 0 && !shared) {
      model.filled(recordsBefore, records.size());
    }
    models.add(model);
    KeySequence keys = KeySequence.of(trial.settings(), thread, trial.seed());
    // The first key gets another record than it was filled with, so that overwriting shows.
    int firstRecord = (int) ((1 + 7_919L * thread.index()) % records.size());
    long keysLeft = CoreSettings.loadsOnce(trial.settings()) ? space.size() : Long.MAX_VALUE;
    return new Writes(path, keys, model, records.size(), firstRecord, keysLeft);
  }

  @Override
  public Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    ExpectedContents leaves = expected.get();
    if (shared) {
      int keys = trial.settings().get(CoreSettings.RECORDS).intValue();
      int filled = recordsBefore > 0 ? records.size() : 0;
      return new SharedKeyCheck(models, leaves, keys, filled, mayDrop).compare(contents.get());
    }
    ContentDigest last =
        models.stream()
            .map(model -> model.expected(leaves))
            .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    Optional<ContentDigest> found = creator ? Optional.of(digest.get()) : Optional.empty();
    // An agent that made all the writes can tell by the digest alone that every last one remains.
    boolean exact = models.size() == threads && found.filter(last::equals).isPresent();
    boolean once = CoreSettings.loadsOnce(trial.settings());
    if (guarantee.ordered() || exact || once) {
      return new Evidence.Contents(last, found);
    }
    return LateWrites.compare(models, leaves, contents.get(), last, found);
  }

  /** One thread's writes. */
  static final class Writes implements Operations {
    private final AccessPath path;
    private final KeySequence keys;
    private final WriteModel model;
    private final int size;
    private final boolean synchronous;
    private final int records;
    private int nextRecord;
    private long keysLeft;

    private Writes(
        AccessPath path,
        KeySequence keys,
        WriteModel model,
        int records,
        int firstRecord,
        long keysLeft) {
      this.path = path;
      this.keys = keys;
      this.model = model;
      this.size = path.recordsPerCall();
      this.synchronous = path.window() == 1;
      this.records = records;
      this.nextRecord = firstRecord;
      this.keysLeft = keysLeft;
    }

    @Override
    public boolean exhausted() {
      return keysLeft == 0;
    }

    @Override
    public void draw(Slot call) {
      call.operation = 0;
      call.size = (int) Math.min(size, keysLeft);
      keysLeft -= call.size;
      for (int i = 0; i < call.size; i++) {
        call.keys[i] = keys.next();
      }
      drawRecords(call);
    }

    long nextKey() {
      return keys.next();
    }

    WriteModel model() {
      return model;
    }

    /**
     * The ends of asynchronous calls come in any order, that of their beginnings is what counts.
     */
    void drawRecords(Slot call) {
      for (int i = 0; i < call.size; i++) {
        call.records[i] = nextRecord;
        nextRecord = nextRecord + 1 == records ? 0 : nextRecord + 1;
      }
      if (!synchronous) {
        model.wrote(call);
      }
    }

    @Override
    public void execute(Slot call) throws Exception {
      path.call(call);
    }

    @Override
    public void acknowledged(Slot call) {
      if (synchronous) {
        model.wrote(call);
      }
    }
  }
}
