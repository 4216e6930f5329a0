package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TreatmentProbesTest {
  private static final Guarantee ALL = new Guarantee(true, true, true, false);
  private static final Set<Requirement> CLAIMED = Requirement.of(ALL);

  @Test
  void aProbeThatHeldProvesNothingThatIsNotClaimed() {
    Guarantee modest = new Guarantee(true, false, true, false);
    TreatmentProbes probed =
        new TreatmentProbes(List.of(), List.of(Trials.probe(ProbeKind.ORDER, "put-all", 0)));
    assertThat(probed.left(Requirement.of(modest))).isEqualTo(Requirement.of(modest));
    assertThat(probed.refutedBy(modest)).isEmpty();
    assertThat(probed.refutedBy(ALL)).isEmpty();
  }

  @Test
  void aProbeThatCouldNotBeMadeSaysWhyAndChangesNothing() {
    ProbeResult failed =
        new ProbeResult(
            ProbeKind.KILL, 1, Map.of(), "put", "", Optional.of("It broke."), Optional.empty());
    TreatmentProbes probed = new TreatmentProbes(List.of(ProbeKind.KILL), List.of(failed));
    assertThat(probed.left(CLAIMED)).isEqualTo(CLAIMED);
    assertThat(probed.staleOrLost(ProbeKind.KILL)).isEqualTo("not tested");
    assertThat(TreatmentProbes.sentence(failed)).isEqualTo("probe kill: put: not made: It broke.");
  }

  @Test
  void oneStaleKeyRefutesTheClaimOfOrder() {
    TreatmentProbes probed =
        new TreatmentProbes(List.of(), List.of(Trials.probe(ProbeKind.ORDER, "put-all", 26)));
    assertThat(probed.left(CLAIMED)).doesNotContain(Requirement.ORDERED).hasSize(2);
    assertThat(probed.staleOrLost(ProbeKind.ORDER)).isEqualTo("26 of 2,000");
    assertThat(probed.refutedBy(ALL)).containsExactly(ProbeKind.ORDER);
  }
}
