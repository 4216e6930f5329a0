package io.pyrometer.history.transaction;

import io.pyrometer.history.Edn;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Verdict;
import java.util.List;
import java.util.Map;

/**
 * Whether each read of all accounts finds the same total, which transfers between them leave as it
 * is. A transfer that was split shows as another total.
 *
 * @param reads how many were checked
 * @param wrong those with another total
 */
public record BankTotals(Verdict verdict, int reads, List<Operation> wrong) {

  /**
   * Checks the operations {@code read} of a history, whose results are maps of accounts and
   * balances.
   */
  public static BankTotals of(List<Operation> history, long total) {
    List<Operation> reads =
        history.stream()
            .filter(operation -> operation.ok() && operation.function().equals("read"))
            .toList();
    List<Operation> wrong = reads.stream().filter(read -> sum(read) != total).toList();
    return new BankTotals(wrong.isEmpty() ? Verdict.VALID : Verdict.INVALID, reads.size(), wrong);
  }

  private static long sum(Operation read) {
    if (read.result() instanceof Map<?, ?> balances) {
      return balances.values().stream()
          .mapToLong(balance -> balance instanceof Long amount ? amount : 0)
          .sum();
    }
    throw new IllegalArgumentException(
        "A read of the accounts has no map of balances, but %s."
            .formatted(Edn.print(read.result())));
  }
}
