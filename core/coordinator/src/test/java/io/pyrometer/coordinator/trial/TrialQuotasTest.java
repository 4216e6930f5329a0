package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPU quotas hold processes back while a trial loads them, and at no other time. */
class TrialQuotasTest {
  private static final Settings SLOW = FakeRun.settings("put").with("node-cpus", 0.2);
  private static final Settings FAST =
      FakeRun.settings("put").with("node-cpus", 0.4).with("agent-cpus", 1.5);

  @TempDir Path runs;

  private FakeRun ran(Settings... trials) {
    List<TrialSpec> specs =
        IntStream.range(0, trials.length)
            .mapToObj(i -> FakeRun.trial(i, 0, "put", trials[i].with("quota-period", 0.01)))
            .toList();
    FakeRun run = new FakeRun(runs);
    assertThat(run.run(List.of(new Group(0, specs.get(0).settings(), specs))))
        .extracting(TrialRecord::outcome)
        .containsOnly(TrialRecord.Outcome.OK);
    return run;
  }

  private static FakeProcess process(FakeRun run, String name) {
    List<FakeProcess> all = run.grid().started();
    return all.stream().filter(p -> p.name().equals(name)).reduce((a, b) -> b).orElseThrow();
  }

  @Test
  void trialsWithDifferentQuotasShareProcessesAndEachHasItsOwn() {
    FakeRun run = ran(SLOW, FAST, FakeRun.settings("put"));
    FakeProcess agent = process(run, "agent-0");
    FakeProcess node = process(run, "node-0");
    assertThat(agent.quotasAt(Command.Measure.class)).containsExactly(0.0, 1.5, 0.0);
    assertThat(node.quotasAt(Command.Usage.class)).contains(0.2, 0.4);
    assertThat(agent.quotasAt(Command.Prepare.class)).containsOnly(0.0);
    assertThat(agent.quotasAt(Command.Verify.class)).containsOnly(0.0);
    assertThat(agent.quotasAt(Command.Begin.class))
        .as("the common warm-up has none")
        .startsWith(0.0)
        .endsWith(0.0, 1.5, 0.0);
  }
}
