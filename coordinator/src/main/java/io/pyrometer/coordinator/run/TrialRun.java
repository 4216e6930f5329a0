package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.machine.MachineWatch;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.WorkerProcess;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialResult;
import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Verification;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Shape;
import io.pyrometer.protocol.TrialSpec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** One measurement of one treatment on a cluster: set up, warm up, measure, verify, tear down. */
final class TrialRun {
  private static final long TICK_MILLIS = 100;

  /**
   * A path that hands over tens of thousands of records at once may finish none within a short
   * measured part; it is then given the same time again.
   */
  private static final int MOST_WINDOWS = 3;

  /** Of agents that load; a host that is cut off does not end its pipe. */
  private static final double LONGEST_SILENCE = 20;

  /** A worker that dies because the user ends Pyrometer gives the coordinator this long to end. */
  private static final long GRACE_MILLIS = 300;

  private final Cluster cluster;
  private final TrialSpec spec;
  private final Clock clock;
  private final ValidityLimits limits;
  private final OptionalDouble ceiling;
  private final BiConsumer<String, Double> phaseAndRate;

  private final Stopwatch watch = new Stopwatch();
  private final Samples samples;
  private final Observed observed;

  /**
   * @param ceiling records a second that the generator alone reaches, where it was measured
   * @param phaseAndRate told about ten times a second
   */
  TrialRun(
      Cluster cluster,
      TrialSpec spec,
      int attempt,
      Clock clock,
      ValidityLimits limits,
      OptionalDouble ceiling,
      BiConsumer<String, Double> phaseAndRate) {
    this.cluster = cluster;
    this.spec = spec;
    this.clock = clock;
    this.limits = limits;
    this.ceiling = ceiling;
    this.phaseAndRate = phaseAndRate;
    this.samples = new Samples(cluster.agents().size());
    this.observed = new Observed(spec, attempt, clock.instant().toString(), watch, samples);
  }

  /** What a trial left: its line, and its histograms where it was measured. */
  record Left(TrialResult result, Optional<Latencies> latencies) {}

  /**
   * @param more whether, after this result, the cluster is used again, so that the trial has to
   *     leave it as it found it; what is left on one that ends next ends with it
   */
  Left measure(Predicate<TrialResult> more) {
    try {
      prepare();
      begin();
      warmUp();
      Counted counted = measured();
      Verification verification = verify();
      cluster.mustBeWhole();
      TrialResult result = observed.ended(counted, verification);
      if (more.test(result)) {
        tearDown();
        result = observed.ended(counted, verification);
      }
      return new Left(result, Optional.of(counted.latencies()));
    } catch (WorkerException failure) {
      grace();
      return new Left(observed.failed(failure.sentence()), Optional.empty());
    }
  }

  /** Loads for so long without counting anything; what it wrote stays. */
  void warmUpOnly(double seconds) {
    prepare();
    begin();
    until(seconds, Cut.none());
    finish();
  }

  private void prepare() {
    tick();
    List<WorkerProcess> agents = cluster.agents();
    cluster.shapeLinks(Shape.PLAIN);
    List<String> relays = cluster.shaped(spec.settings());
    observed.configuration =
        agents
            .get(0)
            .request(
                new Command.Prepare(spec, true, relays), Answer.Prepared.class, Timeouts.PREPARE)
            .configuration();
    Fleet.all(
        agents.subList(1, agents.size()),
        i -> new Command.Prepare(spec, false, relays),
        Answer.Prepared.class,
        Timeouts.PREPARE);
    Cores cores = Cores.of(Usage.of(cluster));
    cores.mustBe(spec.settings().integer("cores"));
    observed.configuration = new TreeMap<>(cores.addedTo(observed.configuration));
    observed.configuration.putAll(cluster.facts());
  }

  private void begin() {
    watch.enter(Stopwatch.Phase.WARM_UP);
    cluster.shapeLinks(Shape.ofLinks(spec.settings()));
    samples.begin();
    cluster.agents().forEach(agent -> agent.onSample(samples::add));
    tell(new Command.Begin());
  }

  private void warmUp() {
    double cap = spec.settings().decimal("warm-up");
    long end = System.nanoTime() + (long) (cap * 1e9);
    int judged = 0;
    while (System.nanoTime() < end && !observed.steady) {
      pause();
      List<Long> complete = samples.complete();
      if (complete.size() > judged) {
        judged = complete.size();
        observed.steady = Steadiness.reached(complete);
      }
    }
  }

  private Counted measured() {
    watch.enter(Stopwatch.Phase.MEASURE);
    MachineWatch machine = new MachineWatch(clock, limits);
    Usage before = Usage.of(cluster);
    observed.measuredFrom = samples.complete().size();
    tell(new Command.Measure());
    int windows = 0;
    try (Cut cut = Cut.of(spec.settings(), cluster.hosts())) {
      do {
        until(spec.settings().decimal("measure"), cut);
        windows++;
      } while (windows < MOST_WINDOWS && samples.sumFrom(observed.measuredFrom) == 0);
      tell(cut);
    }
    Usage after = Usage.of(cluster);
    observed.used = after.since(before);
    List<Check> outside = machine.checks(observed.used.cpuSeconds());
    Counted counted = Counted.of(finish());
    observed.checks = new ArrayList<>(outside);
    observed.checks.addAll(
        Validity.checks(observed.used, counted, spec.settings(), ceiling, limits));
    return counted;
  }

  private List<Answer.Finished> finish() {
    return Fleet.all(
        cluster.agents(),
        i -> new Command.Finish(),
        Answer.Finished.class,
        Timeouts.finish(spec.settings()));
  }

  private Verification verify() {
    watch.enter(Stopwatch.Phase.VERIFY);
    tick();
    cluster.shapeLinks(Shape.PLAIN);
    return Verifier.verify(
        Fleet.all(
            cluster.agents(), i -> new Command.Verify(), Answer.Verified.class, Timeouts.VERIFY));
  }

  private void tearDown() {
    watch.enter(Stopwatch.Phase.TEAR_DOWN);
    tick();
    List<WorkerProcess> agents = cluster.agents();
    Fleet.all(
        agents.subList(1, agents.size()),
        i -> new Command.TearDown(),
        Answer.Done.class,
        Timeouts.TEAR_DOWN);
    agents.get(0).request(new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
  }

  private void tell(Command command) {
    Fleet.all(cluster.agents(), i -> command, Answer.Done.class, Timeouts.QUICK);
  }

  private void until(double seconds, Cut cut) {
    long from = System.nanoTime();
    double since = 0;
    while (since < seconds) {
      cut.at(since);
      pause();
      since = (System.nanoTime() - from) / 1e9;
    }
  }

  private void tell(Cut cut) {
    if (!cut.names().isEmpty()) {
      observed.configuration.put("cut.hosts", String.join(", ", cut.names()));
      observed.configuration.put(
          "cut.longest-pause", "%.1f s".formatted(samples.longestPauseFrom(observed.measuredFrom)));
    }
  }

  private void pause() {
    try {
      Thread.sleep(TICK_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    cluster.mustBeWhole();
    if (samples.silentSeconds() > LONGEST_SILENCE) {
      throw WorkerException.notAsAsked(
          "No agent said anything for %.0f s; its host may be gone.".formatted(LONGEST_SILENCE));
    }
    tick();
  }

  private void tick() {
    phaseAndRate.accept(watch.phase().words, samples.recentRate());
  }

  /**
   * Lets an end of this JVM that is under way come first, so that it is not taken for a failure.
   */
  static void grace() {
    try {
      Thread.sleep(GRACE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
