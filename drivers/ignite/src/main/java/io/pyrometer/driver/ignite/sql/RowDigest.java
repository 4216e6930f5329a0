package io.pyrometer.driver.ignite.sql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The rows of an answer without their order. Numbers are compared by their first ten digits,
 * whatever their type, because sums of floating-point numbers depend on the order of the summands.
 *
 * @param rows how many
 * @param sum of the rows' hashes
 */
record RowDigest(long rows, long sum) {
  private static final MathContext DIGITS = new MathContext(10);

  static RowDigest of(List<? extends List<?>> answer) {
    long sum = 0;
    for (List<?> row : answer) {
      long hash = 1;
      for (Object value : row) {
        // Mixed, since sums of linear hashes do not see two rows exchange a value.
        hash = new SplittableRandom(hash ^ normal(value).hashCode()).nextLong();
      }
      sum += hash;
    }
    return new RowDigest(answer.size(), sum);
  }

  /** In what the answer differs from the right one. */
  String against(RowDigest right) {
    return rows == right.rows
        ? "other values in %,d rows".formatted(rows)
        : "%,d rows instead of %,d".formatted(rows, right.rows);
  }

  private static Object normal(Object value) {
    if (value instanceof Number number) {
      BigDecimal decimal = new BigDecimal(number.toString()).round(DIGITS);
      return decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
    } else if (value instanceof byte[] bytes) {
      return Arrays.hashCode(bytes);
    } else if (value instanceof Date date) {
      return date.getTime();
    }
    return String.valueOf(value);
  }
}
