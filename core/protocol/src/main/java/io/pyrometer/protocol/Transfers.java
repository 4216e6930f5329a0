package io.pyrometer.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The balances that the transfers of one agent should have left in the accounts 0 … {@code
 * accounts}−1. Every acknowledged transfer subtracts an amount from one balance and adds it to
 * another, so the final balance of each account is determined, whatever the order; {@link #judge}
 * sums the agents.
 *
 * @param made by account, the sum of what this agent's acknowledged transfers changed
 * @param mayLack by account, what failed transfers would have taken, if they were carried out
 * @param mayExceed by account, what failed transfers would have brought
 * @param found by account, the balance found minus the one that was filled in; from the creator
 *     alone
 * @param damaged accounts that are absent, or found and were never filled in; from the creator
 */
public record Transfers(
    int accounts,
    PackedNumbers made,
    PackedNumbers mayLack,
    PackedNumbers mayExceed,
    Optional<PackedNumbers> found,
    long damaged)
    implements Evidence {

  /**
   * The judgement on all accounts.
   *
   * @param uncertain accounts of which a transfer failed, which may have been carried out
   * @param wrong accounts whose balance is not what the acknowledged transfers give, and is not
   *     explained by failed ones either; at least one where {@code created} is not 0
   * @param created sum of all balances found minus the sum filled in; 0 whatever transfers were
   *     carried out, if each was so as a whole
   */
  public record Judgement(long accounts, long uncertain, long wrong, long created) {}

  /**
   * Combines what all agents did with what the creator found.
   *
   * @throws IllegalArgumentException if the agents' numbers of accounts differ, or none of them
   *     looked
   */
  public static Judgement judge(List<Transfers> agents) {
    int accounts =
        agents.stream().mapToInt(Transfers::accounts).distinct().reduce((a, b) -> -1).orElse(-1);
    long[] found =
        agents.stream()
            .flatMap(agent -> agent.found.stream())
            .findFirst()
            .map(PackedNumbers::numbers)
            .orElse(new long[0]);
    if (accounts < 0 || found.length != accounts) {
      throw new IllegalArgumentException(
          "Transfers are judged over the same accounts of all agents, which one of them read.");
    }
    long[] difference = found.clone();
    long[] below = new long[accounts];
    long[] above = new long[accounts];
    long damaged = 0;
    for (Transfers agent : agents) {
      add(difference, agent.made, -1);
      add(below, agent.mayLack, 1);
      add(above, agent.mayExceed, 1);
      damaged += agent.damaged;
    }
    long uncertain = 0;
    long wrong = damaged;
    for (int account = 0; account < accounts; account++) {
      uncertain += below[account] + above[account] > 0 ? 1 : 0;
      wrong +=
          difference[account] < -below[account] || difference[account] > above[account] ? 1 : 0;
    }
    long created = Arrays.stream(found).sum();
    return new Judgement(accounts, uncertain, wrong == 0 && created != 0 ? 1 : wrong, created);
  }

  private static void add(long[] sums, PackedNumbers changes, int sign) {
    long[] values = changes.numbers();
    Arrays.setAll(sums, account -> sums[account] + sign * values[account]);
  }
}
