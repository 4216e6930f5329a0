package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.coordinator.run.RunContext;
import io.pyrometer.coordinator.run.RunExecutor;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.StorageLimit;
import io.pyrometer.protocol.SettingDescription;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs on a {@link FakeGrid} in virtual time, in a folder of their own. */
public final class FakeRun {
  private final VirtualTime time = new VirtualTime();
  private final FakeGrid grid = new FakeGrid(time);
  private final FakeMachine namespaces = new FakeMachine();
  private final List<String> notes = new ArrayList<>();
  private final List<Integer> blocks = new ArrayList<>();
  private final Path runs;
  private Supplier<MachineReading> machine = this::quiet;
  private List<ProbeKind> probes = List.of();
  private List<String> analyses = List.of("ranking");
  private boolean searching;
  private Testbed testbed = Testbed.LOCAL;
  private List<DriverDescription> drivers = List.of(driver("fake"));
  private final List<Progress.Now> nows = new ArrayList<>();
  private final List<Double> nowSeconds = new ArrayList<>();
  private double firstBlockSeconds = Double.NaN;

  public FakeRun(Path runs) {
    this.runs = runs;
  }

  public FakeGrid grid() {
    return grid;
  }

  public FakeMachine namespaces() {
    return namespaces;
  }

  public VirtualTime time() {
    return time;
  }

  public List<String> notes() {
    return notes;
  }

  public List<Integer> blocks() {
    return blocks;
  }

  public FakeRun machine(Supplier<MachineReading> reading) {
    machine = reading;
    return this;
  }

  /** Plans of which a search for the highest rate visits some trials. */
  public FakeRun searching() {
    searching = true;
    return this;
  }

  public FakeRun probes(ProbeKind... kinds) {
    probes = List.of(kinds);
    return this;
  }

  public FakeRun analyses(String... ids) {
    analyses = List.of(ids);
    return this;
  }

  /** Plans for a grid that others started. */
  public FakeRun attached(String addresses) {
    testbed = new Testbed(Optional.empty(), Optional.of(addresses), List.of());
    return this;
  }

  public FakeRun hosts(Host... hosts) {
    testbed = new Testbed(Optional.empty(), Optional.empty(), List.of(hosts));
    return this;
  }

  /** A host that takes processes of any kind and cannot be cut off. */
  public static Host host(String name, String address, String... prefix) {
    return new Host(
        name, List.of(prefix), address, "/tmp", "java", Optional.empty(), Optional.empty());
  }

  /** A host of this machine that commands cut off and reconnect. */
  public static Host severable(String name, List<String> cut, List<String> heal) {
    return new Host(
        name,
        List.of(),
        Host.LOOPBACK,
        "/tmp",
        "java",
        Optional.empty(),
        Optional.of(new Host.Severing(cut, heal)));
  }

  public FakeRun drivers(String... names) {
    drivers = Stream.of(names).map(FakeRun::driver).toList();
    return this;
  }

  /** What the user was told is being done, in order. */
  public List<Progress.Now> nows() {
    return nows;
  }

  /** When each of these was told, in seconds. */
  public List<Double> nowSeconds() {
    return nowSeconds;
  }

  /** When the first block was told to be finished, in seconds. */
  public double firstBlockSeconds() {
    return firstBlockSeconds;
  }

  public Path distribution() {
    return runs.resolve("no-distribution");
  }

  /** Something happens so many tenths of a second from now. */
  public void after(int tenths, Runnable happens) {
    int[] ticks = new int[1];
    time.onTick(
        () -> {
          if (++ticks[0] == tenths) {
            happens.run();
          }
        });
  }

  private MachineReading quiet() {
    return reading(Optional.empty(), Optional.empty());
  }

  public MachineReading reading(
      Optional<MachineReading.Cpu> cpu, Optional<MachineReading.Throttled> throttled) {
    long nanos = time.nanoTime();
    return new MachineReading("", cpu, throttled, Optional.empty(), nanos / 1_000_000, nanos);
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
        .with("drain-timeout", 5)
        .with("warm-up", 1)
        .with("measure", 3)
        .with("common-warm-up", 2);
  }

  /** Settings of a trial whose clients connect to the servers through a relay, if it delays. */
  public static Settings shaped(Settings settings, double delay) {
    return settings
        .with("client-relay", false)
        .with("client-delay", delay)
        .with("client-jitter", 0)
        .with("client-rate", 0)
        .with("client-loss", 0);
  }

  public static TrialSpec trial(int ordinal, int block, String path) {
    return trial(ordinal, block, path, settings(path));
  }

  public static TrialSpec trial(int ordinal, int block, String path, Settings settings) {
    return new TrialSpec(
        "%04d-b%d-%s".formatted(ordinal + 1, block + 1, path),
        ordinal,
        block,
        Map.of("path", path),
        Job.WRITE,
        settings,
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

  /** The driver whose servers cannot join others that run. */
  public static final String RIGID = "rigid";

  /** The path that has a setting which names a class. */
  public static final String NAMING = "naming";

  /** The setting of servers that hold any number of records. */
  public static final String ON_DISK = "on-disk";

  /** A driver whose servers have no ports. */
  public static DriverDescription portless(
      String name,
      List<DriverDescription.JvmFlags> flags,
      List<SettingDescription> settings,
      PathDescription... paths) {
    return driver(name, List.of(), ServerDescription.NO_PORTS, flags, settings, paths);
  }

  private static DriverDescription driver(
      String name,
      List<String> capabilities,
      ServerDescription servers,
      List<DriverDescription.JvmFlags> flags,
      List<SettingDescription> settings,
      PathDescription... paths) {
    return new DriverDescription(
        name,
        "Fake",
        "1",
        "",
        capabilities,
        servers,
        flags,
        settings,
        List.of(paths),
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }

  /** One that starts servers with one port each, which hold records on their heap. */
  public static DriverDescription driver(String name) {
    return driver(
        name,
        name.equals(RIGID)
            ? List.of()
            : List.of(DriverDescription.ELASTIC, DriverDescription.DOCTOR),
        new ServerDescription(
            false,
            List.of("peers"),
            80,
            60,
            List.of(),
            ServerDescription.USUAL_FAIL_OVER_SECONDS,
            Optional.of(new StorageLimit(CoreSettings.NODE_HEAP.name(), List.of(ON_DISK)))),
        List.of(),
        List.of(
            setting(
                ON_DISK,
                SettingDescription.Type.FLAG,
                SettingDescription.Scope.PROCESS,
                Optional.of(false))),
        new PathDescription(
            NAMING,
            Job.AGGREGATE,
            false,
            "",
            Optional.empty(),
            List.of(
                setting(
                    "class",
                    SettingDescription.Type.TEXT,
                    SettingDescription.Scope.LOAD,
                    Optional.empty()))));
  }

  /** A setting without bounds or choices. */
  public static SettingDescription setting(
      String name,
      SettingDescription.Type type,
      SettingDescription.Scope scope,
      Optional<Object> initial) {
    return new SettingDescription(
        name,
        type,
        scope,
        initial,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "",
        SettingDescription.Traits.NONE);
  }

  /** One group of one trial on processes that are started with the same settings. */
  public static List<Group> groupOf(String path, Settings settings) {
    return List.of(new Group(0, settings, List.of(trial(0, 0, path, settings))));
  }

  public PlannedRun plan(List<Group> groups) {
    int blocks = groups.stream().mapToInt(Group::block).max().orElse(0) + 1;
    Design design = searching ? new Design.Search() : new Design.Full();
    return new PlannedRun(
        PlannedRun.SCHEMA,
        List.of("run", "fake.yaml"),
        new Experiment(
            "fake",
            "?",
            testbed,
            groups.get(0).trials().get(0).record(),
            new Treatments(Settings.NONE, List.of(), List.of(), design),
            new Experiment.Options(
                blocks, 1, analyses, probes, List.of(), List.of(), Optional.empty()),
            Experiment.Variants.NONE,
            Optional.empty(),
            ""),
        List.of(),
        drivers.stream().collect(Collectors.toMap(DriverDescription::name, each -> each)),
        groups,
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

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

  /** Carries a plan out in a new folder, which it returns. */
  public RunFolder recorded(List<Group> groups) {
    PlannedRun plan = plan(groups);
    RunFolder folder = begin(plan);
    List<TrialRecord> unused = resume(plan, folder);
    return folder;
  }

  /** Carries a plan on from what its folder holds; returns every attempt. */
  public List<TrialRecord> resume(PlannedRun plan, RunFolder folder) {
    return RunExecutor.run(
        new RunContext(
            plan,
            TrialSource.of(plan),
            folder,
            new Distribution(distribution()),
            new Told(),
            grid::launcher,
            namespaces,
            machine,
            time));
  }

  private final class Told implements Progress {
    @Override
    public void now(Now now) {
      nows.add(now);
      nowSeconds.add(time.seconds());
    }

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
      firstBlockSeconds = block == 0 ? time.seconds() : firstBlockSeconds;
    }
  }
}
