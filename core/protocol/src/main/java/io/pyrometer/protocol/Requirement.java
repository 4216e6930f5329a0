package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A guarantee that an experiment may require of what is recommended. Whether a treatment has it
 * follows from what its driver declares of the access path and of the stored data; a guarantee
 * probe can refute it.
 */
@SuppressWarnings("ImmutableEnumChecker") // its set is one of Set.of
public enum Requirement {
  OVERWRITES("overwrites", "overwrites", "does not overwrite existing records"),
  ORDERED("ordered", "ordered", "does not keep the order of writes to a key", ProbeKind.ORDER),
  DURABLE(
      "durable",
      "on all requested copies",
      "does not hold the records when its call returns",
      ProbeKind.KILL,
      ProbeKind.STOP),
  ATOMIC("atomic", "atomic", "shows the records of one call one by one"),
  NO_STALE_READS("stale-reads", "no stale reads", "allows stale reads", ProbeKind.READ),
  SURVIVES_ONE_SERVER(
      "survives",
      "survives a server crash",
      "may lose acknowledged writes when a server crashes",
      ProbeKind.KILL,
      ProbeKind.STOP);

  private final String key;
  private final String words;
  private final String lack;
  private final Set<ProbeKind> probes;

  Requirement(String key, String words, String lack, ProbeKind... probes) {
    this.key = key;
    this.words = words;
    this.lack = lack;
    this.probes = Set.of(probes);
  }

  /** The key under {@code require} in experiment files. */
  @JsonValue
  public String key() {
    return key;
  }

  /** The behaviour of a treatment that has it, for a list. */
  public String words() {
    return words;
  }

  /** The predicate of a sentence about a treatment that does not have it. */
  public String lack() {
    return lack;
  }

  /** The probes that can refute it. */
  public Set<ProbeKind> probes() {
    return probes;
  }

  /** The guarantees of the writes of a path, whatever the settings. */
  public static Set<Requirement> of(Guarantee path) {
    Set<Requirement> all = EnumSet.noneOf(Requirement.class);
    addIf(path.overwrites(), OVERWRITES, all);
    addIf(path.ordered(), ORDERED, all);
    addIf(path.durable(), DURABLE, all);
    addIf(path.atomic(), ATOMIC, all);
    return all;
  }

  /**
   * The declared guarantees of a treatment.
   *
   * @param path that of its access path; a path without one writes nothing and breaks nothing
   * @param servers that hold the data
   */
  public static Set<Requirement> of(Optional<Guarantee> path, DataFacts data, int servers) {
    Set<Requirement> all = of(path.orElse(Guarantee.OF_ONE));
    boolean stored = all.contains(DURABLE);
    addIf(stored && data.readsAreCurrent(), NO_STALE_READS, all);
    addIf(stored && data.survivesOneOf(servers), SURVIVES_ONE_SERVER, all);
    if (!data.storedWhenAcknowledged(servers)) {
      all.remove(DURABLE);
    }
    return Collections.unmodifiableSet(all);
  }

  private static void addIf(boolean has, Requirement requirement, Set<Requirement> all) {
    if (has) {
      all.add(requirement);
    }
  }
}
