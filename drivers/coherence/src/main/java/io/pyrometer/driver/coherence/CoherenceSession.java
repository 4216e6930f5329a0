package io.pyrometer.driver.coherence;

import com.tangosol.net.Coherence;
import com.tangosol.net.NamedMap;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.TrialSpec;
import java.util.Map;
import java.util.OptionalInt;

/** A member of the cluster that stores no data; every trial has a map of its own. */
final class CoherenceSession implements GridSession {
  private final CoherenceDriver driver;
  private final Coherence member;

  private CoherenceSession(CoherenceDriver driver, Coherence member) {
    this.driver = driver;
    this.member = member;
  }

  static CoherenceSession open(CoherenceDriver driver, Command.OpenSession spec) {
    return new CoherenceSession(
        driver,
        Members.join(
            "agent-" + spec.index(),
            spec.peers(),
            Address.host(spec.peers().get(0)),
            false,
            driver.describe().complete(spec.settings())));
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of();
  }

  @Override
  public OptionalInt servers() {
    return OptionalInt.of(Members.service(member).getOwnershipEnabledMembers().size());
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    NamedMap<Long, byte[]> map = member.getSession().getMap("pyrometer-" + trial.id());
    if (creator) {
      map.truncate();
    }
    return new CoherenceTrial(
        member,
        map,
        trial.path(),
        driver.describe().complete(trial.path(), trial.settings()),
        records);
  }

  @Override
  public void close() {
    member.close();
  }
}
