package io.pyrometer.driver.coherence;

import com.tangosol.net.Coherence;
import com.tangosol.net.NamedMap;
import com.tangosol.util.InvocableMap;
import io.pyrometer.chaos.MapSession;
import io.pyrometer.chaos.Promise;
import java.util.Map;

/**
 * Operations on a map of numbers, whose history is checked. By "Introduction to Coherence Caches"
 * in Coherence's documentation, exactly one member is responsible for an entry, and none is lost
 * when a server fails.
 */
record CoherenceChaos(Coherence member, NamedMap<Long, Long> map, Promise promise)
    implements MapSession {

  @Override
  public Map<String, String> configuration() {
    return CoherenceMember.configuration(member);
  }

  @Override
  public boolean whole(int servers) {
    return CoherenceMember.isComplete(member, servers);
  }

  @Override
  public void increment(long key) {
    Boolean unused = map.invoke(key, new Increment());
  }

  private record Increment() implements InvocableMap.EntryProcessor<Long, Long, Boolean> {
    @Override
    public Boolean process(InvocableMap.Entry<Long, Long> entry) {
      Long unused = entry.setValue(entry.isPresent() ? entry.getValue() + 1 : 1);
      return true;
    }
  }

  @Override
  public void destroy() {
    map.destroy();
  }
}
