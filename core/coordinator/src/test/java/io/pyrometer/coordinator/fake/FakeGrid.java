package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.GridDescription.CacheDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Processes that behave like a grid of servers and agents under load, in virtual time. Faults are
 * planted as {@link #on reactions} to commands.
 */
public final class FakeGrid implements ProcessLauncher {
  private final VirtualTime time;
  private final List<FakeProcess> started = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();
  private final List<String> order = new ArrayList<>();
  private final List<Reaction> reactions = new ArrayList<>();
  private final Map<FakeProcess, Load> loads = new HashMap<>();
  private ToDoubleFunction<TrialSpec> rate = trial -> 1_000;
  private Optional<LongSupplier> samples = Optional.empty();
  private IntSupplier servers =
      () -> (int) living().stream().filter(it -> it.name().startsWith("node")).count();
  private double compiledAfter;
  private Runnable beforeKilling = () -> {};
  private boolean ending;
  private int nextPort = 40_000;

  private static final class Load {
    private final TrialSpec trial;
    private final double perSecond;
    private boolean loading;
    private int tenths;
    private int measuredFrom;
    private double measuringSince;
    private long written;

    Load(TrialSpec trial, double perSecond) {
      this.trial = trial;
      this.perSecond = perSecond;
    }
  }

  /**
   * A planted behaviour.
   *
   * @param reply what the process answers; empty for never; may also kill it
   */
  private record Reaction(
      String process,
      Class<?> command,
      int skip,
      int times,
      BiFunction<FakeProcess, Command, Optional<Answer>> reply,
      int[] seen) {}

  public FakeGrid(VirtualTime time) {
    this.time = time;
    time.onTick(this::tick);
  }

  /** Records per second of an agent in a trial. */
  public FakeGrid rate(ToDoubleFunction<TrialSpec> recordsPerSecond) {
    rate = recordsPerSecond;
    return this;
  }

  /** Compilers use half of each process's CPU time until this second, and none from then on. */
  public FakeGrid compiledAfter(double seconds) {
    compiledAfter = seconds;
    return this;
  }

  /** What an agent tells of each tenth of a second, whatever it says when it has finished. */
  public FakeGrid samples(LongSupplier records) {
    samples = Optional.of(records);
    return this;
  }

  /** How many servers agents count; by default the living ones. */
  public FakeGrid servers(IntSupplier count) {
    servers = count;
    return this;
  }

  /**
   * Plants a behaviour in processes of a name, now and later ones alike.
   *
   * @param command a type of commands, or of the content of a kind's command
   * @param skip commands of the kind that are answered as usual first
   * @param times commands that it then holds for
   */
  public FakeGrid on(
      String process,
      Class<?> command,
      int skip,
      int times,
      BiFunction<FakeProcess, Command, Optional<Answer>> reply) {
    reactions.add(new Reaction(process, command, skip, times, reply, new int[1]));
    return this;
  }

  /** Plants a behaviour that holds for all such commands. */
  public FakeGrid on(
      String process, Class<?> command, BiFunction<FakeProcess, Command, Optional<Answer>> reply) {
    return on(process, command, 0, Integer.MAX_VALUE, reply);
  }

  public FakeGrid answers(String process, Class<?> command, Answer answer) {
    return on(process, command, (it, told) -> Optional.of(answer));
  }

  public FakeGrid answers(String process, Class<?> command, int skip, int times, Answer answer) {
    return on(process, command, skip, times, (it, told) -> Optional.of(answer));
  }

  /** Something happens just before the process answers such a command as usual. */
  public FakeGrid before(
      String process, Class<? extends Command> command, int skip, Runnable happens) {
    return on(
        process,
        command,
        skip,
        1,
        (it, told) -> {
          happens.run();
          return Optional.of(usual(it, told));
        });
  }

  public FakeGrid dies(String process, Class<?> command, int skip) {
    return on(
        process,
        command,
        skip,
        1,
        (it, told) -> {
          it.die("was killed (exit code 137)");
          return Optional.empty();
        });
  }

  public FakeGrid refuses(String process, Class<?> command, int skip, int times, String why) {
    return answers(process, command, skip, times, new Answer.Failed(why));
  }

  /** The process answers such a command with what answers another. */
  public FakeGrid saysNonsense(String process, Class<?> command, int skip) {
    return answers(process, command, skip, 1, new Answer.Hello(1, "another JVM"));
  }

  public FakeGrid hangs(String process, Class<?> command, int skip) {
    return on(process, command, skip, 1, (it, told) -> Optional.empty());
  }

  public void endCoordinator() {
    ending = true;
    beforeKilling.run();
    started.forEach(FakeProcess::kill);
  }

  public ProcessLauncher launcher(Runnable beforeKilling) {
    this.beforeKilling = beforeKilling;
    return this;
  }

  public List<FakeProcess> started() {
    return List.copyOf(started);
  }

  /** Starts processes of these names on this machine. */
  public List<ManagedProcess> start(String... names) {
    return startAll(
        Stream.of(names)
            .map(
                name ->
                    new Launch(
                        name, Host.LOCAL, List.of(), ProcessLimits.NONE, Path.of(name + ".log")))
            .toList());
  }

  public List<FakeProcess> started(String name) {
    return started.stream().filter(process -> process.name().equals(name)).toList();
  }

  /** How each of them was started, in the same order. */
  public List<Launch> launches() {
    return List.copyOf(launches);
  }

  /** Every command of a kind that any process was told, in their order of start. */
  public <C extends Command> List<C> told(Class<C> kind) {
    return started.stream()
        .flatMap(process -> process.told().stream())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  public List<FakeProcess> living() {
    return started.stream().filter(FakeProcess::alive).toList();
  }

  @Override
  public List<ManagedProcess> startAll(List<Launch> launches) {
    if (ending) {
      throw WorkerException.gone("Pyrometer is ending.");
    }
    List<ManagedProcess> all = new ArrayList<>();
    for (Launch launch : launches) {
      FakeProcess process = new FakeProcess(launch.name(), this, time);
      this.launches.add(launch);
      started.add(process);
      all.add(process);
    }
    return all;
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public boolean ending() {
    return ending;
  }

  @Override
  public void close() {
    started.forEach(FakeProcess::kill);
  }

  /** Every command in the order that they were sent in, such as {@code agent-0 Begin}. */
  public List<String> order() {
    return List.copyOf(order);
  }

  private static String nameOf(Command command) {
    return command instanceof Command.OfKind own ? own.name() : command.getClass().getSimpleName();
  }

  private static boolean isOf(Command command, Class<?> type) {
    return type.isInstance(command) || nameOf(command).equals(type.getSimpleName());
  }

  Optional<Answer> answer(FakeProcess process, Command command) {
    order.add(process.name() + " " + nameOf(command));
    for (Reaction reaction : reactions) {
      if (process.name().equals(reaction.process()) && isOf(command, reaction.command())) {
        int seen = reaction.seen()[0]++;
        if (seen >= reaction.skip() && seen < reaction.skip() + reaction.times()) {
          return reaction.reply().apply(process, command);
        }
      }
    }
    return command instanceof Command.Scheduled scheduled
        ? answer(process, scheduled.command())
            .map(said -> said instanceof Answer.Done ? new Answer.Begun(0) : said)
        : Optional.of(usual(process, command));
  }

  /** Closed loop of one agent, of which nothing but the calls is told. */
  public static Answer.Finished finished(double seconds, long records, long failed) {
    return finished(seconds, records, failed, 0, Optional.empty(), List.of());
  }

  /** Load of one agent without failures, with its latencies in nanoseconds by operation. */
  public static Answer.Finished finished(
      double seconds,
      long records,
      double slipMicros,
      Optional<Arrivals> arrivals,
      String latencies) {
    List<Answer.Interval> all = List.of(new Answer.Interval(0, seconds, Map.of("put", latencies)));
    return finished(seconds, records, 0, slipMicros, arrivals, all);
  }

  public static Answer.Finished finished(
      double seconds,
      long records,
      long failed,
      double slipMicros,
      Optional<Arrivals> arrivals,
      List<Answer.Interval> intervals) {
    return new Answer.Finished(
        seconds,
        records,
        records,
        failed,
        0,
        List.of(),
        intervals,
        slipMicros,
        arrivals,
        Map.of(),
        Optional.empty(),
        0);
  }

  /** An encoded histogram of equal latencies. */
  public static String encoded(long nanos, long count) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(nanos, count);
    return HistogramText.encode(histogram);
  }

  /** What every process has used: a quarter of a CPU. */
  public Answer.Used usage() {
    double now = time.seconds();
    double compilers = Math.min(compiledAfter, now) / 8;
    Optional<Answer.Io> io = Optional.of(new Answer.Io(0, 0, 0, 0));
    Answer.Inside inside = new Answer.Inside(0, compilers, io, 0, Optional.empty());
    return new Answer.Used(
        now / 8, now / 8, 0, 0, now, 100L << 20, 0, 0, 2, "0-1", inside, Optional.empty());
  }

  private Answer usual(FakeProcess process, Command command) {
    if (command instanceof Command.ReservePorts reserve) {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < reserve.count(); i++) {
        ports.add(nextPort++);
      }
      return new Answer.Ports(ports);
    } else if (command instanceof Command.StartServer start) {
      return new Answer.Started(Optional.of("127.0.0.1:" + start.ports().get(0)), Map.of());
    } else if (command instanceof Command.StartRelay relay) {
      return new Answer.Ports(relay.targets().stream().map(target -> nextPort++).toList());
    } else if (command instanceof Command.OpenSession) {
      return new Answer.Started(Optional.empty(), Map.of());
    } else if (command instanceof Command.Prepare prepare) {
      loads.put(process, new Load(prepare.trial(), rate.applyAsDouble(prepare.trial())));
      return new Answer.Prepared(
          Map.of("backups", "1", "cluster.servers", String.valueOf(servers.getAsInt())));
    } else if (command instanceof Command.Usage) {
      return usage();
    } else if (command instanceof Command.ReadCpu) {
      return new Answer.Cpu(
          time.seconds() / 4,
          time.seconds() / 10,
          time.now().toEpochMilli() * 1_000,
          Optional.empty());
    } else if (command instanceof Command.CollectGarbage) {
      return new Answer.LiveHeap(Optional.of(process.name().startsWith("node") ? 50L << 20 : 0L));
    } else if (command instanceof Command.CountServers) {
      return new Answer.Servers(Optional.of(servers.getAsInt()));
    } else if (command instanceof Command.WatchServers) {
      return new Answer.Watching(0, Optional.of("No server tells."));
    } else if (command instanceof Command.OfServer told) {
      return usual(process, told.command());
    } else if (command instanceof Command.DescribeGrid ask) {
      return new Answer.GridDescribed(
          new GridDescription(
              Optional.of(servers.getAsInt()),
              Map.of("version", "1"),
              ask.caches().stream()
                  .map(
                      name ->
                          new CacheDescription(name, Map.of(), Optional.of(5L), Optional.empty()))
                  .toList(),
              0));
    } else if (command instanceof Command.Examine examine) {
      return new Answer.Examined(
          new HealthReport(
              "a fake grid",
              examine.seconds(),
              2,
              List.of(),
              List.of(),
              List.of("all"),
              Map.of(),
              List.of()));
    } else if (command instanceof Command.EndProbe) {
      return new Answer.Probed(
          new ProbeResult.ProbeCounts(1_000, 100, 0, 0, 0, List.of(), 0.1, false));
    }
    return underLoad(process, command);
  }

  private Answer underLoad(FakeProcess process, Command command) {
    Load load = loads.get(process);
    if (command instanceof Command.Begin) {
      load.loading = true;
      load.tenths = 0;
      load.measuringSince = time.seconds();
    } else if (command instanceof Command.Measure && load != null) {
      load.measuredFrom = load.tenths;
      load.measuringSince = time.seconds();
    } else if (command instanceof Command.Finish) {
      load.loading = false;
      double seconds = time.seconds() - load.measuringSince;
      long records = Math.round(load.perSecond * seconds);
      return finished(seconds, records, 0);
    } else if (command instanceof Command.Verify) {
      ContentDigest there = new ContentDigest(10, 42);
      return new Answer.Verified(
          new Evidence.Contents(
              there, process.name().equals("agent-0") ? Optional.of(there) : Optional.empty(), 0));
    }
    return new Answer.Done();
  }

  /** Every loading agent tells what it did in this tenth of a second. */
  private void tick() {
    loads.forEach(
        (process, load) -> {
          if (load.loading && process.alive()) {
            long usual = (long) (load.perSecond / 10);
            long records = samples.map(LongSupplier::getAsLong).orElse(usual);
            load.written += records;
            boolean all =
                CoreSettings.loadsOnce(load.trial.settings())
                    && load.written >= load.trial.settings().get(CoreSettings.RECORDS);
            load.loading = !all;
            process.sample(new Answer.Sample(load.tenths++, records, 0, 0, all));
          }
        });
  }
}
