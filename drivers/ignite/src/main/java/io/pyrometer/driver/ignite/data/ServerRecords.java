package io.pyrometer.driver.ignite.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TrialSpec;
import java.io.Serializable;
import java.util.concurrent.ConcurrentMap;
import org.apache.ignite.Ignite;

/** The records of a trial as a server draws them, so that clients send only their numbers. */
public final class ServerRecords implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String STOCK = "io.pyrometer.stock";

  private final String trial;

  public ServerRecords(TrialSpec trial) {
    try {
      this.trial = Json.LINES.writeValueAsString(trial);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to a server.", e);
    }
  }

  public TrialSpec trial() {
    try {
      return Json.LINES.readValue(trial, TrialSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be read on the server.", e);
    }
  }

  /** Returns the values of the current trial; a node does not keep those of earlier trials. */
  public ValuePool of(Ignite here, String cacheName) {
    ConcurrentMap<String, ValuePool> kept = here.cluster().nodeLocalMap();
    String name = STOCK + "." + cacheName;
    ValuePool stock = kept.get(name);
    if (stock != null) {
      return stock;
    }
    kept.keySet().removeIf(other -> other.startsWith(STOCK) && !other.equals(name));
    TrialSpec spec = trial();
    return kept.computeIfAbsent(name, missing -> new ValuePool(here.binary(), Records.of(spec)));
  }
}
