package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A correct store in memory, unless a subclass fails. */
class MemoryGrid implements GridSession, ChaosGrid, ChaosSession {
  final Map<Long, Long> numbers = new HashMap<>();
  final Map<Long, List<Long>> lists = new HashMap<>();
  private final Optional<Isolation> isolation;

  MemoryGrid(Optional<Isolation> isolation) {
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
        synchronized (MemoryGrid.this) {
          return MemoryGrid.this.read(process, key);
        }
      }

      @Override
      public void write(long key, long value) {
        synchronized (MemoryGrid.this) {
          numbers.put(key, value);
        }
        afterWrite(process);
      }

      @Override
      public boolean replace(long key, long expected, long value) {
        synchronized (MemoryGrid.this) {
          return numbers.replace(key, expected, value);
        }
      }

      @Override
      public void increment(long key) {
        synchronized (MemoryGrid.this) {
          numbers.merge(key, 1L, Long::sum);
        }
      }

      @Override
      public List<List<Long>> transact(long[] keys, long[] appended) {
        synchronized (MemoryGrid.this) {
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
