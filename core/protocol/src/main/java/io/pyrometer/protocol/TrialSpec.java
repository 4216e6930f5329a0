package io.pyrometer.protocol;

import java.util.Map;
import java.util.Optional;

/**
 * One measurement to make.
 *
 * @param id unique in its plan and fit for a file name
 * @param ordinal place in the plan, from 0
 * @param block from 0
 * @param levels the treatment: a level's label by factor
 * @param settings every setting that holds, canonical units
 * @param seed of everything drawn at random in the trial
 * @param label what the treatment is called; empty where its levels say it
 */
public record TrialSpec(
    String id,
    int ordinal,
    int block,
    Map<String, String> levels,
    Job job,
    Settings settings,
    RecordShape record,
    long seed,
    Optional<String> label) {

  /** Prefix of the caches that trials make for themselves. */
  public static final String CACHE_PREFIX = "pyrometer-";

  private static final String WARM_UP = "warm-up-";

  /** A trial whose levels say what its treatment is called. */
  public TrialSpec(
      String id,
      int ordinal,
      int block,
      Map<String, String> levels,
      Job job,
      Settings settings,
      RecordShape record,
      long seed) {
    this(id, ordinal, block, levels, job, settings, record, seed, Optional.empty());
  }

  /** This trial, to warm processes up with and to verify nothing of. */
  public TrialSpec toWarmUp(Settings with) {
    return new TrialSpec(WARM_UP + id, ordinal, block, levels, job, with, record, ~seed, label);
  }

  /** This trial with so many keys. */
  public TrialSpec withRecords(long records) {
    return as(id, settings.with(CoreSettings.RECORDS, records));
  }

  /** This trial at another place of a plan, told by these levels. */
  public TrialSpec at(String newId, int place, Map<String, String> treatment) {
    return new TrialSpec(newId, place, block, treatment, job, settings, record, seed);
  }

  /** This trial under another id, with other settings. */
  public TrialSpec as(String newId, Settings other) {
    return new TrialSpec(newId, ordinal, block, levels, job, other, record, seed, label);
  }

  /** Checks whether it only warms processes up, so that it may share what it writes with others. */
  public boolean warmsUp() {
    return id.startsWith(WARM_UP);
  }

  /** The settings that its guarantee probes depend on: they keep no rate and no time. */
  public Settings probed() {
    return settings.without(
        CoreSettings.RATE, CoreSettings.STAGES, CoreSettings.WARM_UP, CoreSettings.MEASURE);
  }

  /** The name of the cache that it makes for itself. */
  public String cacheName() {
    return CACHE_PREFIX + id;
  }

  public String path() {
    return settings.get(CoreSettings.PATH);
  }
}
