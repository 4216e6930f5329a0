package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SizeDistribution;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RecordsTest {

  @Property(tries = 50)
  void everyAgentHasTheSameRecords(@ForAll long seed, @ForAll @IntRange(max = 60_000) int record) {
    Records one = Records.of(Trials.SHAPE, Trials.SETTINGS, seed);
    Records other = Records.of(Trials.SHAPE, Trials.SETTINGS, seed);
    assertThat(Arrays.deepEquals(one.fields(record), other.fields(record))).isTrue();
    Records differing = Records.of(Trials.SHAPE, Trials.SETTINGS, seed + 1);
    assertThat(differing.fields(record)[0]).isNotEqualTo(one.fields(record)[0]);
  }

  @Test
  void recordsDifferFromEachOther() {
    Records records = Trials.records(Trials.SETTINGS);
    Set<Long> hashes = new HashSet<>();
    Set<Object> kinds = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      hashes.add(records.hash(0, records.fields(i)));
      kinds.add(records.fields(i)[3]);
    }
    assertThat(hashes).hasSize(10_000);
    assertThat(kinds).as("cardinality").hasSize(5);
  }

  @Property(tries = 100)
  void aChecksumTellsWhenTwoKeysHaveSwappedTheirRecords(@ForAll long one, @ForAll long other) {
    Records records = Trials.records(Trials.SETTINGS);
    Object[] first = records.fields(1);
    Object[] second = records.fields(2);
    Assume.that(one != other);
    assertThat(records.hash(one, second) + records.hash(other, first))
        .isNotEqualTo(records.hash(one, first) + records.hash(other, second));
  }

  @Property(tries = 30)
  void theFillerTakesARecordToTheBytesAskedFor(@ForAll @LongRange(min = 60, max = 4_000) long b) {
    Records records = Trials.records(Trials.SETTINGS.with("bytes", b));
    Object[] fields = records.fields(7);
    long bytes = ((String) fields[0]).length() + 8 + 4 + 3 + ((byte[]) fields[4]).length;
    assertThat(bytes).isEqualTo(b);
  }

  @Test
  void bytesWithoutAFillerFieldAreRefusedInOneSentence() {
    RecordShape bare =
        new RecordShape("bare", Optional.empty(), List.of(Trials.SHAPE.fields().get(1)));
    assertThatThrownBy(() -> Records.of(bare, Trials.SETTINGS.with("bytes", 500), 1))
        .hasMessageContaining("'bare'");
  }

  @Test
  void theSizeOfThePoolFollowsFromRecordsBytesAndDistinctRecords() {
    assertThat(Trials.records(Trials.SETTINGS.with("records", 100)).size()).isEqualTo(201);
    assertThat(Trials.records(Trials.SETTINGS.with("distinct-records", 1)).size()).isEqualTo(1);
    assertThat(Trials.records(Trials.SETTINGS.with("distinct-records", 65_536)).size())
        .isEqualTo(201);
    Settings many = Trials.SETTINGS.with("records", 1_000_000);
    assertThat(Trials.records(many).size()).isEqualTo(65_536);
    assertThat(Trials.records(many.with("bytes", 1 << 20)).size()).isEqualTo(64);
  }

  @Property(tries = 100)
  void valuesStayWithinTheirBoundsAndCardinality(@ForAll @IntRange(max = 65_535) int record) {
    Object[] fields = Trials.records(Trials.SETTINGS).fields(record);
    assertThat((double) fields[1]).isBetween(1.0, 100.0);
    assertThat((int) fields[2]).isBetween(1, 1_000);
  }

  @Test
  void listedValuesAreTheOnlyOnes() {
    FieldShape side =
        new FieldShape("side", FieldType.STRING, 0, 0, 0, 0, List.of("BUY", "SELL"), false);
    Records records =
        Records.of(new RecordShape("order", Optional.empty(), List.of(side)), Trials.SETTINGS, 1);
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      seen.addAll(Arrays.asList(records.fields(i)));
    }
    assertThat(seen).containsExactlyInAnyOrder("BUY", "SELL");
  }

  @Test
  void sizesThatDifferHaveTheirShares() {
    SizeDistribution sizes = SizeDistribution.parse("10 70%, 1k..2k 30%").orElseThrow();
    FieldShape text =
        new FieldShape(
            "text", FieldType.BYTES, sizes.mean(), 0, 0, 0, List.of(), false, Optional.of(sizes));
    RecordShape shape = new RecordShape("blob", Optional.empty(), List.of(text));
    Records records = Records.of(shape, Trials.SETTINGS.with("records", 10_000), 1);
    assertThat(records.size()).isEqualTo(20_001);
    assertThat(records.bytes()).isEqualTo(7 + 461);
    long small = 0;
    long bytes = 0;
    for (int i = 0; i < records.size(); i++) {
      int size = ((byte[]) records.fields(i)[0]).length;
      assertThat(size == 10 || (size >= 1_024 && size <= 2_048)).as("%s bytes", size).isTrue();
      small += size == 10 ? 1 : 0;
      bytes += size;
    }
    assertThat(small / (double) records.size()).isBetween(0.68, 0.72);
    assertThat(bytes / (double) records.size()).isBetween(0.96 * 468, 1.04 * 468);
  }

  @Test
  void theFieldsOfTheUsersClassAreFound() {
    RecordShape shape = new RecordShape("mine", Optional.of(Mine.class.getName()), List.of());
    assertThat(Records.of(shape, Trials.SETTINGS, 1).shape().fields())
        .extracting(FieldShape::name)
        .containsExactly("id", "label", "weight");
  }

  @Test
  void aClassThatIsNotThereIsNamed() {
    RecordShape shape = new RecordShape("x", Optional.of("com.example.Absent"), List.of());
    assertThatThrownBy(() -> Records.of(shape, Trials.SETTINGS, 1))
        .hasMessageContaining("'com.example.Absent'");
  }

  @SuppressWarnings("unused")
  static final class Mine {
    static final int SHARED = 1;
    long id;
    String label = "";
    double weight;
  }
}
