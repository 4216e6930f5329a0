package io.pyrometer.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.pyrometer.driver.GridDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The contract finds nothing in a sound driver, and each fault of a faulty one. */
@Timeout(300)
class DriverContractTest {

  /** The contract on one server, where the driver has any. */
  static class Sound extends DriverContract {
    @Override
    protected GridDriver driver() {
      return new MapDriver();
    }

    @Override
    protected int servers() {
      return 1;
    }

    /** The data are in the agent. */
    @Override
    protected int agents() {
      return 1;
    }

    @Override
    protected boolean checksRestart() {
      return false;
    }

    @Override
    protected boolean survivesLossOfServer() {
      return false;
    }
  }

  static class Faulty extends Sound {
    @Override
    protected GridDriver driver() {
      return new MapDriver.Faulty();
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
