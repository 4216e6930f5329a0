package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the whole data set for one aggregate, again and again: every call covers the whole set, or
 * each thread goes through its own keys. The answers of complete passes must be the right ones.
 */
final class AggregateWorkload implements Workload {

  private static final int MOST_ANSWERS = 5;

  private final TrialSpec trial;
  private final Records records;
  private final List<Passes> threads = new ArrayList<>();

  AggregateWorkload(TrialSpec trial, Records records) {
    this.trial = trial;
    this.records = records;
  }

  @Override
  public long recordsBefore() {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  @Override
  public Operations open(LoadThread thread, AccessPath path) {
    KeySpace own = KeySpace.own(thread, trial.settings().get(CoreSettings.RECORDS));
    Passes passes =
        path.wholeSet()
            ? new WholeSetPasses(path, trial.settings().get(CoreSettings.RECORDS).intValue())
            : new KeyPasses(path, own);
    threads.add(passes);
    return passes;
  }

  @Override
  public Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    return new Evidence.WholeSet(
        answers(),
        creator
            ? Optional.of(
                Aggregation.truth(
                    records, trial.settings(), trial.settings().get(CoreSettings.RECORDS)))
            : Optional.empty(),
        whole());
  }

  private boolean whole() {
    return threads.get(0) instanceof WholeSetPasses;
  }

  /**
   * Where every call covers the whole set each different answer, else the sum over the threads (and
   * each different answer of a thread apart where its passes disagree).
   */
  private List<Aggregate> answers() {
    if (whole() || threads.stream().anyMatch(thread -> thread.answers.size() != 1)) {
      return threads.stream().flatMap(thread -> thread.answers.stream()).distinct().toList();
    }
    return List.of(
        threads.stream()
            .flatMap(thread -> thread.answers.stream())
            .reduce(Aggregate.NOTHING, Aggregate::plus));
  }

  /** One thread's passes. */
  private abstract static class Passes implements Operations {
    final AccessPath path;
    final Set<Aggregate> answers = new LinkedHashSet<>();

    Passes(AccessPath path) {
      this.path = path;
    }

    @Override
    public void execute(Slot call) throws Exception {
      path.call(call);
    }

    @Override
    public void endPass() {
      Aggregate answer = path.takeAnswer();
      if (answers.size() < MOST_ANSWERS) {
        answers.add(answer);
      }
    }

    @Override
    public boolean owesPass() {
      return answers.isEmpty();
    }
  }

  /** Every call is a pass. */
  private static final class WholeSetPasses extends Passes {
    private final int records;

    WholeSetPasses(AccessPath path, int records) {
      super(path);
      this.records = records;
    }

    @Override
    public void draw(Slot call) {
      call.size = records;
    }

    @Override
    public boolean passComplete() {
      return true;
    }
  }

  /** A pass goes once through the thread's own keys. */
  private static final class KeyPasses extends Passes {
    private final KeySequence keys;
    private final long keysOfPass;
    private final int most;
    private long left;

    KeyPasses(AccessPath path, KeySpace own) {
      super(path);
      this.keys = KeySequence.passes(own);
      this.keysOfPass = own.size();
      this.most = path.recordsPerCall();
      this.left = own.size();
    }

    @Override
    public void draw(Slot call) {
      call.size = (int) Math.min(most, left);
      left -= call.size;
      for (int i = 0; i < call.size; i++) {
        call.keys[i] = keys.next();
      }
    }

    @Override
    public boolean passComplete() {
      return left == 0;
    }

    @Override
    public void endPass() {
      left = keysOfPass;
      super.endPass();
    }
  }
}
