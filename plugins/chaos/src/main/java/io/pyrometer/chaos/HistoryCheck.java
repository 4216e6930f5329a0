package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosSummary.Span;
import io.pyrometer.chaos.history.Anomaly;
import io.pyrometer.chaos.history.Budget;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.chaos.history.Linearizability;
import io.pyrometer.chaos.history.Model;
import io.pyrometer.chaos.history.Model.Counter;
import io.pyrometer.chaos.history.Model.Register;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.chaos.history.Timeline;
import io.pyrometer.chaos.history.Timeline.Fault;
import io.pyrometer.chaos.history.TransactionCheck;
import io.pyrometer.chaos.history.Verdict;
import io.pyrometer.protocol.message.Messages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks the history of a trial against what the product promises. */
final class HistoryCheck {
  /** Most lines of a counterexample, with its title. */
  private static final int MAX_LINES = 10;

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
    List<Operation> least = checked.counterexample();
    String text =
        switch (checked.verdict()) {
          case VALID -> "";
          case UNKNOWN ->
              Messages.format("chaos.keys-not-checked")
                  .formatted(checked.undecided().size(), checked.keys());
          case INVALID ->
              drawn(
                  (unwritten(least)
                          ? Messages.format("chaos.unwritten-read")
                          : Messages.format("chaos.no-order"))
                      .formatted(least.get(0).key()),
                  least,
                  each -> "process %d: %s".formatted(each.process(), each.describe()));
        };
    boolean unpromised = promise == Promise.NONE;
    return summary(promise.words(), seed, unpromised, checked.verdict(), least, text);
  }

  /** A read that contradicts a register without any write. */
  private static boolean unwritten(List<Operation> least) {
    return least.size() == 1
        && least.get(0).function().equals("read")
        && !least.get(0).result().equals(0L);
  }

  private String drawn(String title, List<Operation> calls, Function<Operation, String> label) {
    List<String> lines = Timeline.draw(calls, label, faults, start).lines().toList();
    int shown = lines.size() < MAX_LINES ? lines.size() : MAX_LINES - 2;
    String rest = shown < lines.size() ? "%n… and %d more".formatted(lines.size() - shown) : "";
    return title + "\n" + String.join("\n", lines.subList(0, shown)) + rest;
  }

  private <S> Linearizability check(Model<S> model, Promise promise) {
    return promise == Promise.REGULAR
        ? Linearizability.checkEachRead(model, history, Budget.of(Budget.TIME))
        : Linearizability.check(model, history, Budget.of(Budget.TIME));
  }

  private ChaosSummary transactions(Isolation level, long seed) {
    TransactionCheck checked = TransactionCheck.of(history, level, Budget.of(Budget.TIME));
    Optional<Anomaly> first =
        checked.anomalies().stream().filter(each -> level.excludes(each.type())).findFirst();
    Map<Operation, String> calls = new LinkedHashMap<>();
    first.ifPresent(each -> each.transactions().forEach(t -> calls.put(t.call(), t.describe())));
    List<Operation> least = List.copyOf(calls.keySet());
    String text =
        switch (checked.verdict()) {
          case VALID -> "";
          case UNKNOWN -> Messages.format("chaos.not-checked");
          case INVALID ->
              drawn(
                  "%s: %s"
                      .formatted(
                          first.orElseThrow().type().title(), first.orElseThrow().explanation()),
                  least,
                  each -> calls.getOrDefault(each, ""));
        };
    return summary(level.words(), seed, false, checked.verdict(), least, text);
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
        faults.stream().map(this::span).toList(),
        Stream.concat(
                least.stream().map(this::span),
                faults.stream()
                    .filter(fault -> !least.isEmpty() && fault.overlaps(least))
                    .map(this::span))
            .toList(),
        text,
        seed,
        unpromised);
  }

  private Span span(Fault fault) {
    return span("", fault.name(), fault.from(), fault.to());
  }

  private Span span(Operation call) {
    return span("process " + call.process(), call.describe(), call.invoked(), call.completed());
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
