package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Writes records under keys, or changes one field of records that are there. Each thread remembers
 * what it wrote last under each key. Where threads have keys of their own, the grid must hold
 * exactly that, but for {@link LateWrites} of a path without order; where they share keys, {@link
 * SharedKeyCheck} says what it may hold.
 */
class WriteWorkload extends Workload {

  private final Records records;
  private final Guarantee guarantee;
  private final OptionalInt updatedField;
  private final boolean shared;
  private final List<WriteModel> models = new ArrayList<>();
  private boolean mayDrop;
  private int threads;

  WriteWorkload(TrialSpec trial, Records records, Guarantee guarantee) {
    super(trial);
    this.records = records;
    this.guarantee = guarantee;
    this.updatedField =
        trial.job() == Job.UPDATE
            ? OptionalInt.of(Update.field(records.shape(), settings))
            : OptionalInt.empty();
    this.shared = KeySpace.shared(settings);
    if (shared) {
      requireMemory(Messages.format("load.shared-keys-memory"), Integer.BYTES, 2);
    }
  }

  /** A load's grid is empty, or holds a share of its keys. */
  @Override
  final long recordsBefore() {
    return trial.job() == Job.WRITE ? CoreSettings.existing(settings) : keys;
  }

  @Override
  Operations open(LoadThread thread, AccessPath path) {
    return writes(thread, path);
  }

  final Writes writes(LoadThread thread, AccessPath path) {
    mayDrop = path.mayDrop();
    threads = thread.count();
    if (mayDrop && !shared) {
      throw new IllegalArgumentException(Messages.format("load.evicted-own-keys"));
    }
    KeySpace space = KeySpace.of(settings, thread);
    WriteModel model = new WriteModel(space, guarantee.overwrites());
    if (!shared) {
      model.filled(recordsBefore(), records.size());
    }
    models.add(model);
    KeySequence sequence = KeySequence.of(settings, thread, trial.seed());
    // The first key gets another record than it was filled with, so that overwriting shows.
    int firstRecord = (int) ((1 + 7_919L * thread.index()) % records.size());
    long keysLeft = CoreSettings.loadsOnce(settings) ? space.size() : Long.MAX_VALUE;
    return new Writes(path, sequence, model, records.size(), firstRecord, keysLeft);
  }

  @Override
  final Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    ExpectedContents leaves =
        updatedField.isPresent()
            ? ExpectedContents.updated(records, updatedField.getAsInt())
            : ExpectedContents.written(records);
    if (shared) {
      int filled = recordsBefore() > 0 ? records.size() : 0;
      return new SharedKeyCheck(models, leaves, (int) keys, filled, mayDrop)
          .compare(contents.get());
    }
    ContentDigest last =
        models.stream()
            .map(model -> model.expected(leaves))
            .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    Optional<ContentDigest> found = creator ? Optional.of(digest.get()) : Optional.empty();
    // An agent that made all the writes can tell by the digest alone that every last one remains.
    boolean exact = models.size() == threads && found.filter(last::equals).isPresent();
    if (guarantee.ordered() || exact || CoreSettings.loadsOnce(settings)) {
      return new Evidence.Contents(last, found, 0);
    }
    return LateWrites.compare(models, leaves, contents.get(), last, found);
  }

  /** One thread's writes. */
  static final class Writes implements Operations {
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
    public void acknowledged(Slot call) {
      if (synchronous) {
        model.wrote(call);
      }
    }
  }
}
