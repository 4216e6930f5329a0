package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.TrialSpec;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Queries of a mix, each drawn by its weight, with parameters made of drawn keys. Before the load
 * the first thread asks each of them with the same few sets of keys in all trials of a block, and
 * compares the rows with the truth. A query counts as one record; reads of records that were there
 * before count each of theirs.
 */
final class QueryWorkload extends Workload {
  private static final int COMPARED = 10;

  private Optional<QueryAnswers> answers = Optional.empty();

  QueryWorkload(TrialSpec trial) {
    super(trial);
  }

  @Override
  long recordsBefore() {
    return trial.job() == Job.QUERY ? keys : 0;
  }

  @Override
  Operations open(LoadThread thread, AccessPath path) {
    if (thread.index() == 0) {
      SplittableRandom random = new SplittableRandom(trial.seed());
      answers =
          Optional.of(
              path.compareAnswers(
                  Stream.generate(() -> random.longs(path.recordsPerCall(), 0, keys).toArray())
                      .limit(COMPARED)
                      .toList()));
    }
    return new Queries(
        path,
        trial.job() == Job.READ ? path.recordsPerCall() : 1,
        KeySequence.of(settings, thread, trial.seed()),
        new SplittableRandom(trial.seed() ^ thread.index()));
  }

  @Override
  Evidence verify(
      boolean creator, Supplier<ContentDigest> digest, Supplier<StoredContents> contents) {
    return new Evidence.Queries(answers);
  }

  /** One thread's queries. */
  private static final class Queries implements Operations {
    private final int size;
    private final KeySequence keys;
    private final SplittableRandom random;
    private final WeightedChoice choice;

    Queries(AccessPath path, int size, KeySequence keys, SplittableRandom random) {
      this.size = size;
      this.keys = keys;
      this.random = random;
      this.choice =
          new WeightedChoice(
              IntStream.range(0, path.operations().size()).mapToDouble(path::weight).toArray());
    }

    @Override
    public void draw(Slot call) {
      call.operation = choice.of(random.nextDouble());
      call.size = size;
      for (int i = 0; i < call.keys.length; i++) {
        call.keys[i] = keys.next();
      }
    }
  }
}
