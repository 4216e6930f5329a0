package io.pyrometer.protocol;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The findings of one agent under the keys 0 … {@code keys}−1 that all load threads write. The
 * final value of such a key is not determined, but it must be the last write of one of the threads
 * that wrote it. Agents compare what they find with the writes of their own threads; {@link #judge}
 * combines their findings. Sets of keys are those whose bits are set in a {@link BitSet}.
 *
 * @param keys size of the key space
 * @param written keys that this agent's threads wrote
 * @param contested keys to which at least two of this agent's threads wrote last different records
 * @param matching keys whose value is the last write of one of this agent's threads
 * @param untouched keys that hold what they must hold where no thread wrote: nothing, or the record
 *     that was filled in
 * @param outside keys found that are not in the key space
 * @param left keys that hold a record, where the grid may drop records by itself, so that an absent
 *     one is not wrong; empty where it must keep all
 */
public record SharedKeys(
    long keys,
    PackedNumbers written,
    PackedNumbers contested,
    PackedNumbers matching,
    PackedNumbers untouched,
    long outside,
    Optional<Long> left)
    implements Evidence {

  /**
   * The judgement on all keys.
   *
   * @param keys size of the key space
   * @param written keys that some thread wrote
   * @param contested keys with more than one admissible value, as far as one agent alone can tell,
   *     and those that several agents wrote
   * @param wrong keys that hold no admissible value, and keys found outside the key space
   * @param left keys that hold a record, where the grid may drop some
   */
  public record Judgement(
      long keys, long written, long contested, long wrong, Optional<Long> left) {}

  /**
   * Combines the findings of all agents. A key that some thread wrote is right if its value matches
   * some agent's writes; any other if it is untouched.
   *
   * @throws IllegalArgumentException if the agents' key spaces differ or there is no agent
   */
  public static Judgement judge(List<SharedKeys> agents) {
    if (agents.stream().mapToLong(SharedKeys::keys).distinct().count() != 1) {
      throw new IllegalArgumentException("Agents with different key spaces cannot be judged.");
    }
    BitSet written = new BitSet();
    BitSet contested = new BitSet();
    BitSet matching = new BitSet();
    BitSet right = new BitSet();
    long outside = 0;
    for (SharedKeys agent : agents) {
      BitSet both = bits(agent.written);
      both.and(written);
      contested.or(both);
      written.or(bits(agent.written));
      contested.or(bits(agent.contested));
      matching.or(bits(agent.matching));
      right.or(bits(agent.untouched));
      outside = Math.max(outside, agent.outside);
    }
    right.andNot(written);
    matching.and(written);
    right.or(matching);
    long keys = agents.get(0).keys;
    return new Judgement(
        keys,
        written.cardinality(),
        contested.cardinality(),
        keys - right.cardinality() + outside,
        agents.get(0).left);
  }

  private static BitSet bits(PackedNumbers keys) {
    return BitSet.valueOf(keys.numbers());
  }
}
