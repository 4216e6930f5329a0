package io.pyrometer.lab.run;

import io.pyrometer.lab.experiment.Group;
import io.pyrometer.lab.experiment.Labels;
import io.pyrometer.lab.journal.Journal;
import io.pyrometer.lab.process.Sites;
import io.pyrometer.lab.process.WorkerException;
import io.pyrometer.lab.process.Workers;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.TrialResult;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

  private final RunContext context;
  private final Forecast forecast = new Forecast();
  private final List<TrialResult> finished = new ArrayList<>();
  private boolean saidInVain;
  private Ceiling ceiling = Ceiling.UNKNOWN;
  private Optional<Sites> sites = Optional.empty();
  private int starts;
  private int groupIndex;

  private RunLoop(RunContext context) {
    this.context = context;
    finished.addAll(context.folder().trials());
  }

  /** One trial to make. */
  private record Task(TrialSpec spec, int attempt) {}

  /**
   * Returns when every trial is in the journal.
   *
   * @return all trials of the run in the order they were made
   * @throws io.pyrometer.lab.journal.RunException if the journal cannot be written
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
    if (groups.stream().allMatch(group -> tasks(group).isEmpty())) {
      probeOnly(groups, probing, journal, workers);
      return;
    }
    ceiling = ceiling(workers);
    for (groupIndex = 0; groupIndex < groups.size(); groupIndex++) {
      Group group = groups.get(groupIndex);
      Deque<Task> tasks = tasks(group);
      if (!tasks.isEmpty()) {
        work(group, tasks, probing, journal, workers);
        blockDone(groups, group.block());
      }
    }
    probeOnly(groups, probing, journal, workers);
  }

  /** A run that was stopped between its trials and its probes owes the probes alone. */
  private void probeOnly(List<Group> groups, Probing probing, Journal journal, Workers workers) {
    for (groupIndex = 0; groupIndex < groups.size() && !workers.ending(); groupIndex++) {
      work(groups.get(groupIndex), new ArrayDeque<>(), probing, journal, workers);
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

  /** Trials that were never made, then those to be made again. */
  private Deque<Task> tasks(Group group) {
    Deque<Task> tasks = new ArrayDeque<>();
    for (TrialSpec spec : group.trials()) {
      if (finished.stream().noneMatch(trial -> trial.trial().equals(spec.id()))) {
        tasks.add(new Task(spec, 1));
      }
    }
    for (TrialSpec spec : group.trials()) {
      finished.stream()
          .filter(trial -> trial.trial().equals(spec.id()) && Repeats.due(trial, finished))
          .findFirst()
          .ifPresent(trial -> tasks.add(new Task(spec, 2)));
    }
    return tasks;
  }

  private void work(
      Group group, Deque<Task> tasks, Probing probing, Journal journal, Workers workers) {
    if (tasks.isEmpty() && probing.due(group).isEmpty()) {
      return;
    }
    Optional<String> tooLarge = Runs.doesNotFit(context.plan(), group, sites());
    if (tooLarge.isPresent()) {
      couldNotStart(tasks, tooLarge.get(), true, journal);
      probing.giveUp(group, tooLarge.get());
    }
    int inVain = 0;
    while (!(tasks.isEmpty() && probing.due(group).isEmpty()) && !workers.ending()) {
      long begun = System.nanoTime();
      try (Cluster cluster = start(group, workers)) {
        double up = (System.nanoTime() - begun) / 1e9;
        warmUp(cluster, group, tasks);
        inVain = 0;
        context
            .progress()
            .note(
                String.format(
                    Locale.ROOT,
                    "%s: processes up after %.1f s, warmed up together after %.1f s",
                    blockWords(group),
                    up,
                    (System.nanoTime() - begun) / 1e9));
        trials(cluster, tasks, journal);
        if (tasks.isEmpty() && !workers.ending()) {
          probing.make(cluster, group);
        }
      } catch (CommonWarmUp.Failure failure) {
        TrialRun.grace();
        couldNotWarmUp(tasks, failure, journal);
      } catch (WorkerException failure) {
        inVain++;
        boolean giveUp = inVain >= STARTS_IN_VAIN;
        couldNotStart(tasks, failure.sentence(), giveUp, journal);
        if (giveUp && tasks.isEmpty()) {
          probing.giveUp(group, failure.sentence());
        }
      }
    }
  }

  /** A trial that is made again is left out: what it may do to others, it did. */
  private void warmUp(Cluster cluster, Group group, Deque<Task> tasks) throws CommonWarmUp.Failure {
    CommonWarmUp.over(
        cluster,
        tasks.stream().filter(task -> task.attempt() == 1).map(Task::spec).toList(),
        context.clock(),
        told(blockWords(group), Optional.empty()));
  }

  /** The trials of the path at fault have failed; the others are to be made on fresh processes. */
  private void couldNotWarmUp(Deque<Task> tasks, CommonWarmUp.Failure failure, Journal journal) {
    for (Task task : List.copyOf(tasks)) {
      if (task.spec().path().equals(failure.path()) && task.attempt() == 1) {
        tasks.remove(task);
        String why = "While the processes were to warm up: " + failure.sentence();
        record(task, notBegun(task, task.attempt(), why), tasks, journal);
      }
    }
  }

  private Cluster start(Group group, Workers workers) {
    told(blockWords(group), Optional.empty()).accept("start the processes", 0.0);
    starts++;
    String label = "block-%d-start-%d".formatted(group.block() + 1, starts + priorStarts());
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

  /** Keeps the logs of a run that is carried on apart from those before. */
  private int priorStarts() {
    int n = 0;
    for (TrialResult trial : finished) {
      n = Math.max(n, trial.ordinal() + 1);
    }
    return starts == 1 && n > 0 ? n * 10 : 0;
  }

  private static String blockWords(Group group) {
    return "block " + (group.block() + 1);
  }

  private void trials(Cluster cluster, Deque<Task> tasks, Journal journal) {
    while (!tasks.isEmpty() && cluster.whole()) {
      Task task = tasks.remove();
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
      TrialRun.Left left = trial.measure();
      left.latencies()
          .ifPresent(
              histograms ->
                  histograms.write(
                      context.folder().histogram(task.spec().id(), task.attempt()),
                      from,
                      context.clock().millis()));
      record(task, left.result(), tasks, journal);
      if (left.result().outcome() == TrialResult.Outcome.FAILED) {
        return;
      }
    }
  }

  private void couldNotStart(Deque<Task> tasks, String why, boolean giveUp, Journal journal) {
    int attempts = giveUp ? tasks.size() : 1;
    for (int i = 0; i < attempts && !tasks.isEmpty(); i++) {
      Task task = tasks.remove();
      TrialResult result =
          notBegun(task, giveUp ? 2 : task.attempt(), "While the grid was to start: " + why);
      record(task, result, tasks, journal);
    }
  }

  private TrialResult notBegun(Task task, int attempt, String why) {
    return TrialResult.notBegun(task.spec(), attempt, context.clock().instant().toString(), why);
  }

  private void record(Task task, TrialResult result, Deque<Task> tasks, Journal journal) {
    if (!journal.append(result)) {
      tasks.clear();
      return;
    }
    finished.add(result);
    forecast.learn(task.spec(), result);
    context.progress().trial(result);
    if (Repeats.due(result, finished)) {
      tasks.addLast(new Task(task.spec(), 2));
    } else if (Repeats.inVain(finished) && !saidInVain) {
      saidInVain = true;
      context
          .progress()
          .note(
              "Repeating does not help: the machine is disturbed all the time, so disturbed trials"
                  + " are kept and marked.");
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
