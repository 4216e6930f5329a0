package io.pyrometer.load;

import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** Stores in a map; ends its calls on an executor. */
class MemoryPath implements AccessPath {

  final Map<Long, Integer> stored = new ConcurrentHashMap<>();
  final AtomicLong calls = new AtomicLong();
  private final int window;
  private final int batch;
  private final Executor executor;
  private long read;

  /** Share of calls that read, where the path mixes. */
  double reads = 0.5;

  MemoryPath(int window, int batch, Executor executor) {
    this.window = window;
    this.batch = batch;
    this.executor = executor;
  }

  static MemoryPath synchronous() {
    return new MemoryPath(1, 1, Runnable::run);
  }

  /** A path that calls this for every call, one at a time. */
  static MemoryPath doing(Step step) {
    return new MemoryPath(1, 1, Runnable::run) {
      @Override
      public void call(Call call) throws Exception {
        step.call(this, call);
      }
    };
  }

  /** What a path does in a call. */
  @FunctionalInterface
  interface Step {
    void call(MemoryPath path, Call call) throws Exception;
  }

  @Override
  public int window() {
    return window;
  }

  @Override
  public int recordsPerCall() {
    return batch;
  }

  @Override
  public List<String> operations() {
    return List.of("first", "second");
  }

  @Override
  public List<MixedOperation> mix() {
    return List.of(
        new MixedOperation("first", Effect.READ, 1, reads),
        new MixedOperation("second", Effect.WRITE, 1, 1 - reads));
  }

  @Override
  public void call(Call call) throws Exception {
    write(call);
  }

  void write(Call call) {
    calls.incrementAndGet();
    for (int i = 0; i < call.size(); i++) {
      stored.put(call.key(i), call.record(i));
    }
    read += call.size();
    executor.execute(call::done);
  }

  @Override
  public Aggregate takeAnswer() {
    Aggregate answer = new Aggregate(read, Map.of());
    read = 0;
    return answer;
  }
}
