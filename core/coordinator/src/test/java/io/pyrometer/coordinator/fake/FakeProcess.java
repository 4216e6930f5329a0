package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.process.CpuQuota;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A worker that answers as its {@link FakeGrid} tells it to, or dies, hangs or refuses. */
public final class FakeProcess implements ManagedProcess {
  private final String name;
  private final FakeGrid grid;
  private final VirtualTime time;
  private final List<Command> told = new ArrayList<>();
  private final List<CompletableFuture<Answer>> unanswered = new ArrayList<>();
  private Optional<String> death = Optional.empty();
  private Consumer<Answer.Sample> samples = sample -> {};
  private final IdentityHashMap<Command, CpuQuota> quotas = new IdentityHashMap<>();
  private CpuQuota quota = CpuQuota.NONE;
  private Supplier<OptionalDouble> used = OptionalDouble::empty;
  private boolean killed;
  private boolean leaves;
  private boolean stopped;

  FakeProcess(String name, FakeGrid grid, VirtualTime time) {
    this.name = name;
    this.grid = grid;
    this.time = time;
  }

  public List<Command> told() {
    return List.copyOf(told);
  }

  /** The CPU quota in force when it was told each command of a kind, in CPUs; 0 for none. */
  public List<Double> quotasAt(Class<? extends Command> kind) {
    return told.stream().filter(kind::isInstance).map(c -> cpusAt(c)).toList();
  }

  private double cpusAt(Command command) {
    return Optional.ofNullable(quotas.get(command)).orElse(CpuQuota.NONE).cpus();
  }

  /** Sets the CPU time that it has used, in seconds; empty where that cannot be read. */
  public void uses(Supplier<OptionalDouble> cpuSeconds) {
    used = cpuSeconds;
  }

  @Override
  public OptionalDouble cpuSeconds() {
    return used.get();
  }

  @Override
  public void limit(CpuQuota next) {
    quota = next;
  }

  /** Ends by itself, as of a crash. */
  public void die(String how) {
    death = Optional.of(name + " " + how + ".");
    unanswered.forEach(answer -> answer.completeExceptionally(gone()));
    unanswered.clear();
  }

  private WorkerException gone() {
    return WorkerException.gone(death.orElse(name + " is gone."));
  }

  public void sample(int index, long records) {
    sample(new Answer.Sample(index, records, 0, 0, false));
  }

  void sample(Answer.Sample sample) {
    samples.accept(sample);
  }

  public boolean killed() {
    return killed;
  }

  /** Returns whether it was told to leave its grid before it is killed. */
  public boolean leaves() {
    return leaves;
  }

  public boolean stopped() {
    return stopped;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean alive() {
    return death.isEmpty();
  }

  @Override
  public void onSample(Consumer<Answer.Sample> listener) {
    samples = listener;
  }

  @Override
  public CompletableFuture<Answer> send(Command command) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    if (death.isPresent()) {
      answer.completeExceptionally(gone());
      return answer;
    }
    told.add(command);
    if (command instanceof Command.Scheduled scheduled) {
      told.add(scheduled.command());
      quotas.put(scheduled.command(), quota);
    }
    quotas.put(command, quota);
    unanswered.add(answer);
    grid.answer(this, command)
        .ifPresent(
            said -> {
              unanswered.remove(answer);
              answer.complete(said);
            });
    return answer;
  }

  @Override
  public void stop(Duration timeout) {
    stopped = !killed;
    kill();
  }

  @Override
  public void leaveOnKill() {
    leaves = true;
  }

  @Override
  public void kill() {
    killed = true;
    if (death.isEmpty()) {
      die("was killed");
    }
  }

  @Override
  public Time time() {
    return time;
  }
}
