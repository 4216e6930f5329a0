package io.pyrometer.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a run's report works out of its trials; {@code analyse} does the same with other figures.
 */
public enum Analysis {
  /** The treatments of each job, fastest first. */
  RANKING,
  /** The scalability law and its rivals over the number of nodes, or else of clients. */
  SCALABILITY,
  /** What each factor does, alone and with others. */
  FACTORS,
  /** The highest offered rate that keeps a stated p99. */
  HIGHEST_RATE,
  /** What clients and servers use for one record, over the number of servers. */
  DEMANDS,
  /** What became of a scenario's requests, where their time went, and all timers. */
  SCENARIO,
  /** What benchmarks of caches tell beside speed: memory, eviction, hits and allocation. */
  BENCHMARKS,
  /** The pauses of the JVMs beside the latency of the same trials. */
  PAUSES,
  /** Whether throughput or p99 change over a long measurement. */
  TREND,
  /** Which transactions keep balances right, and what they cost. */
  TRANSACTIONS,
  /** Whether servers with CPU quotas reach throughputs in proportion to them. */
  SCALE_CHECK,
  /** How deep and long throughput dips when a server leaves, is killed or joins. */
  ELASTICITY,
  /** How late events of continuous queries come, and whether some were lost or came twice. */
  CONTINUOUS_QUERIES,
  /** What expiry and eviction leave, and what a record takes on and off the heap. */
  EXPIRY,
  /** How long each query of a mix takes with every treatment. */
  QUERIES;

  /** All of them, as files name them. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Analysis::word).toList();
  }

  /** The name in experiment files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
