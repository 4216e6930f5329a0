package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.run.Tasks.Task;
import io.pyrometer.coordinator.testbed.Sites;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.Workers;
import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialResult;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Carries a plan out from wherever its journal stands. A trial whose process dies is recorded as
 * failed, its group gets fresh processes, and the run goes on.
 */
public final class RunLoop {
  private static final int STARTS_IN_VAIN = 2;
  private static final int STARTS_A_TRIAL_AT_MOST = 10;

  private final RunContext context;
  private final Forecast forecast = new Forecast();
  private final List<TrialResult> finished = new ArrayList<>();
  private Ceiling ceiling = Ceiling.UNKNOWN;
  private Optional<Sites> sites = Optional.empty();
  private int starts;
  private int groupIndex;

  private RunLoop(RunContext context) {
    this.context = context;
    finished.addAll(context.folder().trials());
    // Keeps the logs of a run that is carried on apart from those before.
    starts = STARTS_A_TRIAL_AT_MOST * finished.size();
  }

  /**
   * Returns when every trial is in the journal.
   *
   * @return all trials of the run in the order they were made
   * @throws io.pyrometer.journal.RunException if the journal cannot be written
   */
  public static List<TrialResult> run(RunContext context) {
    try (Journal journal = Journal.open(context.folder().journal());
        Workers workers = new Workers(journal::close)) {
      RunLoop loop = new RunLoop(context);
      try {
        loop.all(journal, workers);
      } finally {
        loop.sites.ifPresent(Sites::close);
      }
      return List.copyOf(loop.finished);
    }
  }

  private void all(Journal journal, Workers workers) {
    List<Group> groups = context.plan().groups();
    Probing probing = new Probing(context, journal, finished);
    if (groups.stream().allMatch(group -> tasks(group, journal).isEmpty())) {
      probeOnly(groups, probing, journal, workers);
      return;
    }
    ceiling = ceiling(workers);
    for (groupIndex = 0; groupIndex < groups.size(); groupIndex++) {
      Group group = groups.get(groupIndex);
      Tasks tasks = tasks(group, journal);
      if (!tasks.isEmpty()) {
        work(group, tasks, probing, workers);
        blockDone(groups, group.block());
      }
    }
    probeOnly(groups, probing, journal, workers);
  }

  /** A run that was stopped between its trials and its probes owes the probes alone. */
  private void probeOnly(List<Group> groups, Probing probing, Journal journal, Workers workers) {
    for (groupIndex = 0; groupIndex < groups.size() && !workers.ending(); groupIndex++) {
      Group group = groups.get(groupIndex);
      work(group, tasks(group, journal), probing, workers);
    }
  }

  private void blockDone(List<Group> groups, int block) {
    boolean last = groupIndex + 1 == groups.size() || groups.get(groupIndex + 1).block() != block;
    if (last) {
      context.progress().block(block, List.copyOf(finished));
    }
  }

  private Sites sites() {
    if (sites.isEmpty()) {
      Sites prepared = Runs.sites(context.plan(), context.distribution());
      sites = Optional.of(prepared);
      prepared
          .namespaces()
          .ifPresent(
              made ->
                  context.progress().note("Processes in namespaces, %s.".formatted(made.words())));
    }
    return sites.get();
  }

  private Ceiling ceiling(Workers workers) {
    if (Files.exists(context.folder().file("generator.json"))) {
      return context.folder().read("generator.json", Ceiling.class);
    }
    Optional<DriverDescription> nothing =
        context.distribution().drivers().stream()
            .filter(driver -> driver.name().equals(Ceiling.NULL_DRIVER))
            .findFirst();
    if (nothing.isEmpty() || context.plan().driver().name().equals(Ceiling.NULL_DRIVER)) {
      return Ceiling.UNKNOWN;
    }
    Ceiling measured =
        Ceiling.measure(
            context, workers, nothing.get(), told("the generator alone", Optional.empty()));
    context.folder().write("generator.json", measured);
    return measured;
  }

  private Tasks tasks(Group group, Journal journal) {
    return new Tasks(context, group, journal, finished, forecast);
  }

  private void work(Group group, Tasks tasks, Probing probing, Workers workers) {
    if (tasks.isEmpty() && probing.due(group).isEmpty()) {
      return;
    }
    Optional<String> tooLarge = Runs.doesNotFit(context.plan(), group, sites());
    if (tooLarge.isPresent()) {
      tasks.couldNotStart(tooLarge.get(), true);
      probing.giveUp(group, tooLarge.get());
    }
    int inVain = 0;
    while (!(tasks.isEmpty() && probing.due(group).isEmpty()) && !workers.ending()) {
      long begun = System.nanoTime();
      try (Cluster cluster = start(group, workers)) {
        String up = blockWords(group) + ": processes up after " + since(begun);
        warmUp(cluster, group, tasks);
        inVain = 0;
        context
            .progress()
            .note(
                group.commonWarmUp() > 0 ? up + ", warmed up together after " + since(begun) : up);
        boolean goesOn = context.plan().attach().isPresent() || probing.maybe(group);
        trials(cluster, tasks, goesOn);
        if (tasks.isEmpty() && !workers.ending()) {
          probing.make(cluster, group);
        }
      } catch (CommonWarmUp.Failure failure) {
        TrialRun.grace();
        tasks.couldNotWarmUp(failure);
      } catch (WorkerException failure) {
        inVain++;
        boolean giveUp = inVain >= STARTS_IN_VAIN;
        tasks.couldNotStart(failure.sentence(), giveUp);
        if (giveUp && tasks.isEmpty()) {
          probing.giveUp(group, failure.sentence());
        }
      }
    }
  }

  private static String since(long begun) {
    return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - begun) / 1e9);
  }

  private void warmUp(Cluster cluster, Group group, Tasks tasks) throws CommonWarmUp.Failure {
    CommonWarmUp.over(
        cluster,
        tasks.neverTried(),
        group.commonWarmUp(),
        context.clock(),
        told(blockWords(group), Optional.empty()));
  }

  private Cluster start(Group group, Workers workers) {
    told(blockWords(group), Optional.empty()).accept("start the processes", 0.0);
    starts++;
    String label = "block-%d-start-%d".formatted(group.block() + 1, starts);
    return Cluster.start(
        new Recipe(
            workers,
            sites(),
            context.plan(),
            context.folder(),
            group.trials().get(0).settings().with(group.process()),
            Runs.relayed(group),
            label));
  }

  private static String blockWords(Group group) {
    return "block " + (group.block() + 1);
  }

  /**
   * @param goesOn whether the cluster is used after the last trial
   */
  private void trials(Cluster cluster, Tasks tasks, boolean goesOn) {
    while (!tasks.isEmpty() && cluster.whole()) {
      Task task = tasks.next();
      TrialRun trial =
          new TrialRun(
              cluster,
              task.spec(),
              task.attempt(),
              context.clock(),
              context.limits(),
              ceiling.of(task.spec()),
              told(words(task.spec()), Optional.of(task)));
      long from = context.clock().millis();
      TrialRun.Left left = trial.measure(result -> goesOn || tasks.goOnAfter(result));
      left.latencies()
          .ifPresent(
              histograms ->
                  histograms.write(
                      context.folder().histogram(task.spec().id(), task.attempt()), from));
      tasks.record(task, left.result());
      if (left.result().outcome() == TrialResult.Outcome.FAILED) {
        return;
      }
    }
  }

  /** The treatment in the words of its levels. */
  public static String words(TrialSpec spec) {
    return words(spec.levels(), spec.path());
  }

  static String words(java.util.Map<String, String> levels, String path) {
    return Labels.of(levels, path);
  }

  private BiConsumer<String, Double> told(String what, Optional<Task> task) {
    int total = context.plan().trials().size();
    int done = (int) finished.stream().map(TrialResult::trial).distinct().count();
    int block =
        groupIndex < context.plan().groups().size()
            ? context.plan().groups().get(groupIndex).block()
            : 0;
    String suffix = task.filter(t -> t.attempt() > 1).isPresent() ? " (again)" : "";
    double left = forecast.left(context.plan(), finished, groupIndex);
    long since = System.nanoTime();
    return (phase, rate) ->
        context
            .progress()
            .now(
                new Progress.Now(
                    done,
                    total,
                    block,
                    what + suffix,
                    phase,
                    rate,
                    Math.max(0, left - (System.nanoTime() - since) / 1e9)));
  }
}
