package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
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
final class AggregateWorkload extends Workload {

  private static final int MOST_ANSWERS = 5;

  private final Records records;
  private final List<Passes> threads = new ArrayList<>();
  private boolean whole;

  AggregateWorkload(TrialSpec trial, Records records) {
    super(trial);
    this.records = records;
  }

  @Override
  Operations open(LoadThread thread, AccessPath path) {
    KeySpace own = KeySpace.own(thread, keys);
    whole = path.wholeSet();
    Passes passes =
        whole
            ? new Passes(path, new KeySpace(0, 1, keys), (int) keys)
            : new Passes(path, own, path.recordsPerCall());
    threads.add(passes);
    return passes;
  }

  @Override
  Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    return new Evidence.WholeSet(
        answers(),
        creator ? Optional.of(Aggregation.truth(records, settings, keys)) : Optional.empty(),
        whole);
  }

  /**
   * Where every call covers the whole set each different answer, else the sum over the threads (and
   * each different answer of a thread apart where its passes disagree).
   */
  private List<Aggregate> answers() {
    List<Aggregate> all = threads.stream().flatMap(thread -> thread.answers.stream()).toList();
    return whole || threads.stream().anyMatch(thread -> thread.answers.size() != 1)
        ? all.stream().distinct().toList()
        : List.of(all.stream().reduce(Aggregate.NOTHING, Aggregate::plus));
  }

  /** One thread's passes over keys; a call that covers the whole set is told none of them. */
  private static final class Passes implements Operations {
    private final AccessPath path;
    private final KeySequence keys;
    private final long keysOfPass;
    private final int most;
    private final Set<Aggregate> answers = new LinkedHashSet<>();
    private long left;

    Passes(AccessPath path, KeySpace space, int most) {
      this.path = path;
      this.keys = KeySequence.passes(space);
      this.keysOfPass = space.size();
      this.most = most;
      this.left = space.size();
    }

    @Override
    public void draw(Slot call) {
      call.size = (int) Math.min(most, left);
      left -= call.size;
      int told = Math.min(call.size, call.keys.length);
      for (int i = 0; i < told; i++) {
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
}
