package io.pyrometer.driver.ignite.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldSampleTest {

  private static FieldSample of(@Nullable Object... values) {
    FieldSample sample = new FieldSample("f");
    Arrays.asList(values).forEach(sample::see);
    return sample;
  }

  private static String difference(@Nullable Object... values) {
    return of(values).difference().orElse("");
  }

  @Test
  void textsAreKeptAsLengthsAndTheNumberOfDifferentOnes() {
    FieldSample few = new FieldSample("side");
    IntStream.range(0, 100).forEach(i -> few.see(i % 2 == 0 ? "buy" : "sell!"));
    assertThat(few.shape())
        .isEqualTo(new FieldShape("side", FieldType.STRING, 4, 2, 0, 0, List.of(), false));
    FieldSample all = new FieldSample("id");
    IntStream.range(0, 100).forEach(i -> all.see("%08d".formatted(i)));
    assertThat(all.shape().cardinality()).isZero();
    assertThat(all.shape().size()).isEqualTo(8);
    assertThat(few.difference()).isEmpty();
  }

  @Test
  void numbersAndTimesAreKeptAsBounds() {
    assertThat(of(5L, -7L, 3L).shape())
        .isEqualTo(new FieldShape("f", FieldType.LONG, 0, 0, -7, 5, List.of(), false));
    assertThat(of((short) 5, (short) 9).shape().type()).isEqualTo(FieldType.INT);
    assertThat(of(1.5, Double.NaN, Double.POSITIVE_INFINITY).shape().most()).isEqualTo(1.5);
    assertThat(of(Double.NaN).shape().most()).isZero();
    assertThat(of(new Timestamp(9_000), new Timestamp(1_000)).shape())
        .isEqualTo(new FieldShape("f", FieldType.TIMESTAMP, 0, 0, 1_000, 9_000, List.of(), false));
    assertThat(of(new Date(5)).shape().type()).isEqualTo(FieldType.TIMESTAMP);
    assertThat(of(true, false).shape().type()).isEqualTo(FieldType.BOOLEAN);
  }

  @Test
  void whatIsGeneratedOtherwiseIsSaid() {
    assertThat(of(UUID.randomUUID()).shape().type()).isEqualTo(FieldType.BYTES);
    assertThat(difference(UUID.randomUUID())).contains("bytes", "java.util.UUID");
    assertThat(difference(BigDecimal.ONE)).contains("double", "java.math.BigDecimal");
    assertThat(difference("a", 5)).contains("bytes");
    assertThat(difference("a", null, null)).contains("2 of 3");
    assertThat(difference((Object) null)).isNotEmpty();
    assertThat(of((Object) null).shape().size()).isEqualTo(1);
    FieldSample objects = of("text");
    objects.cannotSee(40);
    assertThat(objects.shape().size()).isEqualTo(22);
    assertThat(objects.shape().type()).isEqualTo(FieldType.BYTES);
    assertThat(objects.difference()).isPresent();
    assertThat(of(List.of("four", 5L), List.of()).shape().size()).isEqualTo(6);
    assertThat(of(Map.of("four", List.of(5L, 6L))).shape().size()).isEqualTo(20);
    assertThat(of((Object) new Object[] {"four", null}).shape().size()).isEqualTo(4);
    assertThat(of(new byte[10], new byte[20]).difference()).isEmpty();
    assertThat(of(new byte[10], new byte[20]).shape().size()).isEqualTo(15);
  }

  @Test
  void namesBecomeThoseThatAFileAllows() {
    assertThat(FieldSample.word("order.id-2")).isEqualTo("order_id_2");
    assertThat(FieldSample.word("_id")).isEqualTo("f__id");
    assertThat(FieldSample.word("1st")).isEqualTo("f_1st");
    assertThat(FieldSample.word("Größe")).isEqualTo("Gr__e");
  }
}
