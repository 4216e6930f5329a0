package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.results.study.CombinedRows.RowOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowOrderTest {
  /**
   * Rows such as {@code A1 A2 B1}: a letter is a level of the first factor, the next of another.
   */
  private static RowOrder rows(String rows) {
    return new RowOrder(Arrays.stream(rows.split(" ")).map(row -> List.of(row.split(""))).toList());
  }

  @Test
  void levelsThatFollowEachOtherComeInStretches() {
    RowOrder split = rows("A2 A3 A1 B3 B1 B2 C1 C3 C2 C2 C1 C3 B2 B1 B3 A1 A3 A2");
    assertThat(split.comesInStretches(0)).isTrue();
    assertThat(split.comesInStretches(1)).isFalse();
    assertThat(split.isSorted()).isFalse();
    RowOrder once = rows("A2 A3 A1 B3 B1 B2");
    assertThat(once.comesInStretches(0)).isTrue();
    assertThat(once.isSorted()).isFalse();
  }

  @Test
  void aTableThatIsSortedByItsFactorsIsKnownAsOne() {
    assertThat(rows("A1 A1 A1 A2 A2 A2 B1 B1 B1 B2 B2 B2").isSorted()).isTrue();
    assertThat(rows("A1 B1 A2 B2").isSorted()).isTrue();
    assertThat(rows("A1 A2 B1 B2 A1 A2 B1 B2").isSorted()).isTrue();
    assertThat(rows("A1 A2 A3 B1 B2 B3 A1 A2 A3 B1 B2 B3").isSorted()).isFalse();
    assertThat(rows("A1 A2 B2 B1").isSorted()).isFalse();
  }

  @Test
  void randomOrdersSeldomComeInStretches() {
    Random random = new Random(1);
    long found =
        IntStream.range(0, 1000)
            .filter(
                i -> {
                  List<List<String>> rows = new ArrayList<>();
                  for (int row = 0; row < 24; row++) {
                    rows.add(List.of("" + row % 3, "" + row / 3 % 4));
                  }
                  Collections.shuffle(rows, random);
                  RowOrder order = new RowOrder(rows);
                  return order.comesInStretches(0) || order.comesInStretches(1);
                })
            .count();
    assertThat(found).isLessThan(30);
  }
}
