package io.pyrometer.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.pyrometer.driver.GridDriver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The contract finds nothing in a sound driver, and each fault of a faulty one. */
@Timeout(300)
class DriverContractTest {

  /** The contract on one server, where the driver has any, with the data in the agent. */
  abstract static class Small extends DriverContract {
    Small(GridDriver driver) {
      super(driver, Map.of(), Clause.RESTART, Clause.LOSS_OF_SERVER);
    }

    @Override
    protected int servers() {
      return 1;
    }

    @Override
    protected int agents() {
      return 1;
    }
  }

  static class Sound extends Small {
    Sound() {
      super(new MapDriver());
    }
  }

  static class Faulty extends Small {
    Faulty() {
      super(new MapDriver.Faulty());
    }

    /** Its orphan outlives any time. */
    @Override
    protected Duration longestEnd() {
      return Duration.ofSeconds(1);
    }
  }

  @Test
  void aSoundDriverPasses() {
    assertThat(failures(Sound.class)).isEmpty();
  }

  @Test
  void eachFaultOfADriverIsFoundWhereItIs() {
    List<String> failures = failures(Faulty.class);
    assertThat(failures)
        .as("an unclaimed guarantee, lost and stale writes, a wrong answer, litter and an orphan")
        .contains(
            "theDescriptionIsWhole()",
            "forgetful",
            "forgetful keeps the last write",
            "stale",
            "stale keeps the last write",
            "miscounting",
            "killsLeaveNothingBehindAndAGridStartsAgain()");
    if (ListeningSockets.known()) {
      assertThat(failures).contains("serversSayWhatTheyAreAndListenOnLoopbackAlone()");
    }
    assertThat(failures)
        .as("what is sound beside the faults")
        .doesNotContain("put", "put keeps the last write", "put is read by others", "get");
  }

  private static List<String> failures(Class<? extends DriverContract> contract) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .map(Event::getTestDescriptor)
        .map(test -> test.getDisplayName())
        .toList();
  }
}
