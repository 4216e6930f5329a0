package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.protocol.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicationTest {

  private static final String UNTIL = "factors: {path: [put]}\nreplicates: until 2.5% (max 7)\n";

  @Test
  void blocksUntilAPrecisionArePlannedUpToTheMost() {
    Experiment experiment = Fixture.withTail(UNTIL);
    assertThat(experiment.options().replication())
        .isEqualTo(new Replication.UntilPrecise(0.025, 5, 7))
        .hasToString("until 2.5% (min 5, max 7)");
    assertThat(Fixture.plan(experiment).groups()).hasSize(7);
  }

  @Test
  void theFirstLookIsNotLaterThanTheMost() {
    assertThat(read("until 3% (max 4)")).isEqualTo(new Replication.UntilPrecise(0.03, 4, 4));
    assertThat(read("until 3%")).isEqualTo(new Replication.UntilPrecise(0.03, 5, 30));
  }

  @Test
  void whatReplicationSaysOfItselfReadsAsTheSame() {
    for (String text : List.of("until 3%", "until 3% (min 4)", "until 3% (min 4, max 9)")) {
      Replication read = read(text);
      assertThat(read(read.toString())).isEqualTo(read);
    }
  }

  @Test
  void theCommandLineGoesBeforeIt() {
    Overrides four = new Overrides(false, Optional.of(4), Optional.empty(), List.of());
    Experiment experiment = Fixture.withTail(UNTIL);
    assertThat(four.applyTo(experiment, Fixture.CATALOGUE).options().replication())
        .isEqualTo(new Replication.Fixed(4));
  }

  @Test
  void itsJsonReadsBack() throws JsonProcessingException {
    for (Replication each : List.of(new Replication.Fixed(3), read("until 3% (max 10)"))) {
      String json = Json.LINES.writerFor(Replication.class).writeValueAsString(each);
      assertThat(Json.LINES.readValue(json, Replication.class)).isEqualTo(each);
    }
  }

  private static Replication read(String text) {
    return Fixture.withTail("factors: {path: [put]}\nreplicates: " + text + "\n")
        .options()
        .replication();
  }
}
