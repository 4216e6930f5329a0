package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Any grid behind a driver that has a defect. Calls also end without an answer, before or after
 * they took effect, as under faults: that is none.
 */
final class DefectiveGrid implements GridSession, ChaosGrid {
  private static final double UNANSWERED = 1.0 / 200;

  /** What goes wrong with a call that is acknowledged as if nothing had. */
  enum Defect {
    NONE,
    /** A write is not executed. */
    LOSES,
    /** A write is executed after the next one of its key. */
    REORDERS,
    /** A read returns the value before the last. */
    STALE,
    /** An increment is executed twice. */
    TWICE,
    /** A transaction is executed as two. */
    SPLITS
  }

  private final ChaosGrid correct;
  private final Defect defect;
  private final double probability;
  private final SplittableRandom random;
  private final Map<Long, Long> late = new HashMap<>();
  private final Map<Long, Long> last = new HashMap<>();
  private final Map<Long, Long> before = new HashMap<>();

  /**
   * @param probability of the defect, for each call that can have it
   */
  DefectiveGrid(ChaosGrid correct, Defect defect, double probability, long seed) {
    this.correct = correct;
    this.defect = defect;
    this.probability = probability;
    this.random = new SplittableRandom(seed);
  }

  private synchronized boolean happens(double share) {
    return random.nextDouble() < share;
  }

  private boolean strikes(Defect kind) {
    return defect == kind && happens(probability);
  }

  private synchronized void written(long key, long value) {
    Long old = last.put(key, value);
    if (old != null) {
      before.put(key, old);
    }
  }

  private synchronized Optional<Long> heldBack(long key) {
    return Optional.ofNullable(late.remove(key));
  }

  private synchronized void holdBack(long key, long value) {
    late.put(key, value);
  }

  private synchronized OptionalLong valueBefore(long key) {
    Long old = before.get(key);
    return old == null ? OptionalLong.empty() : OptionalLong.of(old);
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    return new Session(correct.openChaos(trial));
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    throw new IllegalStateException("no load trials");
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of();
  }

  @Override
  public void close() {}

  private final class Client implements ChaosClient {
    private final ChaosClient client;

    Client(ChaosClient client) {
      this.client = client;
    }

    private void unanswered() {
      if (happens(UNANSWERED)) {
        throw new IllegalStateException("connection lost");
      }
    }

    @Override
    public OptionalLong read(long key) {
      unanswered();
      OptionalLong stale = strikes(Defect.STALE) ? valueBefore(key) : OptionalLong.empty();
      return stale.isPresent() ? stale : client.read(key);
    }

    @Override
    public void write(long key, long value) {
      unanswered();
      if (strikes(Defect.REORDERS)) {
        holdBack(key, value);
      } else if (!strikes(Defect.LOSES)) {
        client.write(key, value);
        written(key, value);
        heldBack(key).ifPresent(old -> client.write(key, old));
      }
      unanswered();
    }

    @Override
    public boolean replace(long key, long expected, long value) {
      unanswered();
      boolean replaced = client.replace(key, expected, value);
      if (replaced) {
        written(key, value);
      }
      unanswered();
      return replaced;
    }

    @Override
    public void increment(long key) {
      unanswered();
      client.increment(key);
      if (strikes(Defect.TWICE)) {
        client.increment(key);
      }
      unanswered();
    }

    @Override
    public List<List<Long>> transact(long[] keys, long[] appended) {
      unanswered();
      int first = keys.length > 1 && strikes(Defect.SPLITS) ? 1 : keys.length;
      List<List<Long>> found =
          new ArrayList<>(
              client.transact(Arrays.copyOf(keys, first), Arrays.copyOf(appended, first)));
      if (first < keys.length) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        found.addAll(
            client.transact(
                Arrays.copyOfRange(keys, first, keys.length),
                Arrays.copyOfRange(appended, first, keys.length)));
      }
      unanswered();
      return found;
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private final class Session implements ChaosSession {
    private final ChaosSession session;

    Session(ChaosSession session) {
      this.session = session;
    }

    @Override
    public Map<String, String> configuration() {
      return session.configuration();
    }

    @Override
    public Optional<Isolation> isolation() {
      return session.isolation();
    }

    @Override
    public Promise promise() {
      return session.promise();
    }

    @Override
    public ChaosClient client(int process) {
      return new Client(session.client(process));
    }

    @Override
    public boolean whole(int servers) {
      return session.whole(servers);
    }

    @Override
    public void destroy() {
      session.destroy();
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
