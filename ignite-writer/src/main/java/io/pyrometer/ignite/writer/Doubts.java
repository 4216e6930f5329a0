package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of calls that were sent and have no known outcome. Such a write may be applied at any
 * later time, and would overwrite a newer one, so that later writes of its key wait here.
 *
 * <p>A doubt ends when its call ends after all, when the node that held the request has left, when
 * the application releases its keys, or after a time. Then the keys are read back: a write that was
 * applied is acknowledged, another is sent again, unless a newer one takes its place.
 *
 * <p>Locks are taken in the order lane, then this.
 */
final class Doubts {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  /** What became of a write that was about to be sent. */
  enum Parked {
    /** Its key is not in doubt. */
    NO,
    /** It waits. */
    FIRST,
    /** It waits in the place of an earlier one. */
    AGAIN
  }

  /** A key, equal to another of the same class alone: see {@link PendingQueue}. */
  private record Key(Class<?> type, Object key) {
    static Key of(Object key) {
      return new Key(key.getClass(), key);
    }
  }

  private static final class Held {
    private final Doubt doubt;
    private final PendingWrite own;
    private boolean ownIsLive;
    private boolean released;
    private @Nullable PendingWrite next;
    private @Nullable Lane nextLane;

    Held(Doubt doubt, PendingWrite own) {
      this.doubt = doubt;
      this.own = own;
      this.ownIsLive = !own.isDecided();
    }

    /** The lane whose lock keeps newer writes of the key from being sent. */
    Lane lane() {
      return ownIsLive || nextLane == null ? doubt.lane : nextLane;
    }
  }

  private final Settings settings;
  private final CachePort port;
  private final Workers workers;
  private final Codec codec;
  private final Completions<?, ?> completions;
  private final Map<Key, Held> held = new HashMap<>();
  private final Set<Doubt> doubts = new LinkedHashSet<>();
  private volatile boolean any;
  private PendingWrite.@Nullable Failure abandoned;

  Doubts(
      Settings settings,
      CachePort port,
      Workers workers,
      Codec codec,
      Completions<?, ?> completions) {
    this.settings = settings;
    this.port = port;
    this.workers = workers;
    this.codec = codec;
    this.completions = completions;
  }

  /** Whether any key is in doubt: false costs one read. */
  boolean any() {
    return any;
  }

  synchronized int size() {
    return held.size();
  }

  /** Lets a write wait if its key is in doubt. Under its lane's lock. */
  synchronized Parked park(PendingWrite write, Lane lane) {
    @Nullable Held key = held.get(Key.of(write.key));
    if (key == null) {
      return Parked.NO;
    }
    @Nullable PendingWrite before = key.next;
    write.holder = key.doubt;
    key.next = write;
    key.nextLane = lane;
    if (before == null) {
      return Parked.FIRST;
    }
    write.supersede(before);
    return Parked.AGAIN;
  }

  /** Adds a doubt, before another batch of its lane is taken. */
  void add(Doubt doubt) {
    LOG.log(
        Logger.Level.WARNING,
        "cache {0}: {1} writes sent to node {2} are in doubt, for at most {3} s: {4}",
        port.name(),
        doubt.writes.size(),
        doubt.lane.nodeName(),
        settings.inDoubtFor.toSeconds(),
        doubt.cause);
    int live = 0;
    PendingWrite.@Nullable Failure failure;
    synchronized (doubt.lane) {
      synchronized (this) {
        failure = abandoned;
        for (PendingWrite write : doubt.writes) {
          write.holder = doubt;
          Held key = new Held(doubt, write);
          live += key.ownIsLive ? 1 : 0;
          held.put(Key.of(write.key), key);
        }
        doubts.add(doubt);
        any = true;
      }
      doubt.lane.away(live);
    }
    if (failure != null) {
      completions.failNow(doubt.writes, failure);
    }
  }

  /** Fails writes that were accepted before an instant, and ends the doubts that are over. */
  void tick(long limit) {
    if (!any) {
      return;
    }
    expire(limit);
    List<Doubt> over = new ArrayList<>();
    synchronized (this) {
      for (Doubt doubt : doubts) {
        if (!doubt.resolving && (isOver(doubt) || hasReleased(doubt))) {
          doubt.resolving = true;
          over.add(doubt);
        }
      }
    }
    over.forEach(doubt -> workers.execute(() -> resolve(doubt)));
  }

  private boolean isOver(Doubt doubt) {
    return doubt.hasEnded()
        || System.nanoTime() - doubt.since >= Nanos.of(settings.inDoubtFor)
        || hasLeft(doubt.lane.node());
  }

  private boolean hasLeft(Object node) {
    try {
      return port.hasLeft(node);
    } catch (RuntimeException disconnected) {
      return false;
    }
  }

  private boolean hasReleased(Doubt doubt) {
    return doubt.writes.stream()
        .map(write -> held.get(Key.of(write.key)))
        .anyMatch(key -> key != null && key.doubt == doubt && key.released);
  }

  private void expire(long limit) {
    List<PendingWrite> inDoubt = new ArrayList<>();
    List<PendingWrite> notSent = new ArrayList<>();
    Map<Lane, Integer> gone = new HashMap<>();
    synchronized (this) {
      for (Held key : held.values()) {
        if (key.ownIsLive && key.own.since - limit < 0) {
          key.ownIsLive = false;
          inDoubt.add(key.own);
          gone.merge(key.doubt.lane, 1, Integer::sum);
        }
        @Nullable PendingWrite next = key.next;
        @Nullable Lane lane = key.nextLane;
        if (next != null && lane != null && next.since - limit < 0) {
          key.next = null;
          key.nextLane = null;
          notSent.add(next);
          gone.merge(lane, 1, Integer::sum);
        }
      }
    }
    fail(inDoubt, true, "a write was sent and has no known outcome; it may have been applied");
    fail(notSent, false, "a write was not sent, because an earlier one of its key is in doubt");
    gone.forEach((lane, writes) -> lane.away(-writes));
  }

  private void fail(List<PendingWrite> writes, boolean inDoubt, String message) {
    if (!writes.isEmpty()) {
      WriteInDoubtException cause = new WriteInDoubtException(message, null);
      completions.fail(writes, new PendingWrite.Failure(cause, inDoubt, true));
    }
  }

  private void resolve(Doubt doubt) {
    try {
      if (doubt.caller != null && !doubt.hasEnded() && isOver(doubt)) {
        doubt.caller.interrupt();
      }
      boolean all = isOver(doubt);
      Set<PendingWrite> wanted = new HashSet<>();
      Set<Object> unknown = new LinkedHashSet<>();
      synchronized (this) {
        for (PendingWrite write : doubt.writes) {
          @Nullable Held key = held.get(Key.of(write.key));
          if (key != null && key.doubt == doubt && (all || key.released)) {
            wanted.add(write);
            if (key.ownIsLive) {
              unknown.add(write.key);
            }
          }
        }
      }
      Map<Object, Object> values = unknown.isEmpty() ? Map.of() : port.getAll(unknown);
      apply(doubt, wanted, values);
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "keys in doubt could not be read back yet", e);
    } finally {
      synchronized (this) {
        doubt.resolving = false;
        if (held.values().stream().noneMatch(key -> key.doubt == doubt)) {
          doubts.remove(doubt);
        }
        any = !held.isEmpty();
      }
    }
  }

  private void apply(Doubt doubt, Set<PendingWrite> wanted, Map<Object, Object> values) {
    List<PendingWrite> applied = new ArrayList<>();
    List<PendingWrite> notRepeated = new ArrayList<>();
    for (Lane lane : lanes(wanted)) {
      synchronized (lane) {
        List<PendingWrite> back = new ArrayList<>();
        int settled = 0;
        synchronized (this) {
          for (PendingWrite write : wanted) {
            @Nullable Held key = held.get(Key.of(write.key));
            if (key == null || key.doubt != doubt || key.lane() != lane) {
              continue;
            }
            held.remove(Key.of(write.key));
            settled += (key.ownIsLive ? 1 : 0) + (key.next != null ? 1 : 0);
            boolean wasApplied = key.ownIsLive && codec.isSame(write.value, values.get(write.key));
            if (wasApplied) {
              applied.add(write);
            } else if (key.ownIsLive && key.next != null) {
              key.next.supersede(write);
            } else if (key.ownIsLive) {
              write.doubts++;
              (settings.repeats ? back : notRepeated).add(write);
            }
            if (key.next != null) {
              back.add(key.next);
            }
          }
        }
        lane.comeBack(back, settled);
      }
    }
    completions.acknowledge(applied);
    fail(notRepeated, true, "a write was sent, has no known outcome and must not be repeated");
  }

  private synchronized Set<Lane> lanes(Collection<PendingWrite> writes) {
    return writes.stream()
        .map(write -> held.get(Key.of(write.key)))
        .filter(key -> key != null)
        .map(Held::lane)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The encoded keys. */
  synchronized Set<Object> keys() {
    return held.keySet().stream().map(Key::key).collect(Collectors.toSet());
  }

  /** Ends the doubt of encoded keys at the next tick. */
  synchronized void release(Collection<?> keys) {
    for (Object encoded : keys) {
      @Nullable Held key = held.get(Key.of(encoded));
      if (key != null) {
        key.released = true;
      }
    }
  }

  synchronized void releaseAll() {
    held.values().forEach(key -> key.released = true);
  }

  /** Fails all writes in doubt or waiting for one, and those that come later. */
  void abandon(PendingWrite.Failure failure) {
    List<PendingWrite> own = new ArrayList<>();
    List<PendingWrite> next = new ArrayList<>();
    synchronized (this) {
      abandoned = failure;
      for (Held key : held.values()) {
        own.add(key.own);
        if (key.next != null) {
          next.add(key.next);
        }
      }
    }
    completions.failNow(own, new PendingWrite.Failure(failure.cause(), true, failure.retriable()));
    completions.failNow(next, failure);
  }
}
