package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Context that the parts of one writer share. */
final class Context {
  final Settings settings;
  final CachePort port;
  final Workers workers;
  final AtomicBoolean closing = new AtomicBoolean();
  final WriterStats.Counters counters = new WriterStats.Counters();
  final Budget budget;
  final Encoder encoder;
  final FailureLog failures;
  final Completions completions;
  final Doubts doubts;
  volatile @Nullable Throwable lastError; // of a call, unless another has succeeded since

  Context(Settings settings, CachePort port, Workers workers) {
    this.settings = settings;
    this.port = port;
    this.workers = workers;
    budget = new Budget(settings.maxPendingBytes);
    encoder = new Encoder(this);
    failures = new FailureLog(encoder.keys);
    completions = new Completions(this);
    doubts = new Doubts(this);
  }
}
