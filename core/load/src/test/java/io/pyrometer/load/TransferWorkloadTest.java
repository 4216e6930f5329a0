package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Transfers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TransferWorkloadTest {
  private static final int ACCOUNTS = 20;
  private static final int BALANCE = 2;
  private static final Settings SETTINGS =
      Trials.SETTINGS
          .with("records", ACCOUNTS)
          .with("threads", 3)
          .with("keys", "uniform")
          .with("key-sharing", "shared");
  private static final Records RECORDS = Trials.records(SETTINGS);

  private final AtomicLongArray balances = new AtomicLongArray(ACCOUNTS);

  TransferWorkloadTest() {
    for (int account = 0; account < ACCOUNTS; account++) {
      balances.set(account, filled(account));
    }
  }

  private static long filled(int account) {
    return ((Number) RECORDS.fields(account % RECORDS.size())[BALANCE]).longValue();
  }

  /** Carries transfers out in memory; {@code before} may throw or disturb. */
  private final class Accounts extends MemoryPath {
    private final LongConsumer before;

    Accounts(LongConsumer before) {
      super(1, 2, Runnable::run);
      this.before = before;
    }

    @Override
    public List<String> operations() {
      return List.of("transfer");
    }

    @Override
    public Map<String, Long> events() {
      return Map.of("calls", calls.get());
    }

    @Override
    public void call(Call call) {
      assertThat(call.key(0)).isNotEqualTo(call.key(1));
      assertThat(call.amount()).isPositive();
      before.accept(calls.incrementAndGet());
      balances.addAndGet((int) call.key(0), -call.amount());
      balances.addAndGet((int) call.key(1), call.amount());
      call.done();
    }
  }

  private Transfers.Judgement after(LongConsumer before) {
    return after(before, ACCOUNTS);
  }

  private Transfers.Judgement after(LongConsumer before, int accounts) {
    Workload workload =
        Workload.of(Trials.trial(Job.TRANSFER, SETTINGS), RECORDS, Guarantee.OF_ONE);
    List<LoadLoop> loops = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      LoadThread thread = new LoadThread(t, 3);
      AccessPath path = new Accounts(before);
      loops.add(
          new LoadLoop(workload.open(thread, path), path, SETTINGS, thread, 42, NanoClock.SYSTEM));
    }
    loops.forEach(LoadLoop::begin);
    for (int call = 0; call < 200; call++) {
      loops.forEach(LoadLoop::next);
    }
    Evidence verified = workload.verify(true, () -> ContentDigest.EMPTY, () -> contents(accounts));
    return Transfers.judge(List.of((Transfers) verified));
  }

  private StoredContents contents(int accounts) {
    Map<Long, Object[]> stored = new HashMap<>();
    for (int account = 0; account < accounts; account++) {
      Object[] fields = RECORDS.fields(account % RECORDS.size());
      fields[BALANCE] = (int) balances.get(account % ACCOUNTS);
      stored.put((long) account, fields);
    }
    return Trials.stored(stored);
  }

  @Test
  void everyBalanceIsRightAndMoneyIsNeitherMadeNorLost() {
    Transfers.Judgement judgement = after(call -> {});
    assertThat(judgement).isEqualTo(new Transfers.Judgement(ACCOUNTS, 0, 0, 0));
    long moved = 0;
    for (int account = 0; account < ACCOUNTS; account++) {
      moved += Math.abs(balances.get(account) - filled(account));
    }
    assertThat(moved).as("something was transferred").isPositive();
  }

  @Test
  void aLostUpdateIsAWrongBalance() {
    Transfers.Judgement judgement =
        after(call -> balances.addAndGet(7, call == 100 ? -1 : 0)); // by each of three threads
    assertThat(judgement).isEqualTo(new Transfers.Judgement(ACCOUNTS, 0, 1, -3));
  }

  @Test
  void aFailedTransferMayHaveBeenCarriedOutOrNot() {
    Transfers.Judgement judgement =
        after(
            call -> {
              if (call == 50) {
                throw new IllegalStateException("rolled back, perhaps");
              }
            });
    assertThat(judgement.uncertain()).isBetween(2L, 6L);
    assertThat(judgement.wrong()).isZero();
    TransferWorkloadTest half = new TransferWorkloadTest();
    assertThat(
            half.after(
                    call -> {
                      if (call == 50) {
                        half.balances.decrementAndGet(0);
                        throw new IllegalStateException("carried out by half");
                      }
                    })
                .wrong())
        .isPositive();
  }

  @Test
  void anAbsentAndAnUnexpectedAccountAreWrong() {
    assertThat(after(call -> {}, ACCOUNTS - 1).wrong()).isPositive();
    TransferWorkloadTest more = new TransferWorkloadTest();
    assertThat(more.after(call -> {}, ACCOUNTS + 2).wrong()).isEqualTo(2);
  }

  @Test
  void whatAPathCountsIsFromTheStartOfTheMeasuredPartToTheEndOfTheLastCall() {
    Accounts path = new Accounts(call -> {});
    LoadLoop loop = Trials.loop(Job.TRANSFER, SETTINGS.with("threads", 1), path, NanoClock.SYSTEM);
    MeasurementWindow window = new MeasurementWindow(List.of(loop), NanoClock.SYSTEM);
    loop.begin();
    loop.next();
    window.open();
    loop.next();
    loop.next();
    Supplier<Answer.Finished> closed = window.close();
    loop.next();
    assertThat(closed.get().events()).isEqualTo(Map.of("calls", 3L));
  }

  @Test
  void whatCannotBeVerifiedIsRefused() {
    Settings one = SETTINGS.with("records", 1);
    assertThatThrownBy(
            () ->
                Workload.of(Trials.trial(Job.TRANSFER, one), RECORDS, Guarantee.OF_ONE)
                    .open(new LoadThread(0, 1), new Accounts(call -> {})))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Update.balance(Trials.SHAPE, SETTINGS.with("update-field", "price")))
        .hasMessageContaining("'price'");
    assertThat(Update.balance(Trials.SHAPE, SETTINGS)).isEqualTo(BALANCE);
  }
}
