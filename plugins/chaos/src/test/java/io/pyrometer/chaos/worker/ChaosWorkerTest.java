package io.pyrometer.chaos.worker;

import static io.pyrometer.chaos.protocol.ChaosMessages.command;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.chaos.api.ChaosClient;
import io.pyrometer.chaos.api.ChaosGrid;
import io.pyrometer.chaos.api.ChaosSession;
import io.pyrometer.chaos.protocol.ChaosMessages;
import io.pyrometer.chaos.protocol.ChaosMessages.Collect;
import io.pyrometer.chaos.protocol.ChaosMessages.Look;
import io.pyrometer.chaos.protocol.ChaosMessages.Prepare;
import io.pyrometer.chaos.protocol.ChaosMessages.Recorded;
import io.pyrometer.chaos.protocol.ChaosMessages.Seen;
import io.pyrometer.chaos.protocol.ChaosSettings;
import io.pyrometer.chaos.protocol.Promise;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands.Surroundings;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.history.Bound;
import io.pyrometer.history.HistoryFile;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Operation.Outcome;
import io.pyrometer.history.Verdict;
import io.pyrometer.history.linear.Counter;
import io.pyrometer.history.linear.Linearizability;
import io.pyrometer.history.linear.Register;
import io.pyrometer.history.transaction.Isolation;
import io.pyrometer.history.transaction.TransactionCheck;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent calls and records, over a store in memory. */
class ChaosWorkerTest {
  private static final int OPERATIONS = 1_500;

  @TempDir Path folder;

  /** A correct store, unless one of its clients is told to fail. */
  private static class Store implements GridSession, ChaosGrid, ChaosSession {
    final Map<Long, Long> numbers = new HashMap<>();
    final Map<Long, Long> firsts = new HashMap<>();
    final Map<Long, List<Long>> lists = new HashMap<>();
    final CountDownLatch calls = new CountDownLatch(OPERATIONS);
    private final Optional<Isolation> isolation;

    Store(Optional<Isolation> isolation) {
      this.isolation = isolation;
    }

    OptionalLong read(int process, long key) {
      Long found = numbers.get(key);
      return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    void afterWrite(int process) {}

    @Override
    public Promise promise() {
      return Promise.LINEARIZABLE;
    }

    @Override
    public ChaosClient client(int process) {
      return new ChaosClient() {
        @Override
        public OptionalLong read(long key) {
          synchronized (Store.this) {
            calls.countDown();
            return Store.this.read(process, key);
          }
        }

        @Override
        public void write(long key, long value) {
          synchronized (Store.this) {
            calls.countDown();
            firsts.putIfAbsent(key, value);
            numbers.put(key, value);
          }
          afterWrite(process);
        }

        @Override
        public boolean replace(long key, long expected, long value) {
          synchronized (Store.this) {
            calls.countDown();
            return numbers.replace(key, expected, value);
          }
        }

        @Override
        public void increment(long key) {
          synchronized (Store.this) {
            calls.countDown();
            numbers.merge(key, 1L, Long::sum);
          }
        }

        @Override
        public List<List<Long>> transact(long[] keys, long[] appended) {
          synchronized (Store.this) {
            calls.countDown();
            List<List<Long>> found = new ArrayList<>();
            for (int i = 0; i < keys.length; i++) {
              found.add(lists.getOrDefault(keys[i], List.of()));
              if (appended[i] != READ) {
                List<Long> longer = new ArrayList<>(found.get(i));
                longer.add(appended[i]);
                lists.put(keys[i], List.copyOf(longer));
              }
            }
            return found;
          }
        }
      };
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of("copies", "1");
    }

    @Override
    public Optional<Isolation> isolation() {
      return isolation;
    }

    @Override
    public boolean whole(int servers) {
      throw new IllegalStateException("cannot be asked");
    }

    @Override
    public TrialSession open(TrialSpec trial, Records records, boolean creator) {
      throw new IllegalStateException("no load trials");
    }

    @Override
    public ChaosSession openChaos(TrialSpec trial) {
      return this;
    }

    @Override
    public void destroy() {
      numbers.clear();
    }

    @Override
    public void close() {}
  }

  private List<Operation> record(Store store) throws Exception {
    return record(store, ChaosSettings.REGISTERS);
  }

  private List<Operation> record(Store store, String path) throws Exception {
    Settings settings =
        Settings.NONE
            .with(CoreSettings.PATH, path)
            .with(ChaosSettings.OPERATIONS_RATE, 20_000.0)
            .with(ChaosSettings.CALLERS, 6)
            .with(ChaosSettings.KEYS, 3)
            .with(ChaosSettings.KEY_OPERATIONS, 100)
            .with(CoreSettings.DRAIN_TIMEOUT, 10.0);
    TrialSpec trial =
        new TrialSpec(
            "0001",
            0,
            0,
            Map.of(),
            ChaosMessages.JOB,
            settings,
            new RecordShape("chaos", Optional.empty(), List.of()),
            7);
    Surroundings surroundings =
        new Surroundings(
            () -> {
              throw new IllegalStateException("not asked for");
            },
            Optional.of(store),
            sample -> {});
    try (ChaosWorker worker = new ChaosWorker()) {
      assertThat(worker.answer(new Command.Begin(), surroundings)).isEmpty();
      Answer unused =
          worker.answer(command(new Prepare(trial, folder.toString())), surroundings).orElseThrow();
      Seen seen = ask(worker.answer(command(new Look(3)), surroundings), Seen.class);
      assertThat(seen.whole()).as("a grid that cannot be asked has not recovered").isFalse();
      assertThat(worker.answer(new Command.Begin(), surroundings)).isPresent();
      assertThat(worker.answer(new Command.Measure(), surroundings)).isPresent();
      assertThat(store.calls.await(60, TimeUnit.SECONDS)).isTrue();
      Answer.Finished finished =
          (Answer.Finished) worker.answer(new Command.Finish(), surroundings).orElseThrow();
      assertThat(finished.records()).isPositive();
      Recorded recorded = ask(worker.answer(command(new Collect()), surroundings), Recorded.class);
      assertThat(recorded.logBytes()).isEqualTo(Files.size(Path.of(recorded.log())));
      return HistoryFile.read(
          Files.readString(Path.of(recorded.log())), store.isolation().isEmpty());
    }
  }

  private static <T> T ask(Optional<Answer> answer, Class<T> kind) {
    return ((Answer.OfKind) answer.orElseThrow()).as(kind);
  }

  @Test
  void theHistoryOfACorrectStoreIsLinearizable() throws Exception {
    List<Operation> history = record(new Store(Optional.empty()));
    assertThat(history).hasSizeGreaterThanOrEqualTo(OPERATIONS);
    assertThat(history).extracting(Operation::function).contains("read", "write", "cas");
    Linearizability checked = Linearizability.check(Register.EMPTY, history, Bound.DEFAULT);
    assertThat(checked.verdict()).isEqualTo(Verdict.VALID);
    assertThat(checked.keys()).as("keys are replaced").isGreaterThan(3);
  }

  @Test
  void incrementsAreCountedOnce() throws Exception {
    List<Operation> history = record(new Store(Optional.empty()), ChaosSettings.COUNTERS);
    assertThat(history).extracting(Operation::function).containsOnly("read", "add");
    assertThat(Linearizability.check(new Counter(), history, Bound.DEFAULT).verdict())
        .isEqualTo(Verdict.VALID);
  }

  @Test
  void aCopyThatStaysBehindIsFound() throws Exception {
    Store stale =
        new Store(Optional.empty()) {
          @Override
          OptionalLong read(int process, long key) {
            return process == 0 && firsts.containsKey(key)
                ? OptionalLong.of(firsts.get(key))
                : super.read(process, key);
          }
        };
    Linearizability checked = Linearizability.check(Register.EMPTY, record(stale), Bound.DEFAULT);
    assertThat(checked.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(checked.counterexample().orElseThrow().operations()).hasSizeLessThan(10);
  }

  @Test
  void aCallWithoutAnAnswerIsUnknownAndEndsItsProcess() throws Exception {
    Store losing =
        new Store(Optional.empty()) {
          @Override
          void afterWrite(int process) {
            if (process == 1) {
              throw new IllegalStateException("connection lost");
            }
          }
        };
    List<Operation> history = record(losing);
    assertThat(history)
        .filteredOn(operation -> operation.outcome() == Outcome.UNKNOWN)
        .hasSizeGreaterThan(1)
        .allMatch(operation -> operation.function().equals("write"))
        .extracting(Operation::process)
        .doesNotHaveDuplicates();
    assertThat(Linearizability.check(Register.EMPTY, history, Bound.DEFAULT).verdict())
        .isNotEqualTo(Verdict.INVALID);
  }

  @Test
  void theHistoryOfTransactionsIsSerializable() throws Exception {
    List<Operation> history = record(new Store(Optional.of(Isolation.STRICT_SERIALIZABLE)));
    TransactionCheck checked =
        TransactionCheck.of(history, Isolation.STRICT_SERIALIZABLE, false, Bound.DEFAULT);
    assertThat(checked.anomalies()).isEmpty();
    assertThat(checked.transactions()).isGreaterThanOrEqualTo(OPERATIONS);
  }
}
