package io.pyrometer.driver.coherence;

import com.tangosol.net.Coherence;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A member in this JVM that stores data. */
final class StorageMember implements RunningServer {
  private final Coherence member;

  private StorageMember(Coherence member) {
    this.member = member;
  }

  static RunningServer start(Command.StartServer spec) {
    Settings settings = new CoherenceDriver().describe().complete(spec.settings());
    return new StorageMember(
        Members.join(
            "node-" + spec.index(),
            spec.peers(),
            Address.host(spec.peers().get(spec.index())),
            true,
            settings));
  }

  /** Clients are members: they find the cluster as servers do. */
  @Override
  public Optional<String> clientAddress() {
    return Optional.empty();
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>(Members.configuration(member));
    facts.put("server.max-heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    return facts;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> Members.isComplete(member, servers))) {
      throw new GridException(
          "Only %d of %d Coherence members joined with all copies of their partitions within %d s."
              .formatted(
                  Members.service(member).getOwnershipEnabledMembers().size(),
                  servers,
                  timeout.toSeconds()));
    }
  }

  @Override
  public void close() {
    member.close();
  }
}
