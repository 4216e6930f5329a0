package io.pyrometer.coordinator.fake;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.coordinator.machine.MachineReading;
import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.coordinator.run.RunContext;
import io.pyrometer.coordinator.run.RunExecutor;
import io.pyrometer.coordinator.testbed.Distribution;
import io.pyrometer.coordinator.trial.LoadTrialRunner;
import io.pyrometer.experiment.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs on a {@link FakeGrid} in virtual time, in a folder of their own. */
public final class FakeRun {
  private static final MachineReading QUIET =
      new MachineReading(Optional.empty(), Optional.empty(), Optional.empty(), 0, 0);

  private final VirtualTime time = new VirtualTime();
  private final FakeGrid grid = new FakeGrid(time);
  private final List<String> notes = new ArrayList<>();
  private final List<Integer> blocks = new ArrayList<>();
  private final Path runs;
  private Supplier<MachineReading> machine = this::quiet;
  private Optional<StoppingRule> stopping = Optional.empty();
  private List<ProbeKind> probes = List.of();

  public FakeRun(Path runs) {
    this.runs = runs;
  }

  public FakeGrid grid() {
    return grid;
  }

  public VirtualTime time() {
    return time;
  }

  public List<String> notes() {
    return notes;
  }

  /** Blocks that were told to be finished. */
  public List<Integer> blocks() {
    return blocks;
  }

  public FakeRun machine(Supplier<MachineReading> reading) {
    machine = reading;
    return this;
  }

  public FakeRun stopping(StoppingRule rule) {
    stopping = Optional.of(rule);
    return this;
  }

  public FakeRun probes(ProbeKind... kinds) {
    probes = List.of(kinds);
    return this;
  }

  private MachineReading quiet() {
    long millis = time.nanoTime() / 1_000_000;
    return new MachineReading(
        QUIET.cpu(), QUIET.throttled(), QUIET.pressure(), millis, time.nanoTime());
  }

  /** Settings of a trial with two servers, one agent and 4 s of load. */
  public static Settings settings(String path) {
    return Settings.NONE
        .with("path", path)
        .with("nodes", 2)
        .with("agents", 1)
        .with("threads", 1)
        .with("cores", 0)
        .with("node-heap", 1 << 20)
        .with("agent-heap", 1 << 20)
        .with("records", 1_000)
        .with("rate", 0)
        .with("patience", 5)
        .with("warm-up", 1)
        .with("measure", 3)
        .with("common-warm-up", 2);
  }

  public static TrialSpec trial(int ordinal, int block, String path) {
    return new TrialSpec(
        "%04d-b%d-%s".formatted(ordinal + 1, block + 1, path),
        ordinal,
        block,
        Map.of("path", path),
        Job.WRITE,
        settings(path),
        new RecordShape("order", Optional.empty(), List.of()),
        7);
  }

  /** One group a block, with one trial a path. */
  public static List<Group> blocksOf(int blocks, String... paths) {
    List<Group> groups = new ArrayList<>();
    int ordinal = 0;
    for (int block = 0; block < blocks; block++) {
      List<TrialSpec> trials = new ArrayList<>();
      for (String path : paths) {
        trials.add(trial(ordinal++, block, path));
      }
      groups.add(new Group(block, Settings.NONE.with("nodes", 2).with("agents", 1), trials));
    }
    return groups;
  }

  public PlannedRun plan(List<Group> groups) {
    DriverDescription driver =
        new DriverDescription(
            "fake", "Fake", "1", "", List.of(), List.of(), List.of(), List.of(), List.of());
    return new PlannedRun(
        PlannedRun.SCHEMA,
        List.of("run", "fake.yaml"),
        new PlannedRun.Summary(
            "fake", "?", Map.of(), List.of("ranking"), probes, Optional.empty(), List.of()),
        new PlannedRun.Testbed(Optional.empty(), Optional.empty(), List.of(), List.of()),
        1,
        groups.stream().mapToInt(Group::block).max().orElse(0) + 1,
        stopping,
        Map.of("fake", driver),
        groups);
  }

  /** Makes a new folder for a plan. */
  public RunFolder begin(PlannedRun plan) {
    RunFolder folder = RunFolder.create(runs, plan.name(), Clock.fixed(time.now(), ZoneOffset.UTC));
    folder.write("plan.json", plan);
    return folder;
  }

  /** Carries a plan out in a new folder; returns every attempt. */
  public List<TrialRecord> run(List<Group> groups) {
    PlannedRun plan = plan(groups);
    return resume(plan, begin(plan));
  }

  /** Carries a plan on from what its folder holds; returns every attempt. */
  public List<TrialRecord> resume(PlannedRun plan, RunFolder folder) {
    return RunExecutor.run(
        new RunContext(
            plan,
            folder,
            new Distribution(runs.resolve("no-distribution")),
            ValidityLimits.USUAL,
            new Told(),
            new LoadTrialRunner(),
            grid::launcher,
            machine,
            time));
  }

  private final class Told implements Progress {
    @Override
    public void now(Now now) {}

    @Override
    public void note(String sentence) {
      notes.add(sentence);
    }

    @Override
    public void trial(TrialRecord result) {}

    @Override
    public void probe(ProbeResult result) {}

    @Override
    public void block(int block, List<TrialRecord> soFar) {
      blocks.add(block);
    }
  }
}
