package io.pyrometer.worker.recorders;

import io.pyrometer.driver.WatchedServers.Collections;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.protocol.Reading;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The garbage collections of a server that is watched from outside, whose log cannot be read. */
final class WatchedGcRecorder implements Recorder {
  private final WatchedServer server;
  private Optional<Collections> before = Optional.empty();

  WatchedGcRecorder(WatchedServer server) {
    this.server = server;
  }

  @Override
  public String device() {
    return "gc";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    Collections unused = server.collections();
    return Map.of();
  }

  @Override
  public void start() {
    before = Optional.of(server.collections());
  }

  @Override
  public Result stop() {
    Collections from = before.orElseThrow();
    Collections to = server.collections();
    return new Result(
        List.of(
            Reading.lower("pauses", (double) (to.count() - from.count()), "pauses"),
            Reading.lower("pause-total", 1e3 * (to.seconds() - from.seconds()), "ms")),
        List.of());
  }
}
