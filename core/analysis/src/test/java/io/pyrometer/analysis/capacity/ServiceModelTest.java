package io.pyrometer.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.capacity.ServiceModel.Answer;
import io.pyrometer.analysis.capacity.ServiceModel.Cell;
import io.pyrometer.analysis.capacity.ServiceModel.Percentile;
import io.pyrometer.analysis.capacity.Testbed.Apart;
import io.pyrometer.analysis.capacity.Testbed.Quotas;
import io.pyrometer.analysis.capacity.Testbed.Shared;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Demands are found again, and cells that the model did not see are predicted. */
class ServiceModelTest {
  private static final Shared TWO_CPUS = new Shared(2);

  /** Of the textbook: 5 trunks offered 4 erlangs, and the closed forms of one and two servers. */
  @ParameterizedTest
  @CsvSource({"1, 0.5, 0.5", "1, 0.9, 0.9", "2, 1, 0.333333", "5, 4, 0.554113", "10, 8, 0.409180"})
  void erlangsFormulaGivesPublishedFigures(int servers, double offered, double waiting) {
    assertThat(OpenQueue.waiting(servers, offered)).isEqualTo(waiting, within(1e-5));
  }

  @Test
  void oneServerStretchesByTheRestOfItsTime() {
    assertThat(OpenQueue.stretch(1, 0.8)).isEqualTo(5, within(1e-9));
    assertThatThrownBy(() -> OpenQueue.stretch(2, 1)).isInstanceOf(BadDataException.class);
  }

  private static final DemandModel SERVER =
      new DemandModel(100e-6, 60e-6, 40e-6, 50e-6, 30e-6, 20e-6, 6);
  private static final DemandModel CLIENT = new DemandModel(50e-6, 0, 0, 30e-6, 0, 0, 6);
  private static final DemandModel DELAY = new DemandModel(100e-6, 0, 80e-6, 0, 0, 0, 6);
  private static final double IDLE = 0.02;

  private static ServiceModel truth() {
    return new ServiceModel(CLIENT, SERVER, DELAY, IDLE, List.of());
  }

  private static Cell measured(int servers, int clients, double rate) {
    return measured(servers, clients, rate, TWO_CPUS);
  }

  private static Cell measured(int servers, int clients, double rate, Testbed testbed) {
    ServiceModel truth = truth();
    Answer answer =
        clients > 0
            ? truth.closed(servers, 1, clients, testbed)
            : truth.open(servers, 1, rate, testbed);
    double inFlight = clients > 0 ? clients : rate * answer.meanSeconds();
    double x = answer.callsPerSecond();
    return new Cell(
        servers,
        1,
        clients,
        x,
        CLIENT.seconds(servers, 1, inFlight),
        SERVER.seconds(servers, 1, inFlight / servers) + servers * IDLE / x,
        IDLE,
        answer.meanSeconds(),
        Optional.of(answer.meanSeconds() * 0.9),
        Optional.of(answer.meanSeconds() * 4));
  }

  private static List<Cell> cells() {
    return cells(TWO_CPUS);
  }

  private static List<Cell> cells(Testbed testbed) {
    List<Cell> cells = new ArrayList<>();
    for (int servers : new int[] {1, 2, 4, 6}) {
      cells.add(measured(servers, 1, 0, testbed));
      cells.add(measured(servers, 8, 0, testbed));
      cells.add(measured(servers, 0, 500, testbed));
    }
    return cells;
  }

  /** Servers with quotas do not share the client's CPUs, so their throughput grows with them. */
  @ParameterizedTest
  @CsvSource({"0.2, 1", "0.4, 0.5", "1.5, 2"})
  void serversWithQuotasArePredicted(double serverCpus, double clientCpus) {
    Quotas quotas = new Quotas(serverCpus, clientCpus);
    ServiceModel found = ServiceModel.fit(cells(quotas), quotas);
    for (int clients : new int[] {2, 4, 32}) {
      assertThat(found.closed(3, 1, clients, quotas).callsPerSecond())
          .isCloseTo(
              truth().closed(3, 1, clients, quotas).callsPerSecond(), Percentage.withPercentage(3));
    }
  }

  @Test
  void aQuotaBoundsWhatServersCarryByTheirDemand() {
    Quotas fifth = new Quotas(0.2, 2);
    double three = truth().closed(3, 1, 200, fifth).callsPerSecond();
    assertThat(three)
        .isCloseTo(
            3 * (0.2 - IDLE) / SERVER.seconds(3, 1, 200.0 / 3), Percentage.withPercentage(2));
    assertThat(truth().closed(3, 1, 200, new Quotas(2, 0.05)).callsPerSecond())
        .isCloseTo(0.05 / CLIENT.seconds(3, 1, 200), Percentage.withPercentage(2));
    assertThat(truth().open(3, 1, three * 1.1, fifth).utilisation()).isGreaterThan(1);
  }

  @Test
  void theTermsOfTheDemandsAreFoundAgain() {
    ServiceModel found = ServiceModel.fit(cells(), TWO_CPUS);
    assertThat(found.server().base()).isCloseTo(SERVER.base(), Percentage.withPercentage(1));
    assertThat(found.server().backup()).isCloseTo(SERVER.backup(), Percentage.withPercentage(3));
    assertThat(found.server().hop()).isCloseTo(SERVER.hop(), Percentage.withPercentage(5));
    assertThat(found.server().alone()).isCloseTo(SERVER.alone(), Percentage.withPercentage(1));
    assertThat(found.server().aloneBackup())
        .isCloseTo(SERVER.aloneBackup(), Percentage.withPercentage(3));
    assertThat(found.server().spread()).isCloseTo(SERVER.spread(), Percentage.withPercentage(20));
    assertThat(found.client().base()).isCloseTo(CLIENT.base(), Percentage.withPercentage(1));
    assertThat(found.delay().base()).isCloseTo(DELAY.base(), Percentage.withPercentage(2));
  }

  @ParameterizedTest
  @CsvSource({"3, 4", "6, 2", "3, 16", "1, 3"})
  void aClosedLoopThatWasNotMeasuredIsPredicted(int servers, int clients) {
    ServiceModel found = ServiceModel.fit(cells(), TWO_CPUS);
    assertThat(found.closed(servers, 1, clients, TWO_CPUS).callsPerSecond())
        .isCloseTo(
            truth().closed(servers, 1, clients, TWO_CPUS).callsPerSecond(),
            Percentage.withPercentage(2));
  }

  /** A rate of which calls that were alone would use up all CPUs, and calls among many do not. */
  @Test
  void callsThatShareTheirWakeUpsCarryMoreThanLoneOnes() {
    DemandModel client = new DemandModel(12e-6, 0, 0, 72e-6, 0, 0, 6);
    ServiceModel model = new ServiceModel(client, DemandModel.NONE, DELAY, 0, List.of());
    Apart testbed = new Apart(8, 1, 8, 0, 0);
    double rate = 200_000;
    assertThat(rate * client.seconds(2, 1, 1)).isGreaterThan(8);
    Answer answer = model.open(2, 1, rate, testbed);
    double inFlight = rate * answer.meanSeconds();
    assertThat(inFlight).isBetween(10.0, 100.0);
    assertThat(answer.utilisation())
        .isCloseTo(rate * client.seconds(2, 1, inFlight) / 8, Percentage.withPercentage(0.1));
  }

  @Test
  void aRateThatWasNotMeasuredHasItsPercentilesPredicted() {
    ServiceModel found = ServiceModel.fit(cells(), TWO_CPUS);
    Answer answer = found.open(3, 1, 3_000, TWO_CPUS);
    Cell truth = measured(3, 0, 3_000);
    assertThat(found.percentile(Percentile.P99, 3, true, answer, TWO_CPUS).orElseThrow())
        .isCloseTo(truth.p99Seconds().orElseThrow(), Percentage.withPercentage(3));
  }

  /** The p99 is 2 N times the mean; 6 servers are the most that were measured. */
  @ParameterizedTest
  @CsvSource({"3, 6", "5, 10", "12, 12"})
  void howFarTheTailLiesFromTheMeanGrowsWithTheServersAsFarAsMeasured(int servers, double ratio) {
    List<Cell> cells =
        cells().stream().map(c -> withP99(c, 2 * c.servers() * c.meanSeconds())).toList();
    ServiceModel found = ServiceModel.fit(cells, TWO_CPUS);
    Answer answer = found.open(servers, 1, 500, TWO_CPUS);
    assertThat(found.percentile(Percentile.P99, servers, true, answer, TWO_CPUS).orElseThrow())
        .isCloseTo(ratio * answer.meanSeconds(), Percentage.withPercentage(3));
  }

  @Test
  void withTwoNumbersOfServersTheTailIsThatOfTheNearestCell() {
    List<Cell> cells =
        List.of(
            withP99(measured(1, 0, 500), 2 * measured(1, 0, 500).meanSeconds()),
            withP99(measured(2, 0, 500), 8 * measured(2, 0, 500).meanSeconds()));
    ServiceModel found = ServiceModel.fit(cells, TWO_CPUS);
    Answer answer = found.open(3, 1, 500, TWO_CPUS);
    assertThat(found.percentile(Percentile.P99, 3, true, answer, TWO_CPUS).orElseThrow())
        .isCloseTo(8 * answer.meanSeconds(), Percentage.withPercentage(5));
  }

  private static Cell withP99(Cell cell, double seconds) {
    return new Cell(
        cell.servers(),
        cell.backups(),
        cell.clients(),
        cell.callsPerSecond(),
        cell.clientSeconds(),
        cell.serverSeconds(),
        cell.idle(),
        cell.meanSeconds(),
        cell.p50Seconds(),
        Optional.of(seconds));
  }

  @Test
  void serversOfTheirOwnCarryWhatTheirDemandSays() {
    double demand = SERVER.seconds(4, 1, 250);
    Answer answer = truth().closed(4, 1, 1_000, new Apart(2, 50, 8, 100e-6, 2));
    assertThat(answer.callsPerSecond())
        .isCloseTo(4 * (2 - IDLE) / demand, Percentage.withPercentage(1));
    Answer fewClients = truth().closed(4, 1, 1_000, new Apart(2, 1, 1, 100e-6, 2));
    assertThat(fewClients.callsPerSecond())
        .isCloseTo(1 / CLIENT.seconds(4, 1, 1_000), Percentage.withPercentage(2));
  }

  @Test
  void aRateBeyondTheCpusHasNoFiniteLatency() {
    Answer answer = truth().open(2, 1, 1e6, new Apart(2, 50, 8, 100e-6, 2));
    assertThat(answer.utilisation()).isGreaterThan(1);
    assertThat(answer.meanSeconds()).isInfinite();
  }

  @Test
  void aTermThatNothingVariesIsNotInvented() {
    DemandModel model =
        DemandModel.fit(
            List.of(
                new DemandModel.Point(2, 0, 1e9, 1e-4), new DemandModel.Point(2, 0, 1e9, 1e-4)));
    assertThat(model.seconds(2, 0, 1e9)).isEqualTo(1e-4, within(1e-10));
    assertThat(model.backup()).isZero();
    assertThatThrownBy(() -> DemandModel.fit(List.of())).isInstanceOf(BadDataException.class);
  }

  @Test
  void whatSpreadingCostsIsNotContinuedBeyondWhatWasMeasured() {
    assertThat(SERVER.seconds(3, 0, 1e9)).isGreaterThan(SERVER.seconds(2, 0, 1e9));
    DemandModel spreadAlone = new DemandModel(100e-6, 0, 0, 0, 0, 20e-6, 6);
    assertThat(spreadAlone.seconds(5, 0, 1)).isLessThan(spreadAlone.seconds(6, 0, 1));
    assertThat(spreadAlone.seconds(1_000, 0, 1)).isEqualTo(spreadAlone.seconds(6, 0, 1));
  }
}
