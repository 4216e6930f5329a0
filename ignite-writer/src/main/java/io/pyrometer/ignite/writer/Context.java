package io.pyrometer.ignite.writer;

/** What all lanes of one writer work with. */
record Context(
    Settings settings,
    CachePort port,
    Workers workers,
    Codec codec,
    Budget budget,
    Completions<?, ?> completions,
    Doubts doubts,
    WriterStats.Counters counters) {}
