package io.pyrometer.chaos.trial;

import io.pyrometer.chaos.protocol.Promise;
import io.pyrometer.chaos.trial.ChaosSummary.Span;
import io.pyrometer.history.Bound;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Operation.Outcome;
import io.pyrometer.history.Timeline;
import io.pyrometer.history.Timeline.Fault;
import io.pyrometer.history.Verdict;
import io.pyrometer.history.linear.Counter;
import io.pyrometer.history.linear.Counterexample;
import io.pyrometer.history.linear.Linearizability;
import io.pyrometer.history.linear.Model;
import io.pyrometer.history.linear.Register;
import io.pyrometer.history.transaction.Anomaly;
import io.pyrometer.history.transaction.Isolation;
import io.pyrometer.history.transaction.Transaction;
import io.pyrometer.history.transaction.TransactionCheck;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the history of a trial against what the product promises. */
final class HistoryCheck {
  private final List<Operation> history;
  private final List<Fault> faults;
  private final long start;
  private final long end;

  /**
   * @param faults by the clock of the history
   * @param until when calls ended by that clock: what hangs until then has no answer so long
   */
  HistoryCheck(List<Operation> history, List<Fault> faults, long until) {
    this.history = history;
    this.faults = faults;
    this.start = history.stream().mapToLong(Operation::invoked).min().orElse(0);
    this.end = Math.max(until, history.stream().mapToLong(this::ended).max().orElse(0));
  }

  private long ended(Operation operation) {
    return operation.ok() ? operation.completed() : operation.invoked();
  }

  /**
   * @param level promised of transactions; empty for single operations
   * @param promise of single operations
   * @param seed of the trial
   */
  ChaosSummary judge(Optional<Isolation> level, Promise promise, long seed) {
    return level.isPresent() ? transactions(level.get(), seed) : operations(promise, seed);
  }

  private ChaosSummary operations(Promise promise, long seed) {
    boolean counts = history.stream().anyMatch(each -> each.function().equals("add"));
    Linearizability checked =
        counts
            ? check(new Counter(), promise)
            : check(promise == Promise.REGULAR ? Register.OF_WRITES : Register.EMPTY, promise);
    List<Operation> least =
        checked.counterexample().map(Counterexample::operations).orElse(List.of());
    String text =
        switch (checked.verdict()) {
          case VALID -> "";
          case UNKNOWN ->
              "The search reached its bound at %d of %d keys."
                  .formatted(checked.undecided().size(), checked.keys());
          case INVALID ->
              "No order of these operations on the key %s explains their results:%n%s"
                  .formatted(least.get(0).key(), Timeline.draw(least, faults, start));
        };
    boolean unpromised = promise == Promise.NONE;
    return summary(promise.words(), seed, unpromised, checked.verdict(), least, text);
  }

  private <S> Linearizability check(Model<S> model, Promise promise) {
    return promise == Promise.REGULAR
        ? Linearizability.checkEachRead(model, history, Bound.DEFAULT)
        : Linearizability.check(model, history, Bound.DEFAULT);
  }

  private ChaosSummary transactions(Isolation level, long seed) {
    TransactionCheck checked = TransactionCheck.of(history, level, false, Bound.DEFAULT);
    Optional<Anomaly> first =
        checked.anomalies().stream().filter(each -> level.excludes(each.type())).findFirst();
    List<Operation> calls =
        first.map(Anomaly::transactions).orElse(List.of()).stream().map(Transaction::call).toList();
    String text =
        first
            .map(
                each ->
                    "%s:%n%s%n%s"
                        .formatted(
                            each.type().title(),
                            each.describe(),
                            Timeline.draw(calls, faults, start)))
            .orElse("");
    return summary(level.words(), seed, false, checked.verdict(), calls, text);
  }

  private ChaosSummary summary(
      String promise,
      long seed,
      boolean unpromised,
      Verdict verdict,
      List<Operation> least,
      String text) {
    return new ChaosSummary(
        promise,
        verdict,
        history.stream().filter(each -> each.outcome() != Outcome.FAILED).count(),
        history.stream().filter(each -> each.outcome() == Outcome.UNKNOWN).count(),
        outage() / 1e9,
        faults.stream().map(fault -> span("", fault.name(), fault.from(), fault.to())).toList(),
        Stream.concat(
                least.stream()
                    .map(
                        each ->
                            span(
                                "process " + each.process(),
                                each.describe(),
                                each.invoked(),
                                each.completed())),
                faults.stream()
                    .filter(fault -> !least.isEmpty() && fault.overlaps(least))
                    .map(fault -> span("", fault.name(), fault.from(), fault.to())))
            .toList(),
        text,
        seed,
        unpromised);
  }

  private Span span(String of, String name, long from, long to) {
    return new Span(of, name, (from - start) / 1e6, (Math.min(to, end) - from) / 1e6);
  }

  private long outage() {
    long longest = 0;
    long last = start;
    for (long completed :
        history.stream().filter(Operation::ok).mapToLong(Operation::completed).sorted().toArray()) {
      longest = Math.max(longest, completed - last);
      last = completed;
    }
    return Math.max(longest, end - last);
  }
}
