package io.pyrometer.protocol;

import static io.pyrometer.protocol.Requirement.ATOMIC;
import static io.pyrometer.protocol.Requirement.DURABLE;
import static io.pyrometer.protocol.Requirement.NO_STALE_READS;
import static io.pyrometer.protocol.Requirement.SURVIVES_ONE_SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementTest {

  private static DataFacts data(int copies, Placement where, Acknowledgement by, Reads reads) {
    return new DataFacts(copies, where, by, Durability.MEMORY, reads);
  }

  @ParameterizedTest
  @CsvSource({
    "ALL, ANY, true, true, true",
    "ALL, PRIMARY, true, true, true",
    "MAJORITY, PRIMARY, true, true, true",
    "MAJORITY, ANY, true, false, true",
    "PRIMARY, PRIMARY, false, true, false",
    "PRIMARY, ANY, false, false, false",
    "NONE, PRIMARY, false, false, false",
  })
  void acknowledgementAndReadsDecideWhatAWriteIsWorth(
      Acknowledgement by, Reads reads, boolean stored, boolean current, boolean survives) {
    Set<Requirement> all =
        Requirement.of(Optional.of(Guarantee.OF_ONE), data(2, Placement.PARTITIONED, by, reads), 3);
    assertThat(all.contains(DURABLE)).isEqualTo(stored);
    assertThat(all.contains(NO_STALE_READS)).isEqualTo(current);
    assertThat(all.contains(SURVIVES_ONE_SERVER)).isEqualTo(survives);
  }

  @Test
  void aSingleCopyIsAllThatIsRequested() {
    for (Acknowledgement by : Acknowledgement.values()) {
      DataFacts data = data(1, Placement.PARTITIONED, by, Reads.PRIMARY);
      assertThat(Requirement.of(Optional.of(Guarantee.OF_ONE), data, 3).contains(DURABLE))
          .isEqualTo(by != Acknowledgement.NONE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, PARTITIONED, 3, false",
    "2, PARTITIONED, 3, true",
    "2, PARTITIONED, 1, false",
    "1, REPLICATED, 3, true",
    "2, LOCAL, 3, false",
  })
  void aServerMayFailWhereAnotherHoldsACopy(
      int copies, Placement where, int servers, boolean survives) {
    DataFacts data = data(copies, where, Acknowledgement.ALL, Reads.PRIMARY);
    assertThat(Requirement.of(Optional.empty(), data, servers).contains(SURVIVES_ONE_SERVER))
        .isEqualTo(survives);
  }

  @Test
  void aCallThatReturnsEarlyGuaranteesNothingOfTheData() {
    DataFacts data = data(2, Placement.PARTITIONED, Acknowledgement.ALL, Reads.PRIMARY);
    Guarantee early = new Guarantee(true, true, false, true);
    assertThat(Requirement.of(Optional.of(early), data, 3))
        .contains(ATOMIC)
        .doesNotContain(NO_STALE_READS, SURVIVES_ONE_SERVER);
  }
}
