package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryWorkloadTest {
  private static final Settings SETTINGS =
      Trials.SETTINGS.with("records", 1_000).with("keys", "uniform").with("key-sharing", "shared");

  private final List<List<Long>> compared = new ArrayList<>();
  private final long[] asked = new long[2];

  /** Two queries, the second drawn three times as often, of at most three keys. */
  private final class Queries extends MemoryPath {
    Queries() {
      super(1, 3, Runnable::run);
    }

    @Override
    public List<String> operations() {
      return List.of("rare", "frequent");
    }

    @Override
    public double weight(int operation) {
      return operation == 0 ? 1 : 3;
    }

    @Override
    public void call(Call call) {
      asked[call.operation()]++;
      assertThat(call.size()).isEqualTo(1);
      assertThat(call.key(2)).isBetween(0L, 999L);
      call.done();
    }

    @Override
    public QueryAnswers compareAnswers(List<long[]> keys) {
      keys.forEach(set -> compared.add(Arrays.stream(set).boxed().toList()));
      return new QueryAnswers(
          "the right rows", keys.size(), List.of("rare"), Map.of("frequent", "no"), Map.of());
    }
  }

  private QueryWorkload opened(LoadThread thread) throws Exception {
    TrialSpec trial = Trials.trial(Job.QUERY, SETTINGS);
    QueryWorkload workload = new QueryWorkload(trial);
    Queries path = new Queries();
    Workload.Operations operations = workload.open(thread, path);
    LoadLoop loop = new LoadLoop(operations, path, trial.settings(), thread, 1, NanoClock.SYSTEM);
    loop.begin();
    for (int i = 0; i < 4_000; i++) {
      loop.next();
    }
    return workload;
  }

  @Test
  void queriesAreDrawnByTheirWeights() throws Exception {
    QueryWorkload unused = opened(new LoadThread(0, 2));
    assertThat(asked[0] + asked[1]).isEqualTo(4_000);
    assertThat(asked[1] / (double) asked[0]).isBetween(2.5, 3.6);
  }

  @Test
  void theFirstThreadAloneComparesWithTheSameKeysInEveryTrial() throws Exception {
    Evidence.Queries said = verify(opened(new LoadThread(0, 2)));
    assertThat(said.answers().orElseThrow().wrong()).containsOnlyKeys("frequent");
    List<List<Long>> first = List.copyOf(compared);
    assertThat(first).hasSize(10).doesNotHaveDuplicates();
    assertThat(verify(opened(new LoadThread(1, 2))).answers()).isEmpty();
    assertThat(compared).isEqualTo(first);
    assertThat(verify(opened(new LoadThread(0, 2))).answers()).isPresent();
    assertThat(compared.subList(10, 20)).isEqualTo(first);
  }

  private static Evidence.Queries verify(QueryWorkload workload) {
    return (Evidence.Queries)
        workload.verify(
            true,
            () -> ContentDigest.EMPTY,
            () -> {
              throw new AssertionError("nothing is read back");
            });
  }
}
