package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Reads or writes one record a call and waits for it. */
final class Mixed extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.mix(
                  "mixed", Guarantee.OF_ONE, "cache.get and cache.put, one record after the other.")
              .asPlainest(),
          (context, lane) -> new Mixed(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.mix(
                  "thin-mixed",
                  Guarantee.OF_ONE,
                  "A thin client's get and put, one record after the other.")),
          (context, lane) -> new Mixed(context, ClientType.THIN));

  private static final int GET = 0;

  private final AtomicLong gone = new AtomicLong();

  private Mixed(PathContext context, ClientType client) {
    super(context, client, 1, 1, "get", "put");
  }

  /** Reads of records that had expired or were evicted. */
  @Override
  public Map<String, Long> events() {
    return mayDrop() ? Map.of("reads-of-dropped", gone.get()) : Map.of();
  }

  @Override
  public void call(Call call) {
    if (call.operation() == GET) {
      boolean found = cache.get(call.key(0)) != null;
      if (!found && !call.misses() && mayDrop()) {
        gone.incrementAndGet();
      } else {
        HitCheck.check(call, found);
      }
    } else {
      cache.put(call.key(0), values.get(call.record(0)));
    }
    call.done();
  }
}
